// Letting go of one object and of no other of its name, whatever a Conflict or a NotFound is about.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from './api.ts';
import { ApiError } from './errors.ts';
import { retryOf } from './failure.ts';
import { remove, takeOff } from './finalizers.ts';
import { aKubeWorld } from './kube-world.testing.ts';
import { aWidget, FINALIZER, KEY, Widget } from './widgets.testing.ts';

const conflict = new ApiError({
  httpStatus: 409,
  request: 'DELETE',
  status: { kind: 'Status', apiVersion: 'v1', reason: 'Conflict' },
});

test('a delete that is refused begins anew on what the cache shows then, and nothing is read live for it', async () => {
  const { api } = aKubeWorld();
  const widget = await api.create(Widget, aWidget());
  const unread = (): never => assert.fail('a live read');
  const refusing: Api = { ...api, delete: () => Promise.reject(conflict), find: unread, get: unread };

  await assert.rejects(remove(refusing, Widget, widget), error => retryOf(error) === 'conflict');
});

test('an object that bears the name by now is not deleted', async () => {
  const { api } = aKubeWorld();
  const before = await api.create(Widget, aWidget());
  await api.delete(Widget, KEY);
  const after = await api.create(Widget, aWidget());

  await assert.rejects(remove(api, Widget, before), error => retryOf(error) === 'conflict');

  assert.equal((await api.get(Widget, KEY)).metadata.uid, after.metadata.uid);
});

const notFound = new ApiError({
  httpStatus: 404,
  request: 'a write',
  status: { kind: 'Status', apiVersion: 'v1', reason: 'NotFound' },
});

test('a write that finds nothing is no proof: whoever let go begins anew, until the cache shows the object gone', async () => {
  const { api } = aKubeWorld();
  const widget = await api.create(Widget, {
    ...aWidget(),
    metadata: { ...aWidget().metadata, finalizers: [FINALIZER] },
  });
  const blind: Api = { ...api, patch: () => Promise.reject(notFound), delete: () => Promise.reject(notFound) };

  const again = { code: 'PIPPIN_E_PERHAPS_GONE', retry: 'conflict' };
  await assert.rejects(takeOff(blind, Widget, widget, FINALIZER), again);
  await assert.rejects(remove(blind, Widget, widget), again);
});
