// When a wait is told: by how long it was seen to last, not by the age of the object.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../base/clock.ts';
import { aKubeWorld } from '../kube/kube-world.testing.ts';
import type { KubeObject } from '../kube/object.ts';
import { forgetWait, hasWaitedLong } from './patience.ts';

const anOld = (uid: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'old', namespace: 'default', uid, creationTimestamp: '2020-01-01T00:00:00Z' },
});

test('an object whose turn came late has not waited long; a minute later it has', async () => {
  const world = aKubeWorld();
  const late = hasWaitedLong('one', anOld('a'), world);

  await world.clock.advance(seconds(59));
  const soon = hasWaitedLong('one', anOld('a'), world);
  await world.clock.advance(seconds(1));

  assert.deepEqual([late, soon, hasWaitedLong('one', anOld('a'), world)], [false, false, true]);
});

test('the count is that of one object and one controller, and begins anew after an end of the wait', async () => {
  const world = aKubeWorld();
  hasWaitedLong('one', anOld('a'), world);
  await world.clock.advance(seconds(60));

  assert.equal(hasWaitedLong('other', anOld('a'), world), false);
  assert.equal(hasWaitedLong('one', anOld('b'), world), false, 'another object of that name');
  await world.clock.advance(seconds(60));
  forgetWait('one', { namespace: 'default', name: 'old' }, world);
  assert.equal(hasWaitedLong('one', anOld('b'), world), false);
});
