// Counts machines by phase, for the alerts that fleets already have: one series per machine, none once it is gone.

import type { Labels } from '../../base/metrics.ts';
import type { KeyController } from '../../kube/controller.ts';
import { keyText } from '../../kube/object.ts';
import { done } from '../../kube/outcome.ts';
import type { MacWorld } from '../world.ts';
import { fleetOf, MacMachine, statusOf } from './mac-machine.ts';

export function phaseMetric(): KeyController<MacWorld> {
  /** The series that each machine has now, so that its next one replaces it. */
  const shown = new Map<string, Labels>();
  return {
    name: 'mac-machine-phase',
    kind: MacMachine,
    async pass(key, object, { metrics }) {
      const gauge = metrics.gauge({
        name: 'capt_scaleway_applesilicon_machine_phase',
        help: 'The phase of each machine: always 1, in exactly one series per machine',
        labels: ['machine', 'fleet', 'phase', 'failure_reason'],
      });
      const before = shown.get(keyText(key));
      if (before !== undefined) gauge.forget(before);
      shown.delete(keyText(key));
      if (object === undefined) return done();
      const machine = object as MacMachine;
      const { phase = 'Pending', failureReason = '' } = statusOf(machine);
      const labels = { machine: key.name, fleet: fleetOf(machine), phase, failure_reason: failureReason };
      gauge.set(1, labels);
      shown.set(keyText(key), labels);
      return done();
    },
  };
}
