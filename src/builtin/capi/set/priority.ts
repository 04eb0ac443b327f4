// Which Machines go first when a set has too many: those going anyway, marked ones, broken ones, then by age.

import type { Machine } from '../../../kinds/generated/machine.generated.ts';
import { conditionOf } from '../../../kube/conditions.ts';
import { annotationOf, isDeleting } from '../../../kube/object.ts';
import { DELETE_MACHINE, HEALTH_CHECK_SUCCEEDED, OWNER_REMEDIATED } from '../names.ts';
import type { DeleteOrder } from '../spelling.ts';

/** The `count` Machines to delete of those that are not being deleted. Ties end by name, so the choice repeats. */
export function firstToGo(machines: readonly Machine[], count: number, order: DeleteOrder): readonly Machine[] {
  return machines
    .filter(machine => !isDeleting(machine))
    .sort((one, other) => urgency(other) - urgency(one) || byAge(one, other, order) || byName(one, other))
    .slice(0, Math.max(0, count));
}

function urgency(machine: Machine): number {
  if (annotationOf(machine, DELETE_MACHINE) !== undefined) return 2;
  return isBroken(machine) ? 1 : 0;
}

/** No Node, a Node that is not healthy, or a health check that fails. */
function isBroken(machine: Machine): boolean {
  if (machine.status?.nodeRef === undefined) return true;
  const failing = [HEALTH_CHECK_SUCCEEDED, OWNER_REMEDIATED].some(
    type => conditionOf(machine, type)?.status === 'False',
  );
  return failing || conditionOf(machine, 'NodeHealthy')?.status !== 'True';
}

function byAge(one: Machine, other: Machine, order: DeleteOrder): number {
  if (order === 'Random') return 0;
  const older = compare(one.metadata.creationTimestamp ?? '', other.metadata.creationTimestamp ?? '');
  return order === 'Oldest' ? older : -older;
}

const byName = (one: Machine, other: Machine): number => compare(one.metadata.name, other.metadata.name);

const compare = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);
