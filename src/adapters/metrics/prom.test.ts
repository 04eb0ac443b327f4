import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promMetrics } from './prom.ts';

test('what was counted is told in the text format', async () => {
  const { metrics, text } = promMetrics();
  const passes = metrics.counter({ name: 'passes_total', help: 'Passes', labels: ['controller'] });
  passes.add({ controller: 'mac' });
  passes.add({ controller: 'mac' }, 2);
  metrics.histogram({ name: 'boot_seconds', help: 'Boots', buckets: [1, 5] }).observe(3);

  const told = await text();

  assert.match(told, /^passes_total\{controller="mac"\} 3$/m);
  assert.match(told, /^boot_seconds_bucket\{le="5"\} 1$/m);
});

test('the same name twice is the same metric, and a forgotten series is gone', async () => {
  const { metrics, text } = promMetrics();
  const spec = { name: 'phase', help: 'Phase', labels: ['machine'] };
  metrics.gauge(spec).set(1, { machine: 'mac-0' });
  metrics.gauge(spec).set(1, { machine: 'mac-1' });

  metrics.gauge(spec).forget({ machine: 'mac-0' });

  const told = await text();
  assert.equal(told.includes('mac-0'), false);
  assert.match(told, /phase\{machine="mac-1"\} 1/);
});
