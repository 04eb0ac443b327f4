// Writes on a Machine what a health check found, and asks its owner to replace it where that is allowed.

import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { conditionOf, conditionsOf, type Verdict, withVerdicts } from '../../../kube/conditions.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { keyOf } from '../../../kube/object.ts';
import { unlessOvertaken } from '../../overtaken.ts';
import { EXTERNALLY_REMEDIATED, HEALTH_CHECK_SUCCEEDED, OWNER_REMEDIATED } from '../names.ts';
import type { Health } from './judgement.ts';

export interface Judged {
  readonly machine: Machine;
  readonly health: Health;
}

/** What becomes of an unhealthy machine. A repair may want something that is not there, in words. */
type Remedy = 'replace' | 'keep' | { readonly repairWants: string | undefined };

export async function writeVerdict({ machine, health }: Judged, then: Remedy, world: KubeWorld): Promise<void> {
  const verdicts = verdictsFor(machine, health, then);
  if (verdicts.every(verdict => says(machine, verdict))) return;
  const conditions = withVerdicts(conditionsOf(machine), verdicts, world.clock.now());
  const { uid, resourceVersion } = machine.metadata;
  const body = { metadata: { uid, resourceVersion }, status: { conditions } };
  const isWritten = await unlessOvertaken(() =>
    world.api.patch(Machine, keyOf(machine), body, { subresource: 'status' }),
  );
  if (isWritten && health.kind === 'unhealthy') {
    world.events.warning(machine, 'MachineMarkedUnhealthy', `The Machine is unhealthy: ${health.message}`);
  }
}

const repairVerdict = (wanting: string | undefined): Verdict => ({
  type: EXTERNALLY_REMEDIATED,
  status: 'False',
  reason: wanting === undefined ? 'WaitingForRemediation' : 'RemediationTemplateNotFound',
  message: wanting === undefined ? 'Waiting for its repair' : `Waiting for ${wanting}`,
});

function verdictsFor(machine: Machine, health: Health, then: Remedy): readonly Verdict[] {
  if (health.kind !== 'unhealthy') {
    return [
      { type: HEALTH_CHECK_SUCCEEDED, status: 'True', reason: 'HealthCheckSucceeded', message: '' },
      { type: OWNER_REMEDIATED, status: null },
      // While its Node comes up the repair is not over.
      ...(health.kind === 'healthy' ? [{ type: EXTERNALLY_REMEDIATED, status: null }] : []),
    ];
  }
  const { reason, message } = health;
  const found: Verdict = { type: HEALTH_CHECK_SUCCEEDED, status: 'False', reason, message };
  if (then === 'keep') return [found];
  if (then !== 'replace') return [found, repairVerdict(then.repairWants)];
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
