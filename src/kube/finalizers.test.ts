// Letting go of one object and of no other of its name, whatever a Conflict or a NotFound is about.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from './api.ts';
import { ApiError } from './errors.ts';
import { remove, takeOff } from './finalizers.ts';
import { aKubeWorld } from './kube-world.testing.ts';
import { aWidget, FINALIZER, KEY, Widget } from './widgets.testing.ts';

const conflict = new ApiError({
  httpStatus: 409,
  request: 'DELETE',
  status: { kind: 'Status', apiVersion: 'v1', reason: 'Conflict' },
});

const refusing = (api: Api): Api => ({ ...api, delete: () => Promise.reject(conflict) });

test('a delete that is refused while the object is still there is a failure', async () => {
  const { api } = aKubeWorld();
  const widget = await api.create(Widget, aWidget());

  await assert.rejects(remove(refusing(api), Widget, widget), /409/);
});

test('a delete that is refused because the name is another’s by now is done, and so is one of an object that went', async () => {
  const { api } = aKubeWorld();
  const before = await api.create(Widget, aWidget());
  await api.delete(Widget, KEY);
  await remove(refusing(api), Widget, before);
  const after = await api.create(Widget, aWidget());

  await remove(refusing(api), Widget, before);

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
