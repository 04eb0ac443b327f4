import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Labels, Metrics } from '../../base/metrics.ts';
import { noMetrics } from '../../base/metrics.ts';
import type { MacWorld } from '../world.ts';
import type { MacMachine } from './mac-machine.ts';
import { phaseMetric } from './phase-metric.ts';

const KEY = { namespace: 'macs', name: 'mac-0' };

function machine(phase: string, failureReason?: string): MacMachine {
  return {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
    kind: 'ScalewayAppleSiliconMachine',
    metadata: KEY,
    status: { phase, ...(failureReason === undefined ? {} : { failureReason }) },
  };
}

test('a machine has one series, whatever becomes of it, and none when it is gone', async () => {
  const series = new Map<string, Labels>();
  const metrics: Metrics = {
    ...noMetrics,
    gauge: () => ({
      set: (_value, labels = {}) => void series.set(JSON.stringify(labels), labels),
      forget: labels => void series.delete(JSON.stringify(labels)),
    }),
  };
  const world = { metrics } as MacWorld;
  const controller = phaseMetric();

  await controller.pass(KEY, machine('Adopting'), world);
  await controller.pass(KEY, machine('Ready'), world);
  await controller.pass(KEY, machine('Failed', 'TartKubeletUpdateExceededRetries'), world);
  assert.deepEqual(
    [...series.values()],
    [{ machine: 'mac-0', fleet: 'macs-mac-0', phase: 'Failed', failure_reason: 'TartKubeletUpdateExceededRetries' }],
  );

  await controller.pass(KEY, undefined, world);
  assert.equal(series.size, 0);
});
