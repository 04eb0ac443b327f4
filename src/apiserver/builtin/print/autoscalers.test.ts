import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../parts.ts';
import { autoscalerCells } from './autoscalers.ts';

const resource = (name: string, target: JsonObject): JsonObject => ({ type: 'Resource', resource: { name, target } });
const cpu = resource('cpu', { type: 'Utilization', averageUtilization: 80 });

const metricsOf = (metrics: readonly JsonObject[], currentMetrics: readonly JsonObject[] = []): unknown =>
  autoscalerCells({ metadata: { name: 'web' }, spec: { metrics }, status: { currentMetrics } }, 0)[2];

test('an autoscaler shows what it measures against what it wants', () => {
  const current = { averageUtilization: 30, averageValue: '120m' };

  assert.equal(metricsOf([cpu], [{ type: 'Resource', resource: { name: 'cpu', current } }]), 'cpu: 30%/80%');
});

test('what nobody has measured yet is unknown', () => {
  assert.equal(metricsOf([cpu]), 'cpu: <unknown>/80%');
  assert.equal(metricsOf([]), '<none>');
});

test('averages of values are told apart from values', () => {
  const external = (target: JsonObject): JsonObject => ({ type: 'External', external: { target } });

  assert.equal(metricsOf([external({ averageValue: '5' })]), '<unknown>/5 (avg)');
  assert.equal(metricsOf([external({ value: '7' })]), '<unknown>/7');
});

test('of many metrics two are shown and the others counted', () => {
  const memory = resource('memory', { type: 'AverageValue', averageValue: '1Gi' });

  assert.equal(metricsOf([cpu, memory, cpu]), 'cpu: <unknown>/80%, memory: <unknown>/1Gi + 1 more...');
});

test('an autoscaler names its target and its bounds', () => {
  const scaleTargetRef = { kind: 'Deployment', name: 'web' };
  const metadata = { name: 'web', creationTimestamp: '1970-01-01T00:00:00Z' };
  const spec = { scaleTargetRef, minReplicas: 1, maxReplicas: 5 };

  const cells = autoscalerCells({ metadata, spec, status: { currentReplicas: 2 } }, 3000);

  assert.deepEqual(cells, ['web', 'Deployment/web', '<none>', '1', 5, 2, '3s']);
});
