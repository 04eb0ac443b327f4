// Which objects live on, lose references or go, by the standing of their owners.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import {
  blockingDependents,
  FOREGROUND,
  isDeletingDependents,
  type Owner,
  type Standing,
  verdictOn,
} from './owners.ts';

const object = (metadata: Partial<ObjectMeta> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'child', namespace: 'default', uid: 'child', ...metadata },
});

const owner = (uid: string, standing: Standing): Owner => ({
  reference: { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid },
  standing,
});

test('an object without owners is kept', () => {
  assert.deepEqual(verdictOn(object(), [], []), { act: 'keep' });
});

test('an object whose owners are all gone is deleted in the background', () => {
  const verdict = verdictOn(object(), [owner('a', 'absent'), owner('b', 'absent')], []);

  assert.deepEqual(verdict, { act: 'delete', propagation: 'Background', unblockOwners: [] });
});

test('one owner that lives keeps the object, and the references to those that are gone are taken off', () => {
  const verdict = verdictOn(object(), [owner('a', 'absent'), owner('b', 'solid'), owner('c', 'waiting')], []);

  assert.deepEqual(verdict, { act: 'dropReferences', uids: ['a', 'c'] });
});

test('an owner that cannot be looked up keeps the object as it is', () => {
  assert.deepEqual(verdictOn(object(), [owner('a', 'absent'), owner('b', 'unresolved')], []), { act: 'keep' });
});

test('an object with dependents goes in the foreground when its owner waits for it', () => {
  const verdict = verdictOn(object(), [owner('a', 'waiting')], [object({ uid: 'grandchild' })]);

  assert.deepEqual(verdict, { act: 'delete', propagation: 'Foreground', unblockOwners: [] });
});

test('a circle of foreground deletions is opened', () => {
  const deletingToo = object({ uid: 'a', deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: [FOREGROUND] });

  const verdict = verdictOn(object(), [owner('a', 'waiting')], [deletingToo]);

  assert.deepEqual(verdict, { act: 'delete', propagation: 'Foreground', unblockOwners: ['a'] });
});

test('an object that asks for orphaning by its finalizer gets it', () => {
  const verdict = verdictOn(object({ finalizers: ['orphan'] }), [owner('a', 'absent')], []);

  assert.deepEqual(verdict, { act: 'delete', propagation: 'Orphan', unblockOwners: [] });
});

test('only dependents that say so hold up a foreground deletion', () => {
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'a' };
  const blocking = object({ uid: '1', ownerReferences: [{ ...reference, blockOwnerDeletion: true }] });
  const free = object({ uid: '2', ownerReferences: [reference] });

  assert.deepEqual(blockingDependents(object({ uid: 'a' }), [blocking, free]), [blocking]);
});

test('the finalizer alone is no foreground deletion', () => {
  assert.equal(isDeletingDependents(object({ finalizers: [FOREGROUND] })), false);
});
