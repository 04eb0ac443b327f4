import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventTtlOf } from './event-ttl.ts';
import { setupOf } from './kube-apiserver-flags.ts';

test('Events stay as long as --event-ttl says, and an hour without it', () => {
  assert.deepEqual(
    ['1h0m0s', '90m', '1.5s', '1h1ms', '0', '0s'].map(eventTtlOf),
    [3_600_000, 5_400_000, 1500, 3_600_001, 0, 0],
  );
  assert.equal(setupOf(new Map([['event-ttl', ['2h', '5m']]])).eventTtlMs, 300_000);
  assert.equal(setupOf(new Map()).eventTtlMs, 3_600_000);
});

test('what is no duration is refused in the words of the real server', () => {
  assert.throws(() => eventTtlOf('10'), {
    message: 'invalid argument "10" for "--event-ttl" flag: time: missing unit in duration "10"',
  });
  assert.throws(() => eventTtlOf('-1h'), { code: 'PIPPIN_E_ENVTEST_EVENT_TTL' });
});
