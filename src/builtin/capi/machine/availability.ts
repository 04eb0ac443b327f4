// Whether a Machine counts: ready when all of its parts are, available once it has been ready for long enough.

import { millisOf, seconds } from '../../../base/clock.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { refTo } from '../../../kube/api.ts';
import { conditionOf } from '../../../kube/conditions.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { type Condition, isDeleting } from '../../../kube/object.ts';
import { done, wait } from '../../../kube/outcome.ts';
import { HEALTH_CHECK_SUCCEEDED } from '../names.ts';
import type { MachineOptions } from './world.ts';

const PARTS = ['BootstrapConfigReady', 'InfrastructureReady', 'NodeHealthy'] as const;

type NewCondition = Omit<Condition, 'lastTransitionTime'>;

export function availability(options: MachineOptions): Step<Machine, KubeWorld> {
  return {
    condition: 'Available',
    run: async (machine, world) => {
      const ready = readyCondition(machine);
      const change = { conditions: [ready] };
      const self = refTo(Machine, machine);
      if (ready.status !== 'True') {
        const what = `the Machine to be ready: ${ready.message ?? ''}`;
        return wait(self, what, options.recheckMs, { reason: 'NotReady', change });
      }
      const since = conditionOf(machine, 'Ready');
      const sinceMs = since?.status === 'True' ? millisOf(since.lastTransitionTime) : world.clock.now();
      const leftMs = sinceMs + seconds(machine.spec.minReadySeconds ?? 0) - world.clock.now();
      if (leftMs <= 0) return done(change);
      const time = { port: 'time', subject: 'minReadySeconds' };
      return wait(time, 'the Machine to have been ready for minReadySeconds', leftMs, {
        reason: 'WaitingForMinReadySeconds',
        change,
      });
    },
  };
}

/** All parts, the gates that the spec names, and no health check that fails. */
function readyCondition(machine: Machine): NewCondition {
  const held = notTrue(machine);
  if (isDeleting(machine))
    return { type: 'Ready', status: 'False', reason: 'Deleting', message: 'it is being deleted' };
  if (held.length === 0) return { type: 'Ready', status: 'True', reason: 'Ready', message: '' };
  return { type: 'Ready', status: 'False', reason: 'NotReady', message: held.join('; ') };
}

function notTrue(machine: Machine): readonly string[] {
  const gates = (machine.spec.readinessGates ?? []).map(({ conditionType, polarity }) => ({
    type: conditionType,
    wanted: polarity === 'Negative' ? 'False' : 'True',
  }));
  const wanted = [...PARTS.map(type => ({ type, wanted: 'True' })), ...gates];
  const held = wanted.flatMap(part => (conditionOf(machine, part.type)?.status === part.wanted ? [] : [part.type]));
  const unhealthy = conditionOf(machine, HEALTH_CHECK_SUCCEEDED)?.status === 'False' ? [HEALTH_CHECK_SUCCEEDED] : [];
  return [...held, ...unhealthy].map(type => textOf(type, conditionOf(machine, type)));
}

function textOf(type: string, condition: Condition | undefined): string {
  const message = condition?.message ?? '';
  return message === '' ? type : `${type}: ${message}`;
}

/** Cluster API's one-word summary of a Machine that stays. */
export function phaseOf(machine: Machine): string {
  const { initialization, nodeRef } = machine.status ?? {};
  if (initialization?.infrastructureProvisioned === true) return nodeRef === undefined ? 'Provisioned' : 'Running';
  return initialization?.bootstrapDataSecretCreated === true ? 'Provisioning' : 'Pending';
}
