// Writes on a Machine what a health check found, and asks its owner to replace it where that is allowed.

import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { conditionOf, conditionsOf, type Verdict, withVerdicts } from '../../../kube/conditions.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { isConflict, isNotFound } from '../../../kube/errors.ts';
import { keyOf } from '../../../kube/object.ts';
import { HEALTH_CHECK_SUCCEEDED, OWNER_REMEDIATED } from '../names.ts';
import type { Health } from './judgement.ts';

export interface Judged {
  readonly machine: Machine;
  readonly health: Health;
}

export async function writeVerdict({ machine, health }: Judged, mayReplace: boolean, world: KubeWorld): Promise<void> {
  const verdicts = verdictsFor(machine, health, mayReplace);
  if (verdicts.every(verdict => says(machine, verdict))) return;
  const conditions = withVerdicts(conditionsOf(machine), verdicts, world.clock.now());
  const { uid, resourceVersion } = machine.metadata;
  const body = { metadata: { uid, resourceVersion }, status: { conditions } };
  try {
    await world.api.patch(Machine, keyOf(machine), body, { subresource: 'status' });
  } catch (error) {
    // The change that was first wakes this check again.
    if (isConflict(error) || isNotFound(error)) return;
    throw error;
  }
  if (health.kind === 'unhealthy') {
    world.events.warning(machine, 'MachineMarkedUnhealthy', `The Machine is unhealthy: ${health.message}`);
  }
}

function verdictsFor(machine: Machine, health: Health, mayReplace: boolean): readonly Verdict[] {
  if (health.kind !== 'unhealthy') {
    return [
      { type: HEALTH_CHECK_SUCCEEDED, status: 'True', reason: 'HealthCheckSucceeded', message: '' },
      { type: OWNER_REMEDIATED, status: null },
    ];
  }
  const { reason, message } = health;
  const found: Verdict = { type: HEALTH_CHECK_SUCCEEDED, status: 'False', reason, message };
  if (!mayReplace) return [found];
  const asked = conditionOf(machine, OWNER_REMEDIATED);
  if (asked?.status === 'False') return [found];
  const ask = {
    type: OWNER_REMEDIATED,
    status: 'False',
    reason: 'WaitingForRemediation',
    message: 'its owner to replace it',
  };
  return [found, { ...ask, status: 'False' }];
}

function says(machine: Machine, verdict: Verdict): boolean {
  const current = conditionOf(machine, verdict.type);
  if (verdict.status === null) return current === undefined;
  return current?.status === verdict.status && current.reason === verdict.reason && current.message === verdict.message;
}
