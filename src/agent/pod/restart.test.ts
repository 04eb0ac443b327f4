// Restart policies and back-off, as Kubernetes has them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeTime } from '../../base/clock.ts';
import type { ContainerStatus } from '../../kube/core/pod.ts';
import { aPod, aSpec } from './pod.testing.ts';
import { BACK_OFF, dueMs, startsAgain } from './restart.ts';

const NOW = Date.UTC(2026, 0, 1);

function ended(restartCount: number, livedMs: number, reason = BACK_OFF): ContainerStatus {
  const terminated = { exitCode: 1, startedAt: kubeTime(NOW - livedMs), finishedAt: kubeTime(NOW) };
  return {
    name: 'vm',
    image: '',
    imageID: '',
    ready: false,
    restartCount,
    lastState: { terminated },
    state: { waiting: { reason } },
  };
}

test('Always starts again after any end, OnFailure after a failure, Never not at all; Always is the default', () => {
  const starts = (restartPolicy: 'Always' | 'OnFailure' | 'Never') => {
    const pod = aPod({}, { spec: aSpec({}, { restartPolicy }) });
    return [startsAgain(pod, 0), startsAgain(pod, 1)];
  };

  assert.deepEqual(
    [starts('Always'), starts('OnFailure'), starts('Never')],
    [
      [true, true],
      [false, true],
      [false, false],
    ],
  );
  assert.equal(startsAgain(aPod(), 0), true);
});

test('failures wait longer and longer: at once, then 10 s doubling to five minutes', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 20].map(restarts => (dueMs(ended(restarts, 1000)) - NOW) / 1000);

  assert.deepEqual(delays, [0, 10, 20, 40, 80, 160, 300, 300]);
});

test('a VM that lived for ten minutes starts at once again, and so does one that did not fail', () => {
  assert.equal(dueMs(ended(5, 600_000)), NOW);
  assert.equal(dueMs(ended(5, 1000, 'ContainerCreating')), 0);
});
