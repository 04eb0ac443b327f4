// The real clock, chance, log and metrics: what each promises to those who use the seam.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from './clock.ts';
import { type LogLevel, systemLog } from './log.ts';
import { systemMetrics } from './metrics.ts';
import { systemRandom } from './random.ts';

function logged(level: LogLevel): { log: ReturnType<typeof systemLog>; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  return { log: systemLog({ level, write: line => lines.push(JSON.parse(line)) }), lines };
}

test('a sleep can be given up, and a cancelled timer does not fire', async () => {
  const stop = new AbortController();
  const sleeping = assert.rejects(systemClock.sleep(60_000, stop.signal), { message: 'stopped' });
  let fired = false;
  const cancel = systemClock.after(1, () => {
    fired = true;
  });

  cancel();
  stop.abort(new Error('stopped'));
  await sleeping;
  await systemClock.sleep(5);

  assert.equal(fired, false);
});

test('monotonic time grows and a timer of more than 24 days does not fire at once', async () => {
  const before = systemClock.monotonic();
  let fired = false;
  const cancel = systemClock.after(2 ** 31 + 1000, () => {
    fired = true;
  });
  await systemClock.sleep(5);
  cancel();

  assert.ok(systemClock.monotonic() >= before + 5);
  assert.equal(fired, false);
});

test('a sleep is never shorter than was asked for', async () => {
  for (let ms = 0.1; ms < 4; ms += 0.1) {
    const before = systemClock.monotonic();
    await systemClock.sleep(ms);
    assert.ok(systemClock.monotonic() - before >= ms, `${ms} ms`);
  }
});

test('chance stays in its range', () => {
  for (let draw = 0; draw < 100; draw++) assert.ok([0, 1, 2].includes(systemRandom.below(3)));
  assert.equal(systemRandom.bytes(7).length, 7);
  assert.match(systemRandom.uuid(), /^[0-9a-f-]{36}$/);
});

test('a log line is one JSON object with its level, sentence and fields', () => {
  const { log, lines } = logged('info');

  log.with({ controller: 'mac' }).warn('A pass failed', { key: 'default/mac-0' });
  log.debug('too quiet');

  assert.equal(lines.length, 1);
  const { time, ...line } = lines[0] ?? {};
  assert.ok(typeof time === 'string');
  assert.deepEqual(line, { level: 'warn', controller: 'mac', key: 'default/mac-0', message: 'A pass failed' });
});

test('secrets do not get into the log, wherever they stand (safe-20)', () => {
  const { log, lines } = logged('info');

  log.info('Bootstrapping', {
    host: { sudo_password: 's3cret', tags: [{ token: 's3cret' }] },
    Authorization: 's3cret',
  });
  log.with({ privateKeyPem: 's3cret' }).info('Again');

  assert.ok(!JSON.stringify(lines).includes('s3cret'));
});

test('a metric asked for twice is one metric, and a forgotten series is gone', async () => {
  const metrics = systemMetrics();
  const spec = { name: 'pippin_things_total', help: 'Things', labels: ['kind'] };

  metrics.counter(spec).add({ kind: 'a' });
  metrics.counter(spec).add({ kind: 'a' }, 2);
  const gauge = metrics.gauge({ name: 'pippin_level', help: 'Level', labels: ['object'] });
  gauge.set(4, { object: 'x' });
  gauge.forget({ object: 'x' });
  metrics.histogram({ name: 'pippin_seconds', help: 'Time', buckets: [1, 5] }).observe(3);
  const { body } = await metrics.scrape();

  assert.match(body, /pippin_things_total\{kind="a"\} 3/);
  assert.match(body, /pippin_seconds_bucket\{le="5"\} 1/);
  assert.doesNotMatch(body, /pippin_level\{/);
});
