import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiUnderTest, anApi, metaOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt } from '../rules/json.ts';

const PODS = '/api/v1/namespaces/default/pods';
const POD = `${PODS}/p`;
const MAP = '/api/v1/namespaces/default/configmaps/m';

async function withPod(metadata: JsonObject = {}, spec: JsonObject = {}): Promise<ApiUnderTest> {
  const api = await anApi();
  const full = { containers: [{ name: 'c', image: 'i' }], ...spec };
  await api.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec: full });
  return api;
}

async function withMap(metadata: JsonObject = {}): Promise<ApiUnderTest> {
  const api = await anApi();
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', ...metadata } };
  await api.create('/api/v1/namespaces/default/configmaps', object);
  return api;
}

const onNode = { nodeName: 'mac-0' };

test('an object that nothing holds goes at once, and a Status says so', async () => {
  const api = await withMap();
  const { uid } = metaOf((await api.get(MAP)).body);

  const answer = await api.delete(MAP);

  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'm', kind: 'configmaps', uid },
  });
  assert.equal((await api.get(MAP)).status, 404);
});

test('an object with finalizers is marked and stays', async () => {
  const api = await withMap({ finalizers: ['a.b/c'] });

  const answer = await api.delete(MAP);

  assert.equal(answer.body.kind, 'ConfigMap');
  assert.equal(metaOf(answer.body).deletionTimestamp, '2026-01-01T00:00:00Z');
  assert.equal(metaOf(answer.body).deletionGracePeriodSeconds, 0);
});

test('a second delete of a held object changes nothing', async () => {
  const api = await withMap({ finalizers: ['a.b/c'] });
  const first = await api.delete(MAP);
  api.clock.move(60_000);

  const second = await api.delete(MAP);

  assert.deepEqual(second.body, first.body);
});

test('a Pod on a Node gets its grace, and its deletion time lies at the end of it', async () => {
  const api = await withPod({}, { ...onNode, terminationGracePeriodSeconds: 45 });

  const answer = await api.delete(POD);

  assert.equal(metaOf(answer.body).deletionTimestamp, '2026-01-01T00:00:45Z');
  assert.equal(metaOf(answer.body).deletionGracePeriodSeconds, 45);
  assert.equal(metaOf(answer.body).generation, 2);
  assert.equal((await api.get(POD)).status, 200);
});

test('a Pod on no Node, and one that has ended, go at once', async () => {
  const unscheduled = await withPod();
  const ended = await withPod({}, onNode);
  await ended.patch(`${POD}/status`, { status: { phase: 'Failed' } });

  await unscheduled.delete(POD);
  await ended.delete(POD);

  assert.equal((await unscheduled.get(POD)).status, 404);
  assert.equal((await ended.get(POD)).status, 404);
});

test('a later delete can shorten the grace and never lengthens it', async () => {
  const api = await withPod({}, onNode);
  await api.delete(POD);

  const longer = await api.delete(POD, { query: 'gracePeriodSeconds=90' });
  const shorter = await api.delete(POD, { query: 'gracePeriodSeconds=5' });

  assert.equal(metaOf(longer.body).deletionGracePeriodSeconds, 30);
  assert.equal(metaOf(shorter.body).deletionGracePeriodSeconds, 5);
  assert.equal(metaOf(shorter.body).deletionTimestamp, '2026-01-01T00:00:05Z');
});

test('grace 0 takes a Pod away by force, unless a finalizer holds it', async () => {
  const free = await withPod({}, onNode);
  const held = await withPod({ finalizers: ['a.b/c'] }, onNode);
  const force = { body: { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 0 } };

  await free.delete(POD, force);
  const answer = await held.delete(POD, force);

  assert.equal((await free.get(POD)).status, 404);
  assert.equal(metaOf(answer.body).deletionGracePeriodSeconds, 0);
  assert.equal((await held.get(POD)).status, 200);
});

test('a Pod whose grace is over goes when its last finalizer does', async () => {
  const api = await withPod({ finalizers: ['a.b/c'] }, onNode);
  await api.delete(POD);
  const early = await api.patch(POD, { metadata: { finalizers: null } });
  const stillThere = await api.get(POD);

  await api.delete(POD, { query: 'gracePeriodSeconds=0' });

  assert.equal(early.status, 200);
  assert.equal(stillThere.status, 200);
  assert.equal((await api.get(POD)).status, 404);
});

test('watchers of a Pod that is deleted by force see it marked, then gone', async () => {
  const api = await withPod();
  const watch = await api.watch(PODS);
  await watch.next();

  await api.delete(POD);

  assert.deepEqual(await watch.said(2), ['MODIFIED p', 'DELETED p']);
});

test('preconditions that do not hold refuse the delete', async () => {
  const api = await withMap();
  const { uid } = metaOf((await api.get(MAP)).body);
  const options = (preconditions: JsonObject): { body: JsonObject } => ({ body: { preconditions } });

  const wrongUid = await api.delete(MAP, options({ uid: 'other' }));
  const wrongVersion = await api.delete(MAP, options({ uid: uid ?? null, resourceVersion: '1' }));
  const right = await api.delete(MAP, options({ uid: uid ?? null }));

  assert.equal(wrongUid.status, 409);
  assert.equal(
    wrongUid.body.message,
    `Operation cannot be fulfilled on ConfigMap "m": the UID in the precondition (other) does not match the UID in record (${String(uid)}). The object might have been deleted and then recreated`,
  );
  assert.match(String(wrongVersion.body.message), /the ResourceVersion in the precondition \(1\) does not match/);
  assert.equal(right.status, 200);
});

test('the way of propagation becomes a finalizer for the garbage collector', async () => {
  const waysAndFinalizers = [
    ['Foreground', ['foregroundDeletion']],
    ['Orphan', ['orphan']],
  ] as const;
  for (const [propagationPolicy, finalizers] of waysAndFinalizers) {
    const api = await withMap();
    const answer = await api.delete(MAP, { body: { propagationPolicy } });
    assert.deepEqual(metaOf(answer.body).finalizers, finalizers);
  }
  const background = await withMap();
  await background.delete(MAP, { body: { propagationPolicy: 'Background' } });
  assert.equal((await background.get(MAP)).status, 404);
});

test('a delete in the background takes back an earlier wish to orphan', async () => {
  const api = await withMap({ finalizers: ['orphan', 'a.b/c'] });

  const answer = await api.delete(MAP, { query: 'propagationPolicy=Background' });

  assert.deepEqual(metaOf(answer.body).finalizers, ['a.b/c']);
});

test('options that contradict or are unknown are refused', async () => {
  const api = await withMap();

  const both = await api.delete(MAP, { body: { propagationPolicy: 'Orphan', orphanDependents: true } });
  const unknown = await api.delete(MAP, { body: { propagationPolicy: 'Sideways' } });

  assert.deepEqual([both.status, unknown.status], [422, 422]);
  assert.match(String(unknown.body.message), /supported values: "Foreground", "Background", "Orphan"/);
});

test('a dry run deletes nothing', async () => {
  const api = await withMap();

  const answer = await api.delete(MAP, { query: 'dryRun=All' });

  assert.equal(answer.status, 200);
  assert.equal((await api.get(MAP)).status, 200);
});

test('deletecollection takes what is selected and leaves the rest', async () => {
  const api = await anApi();
  const path = '/api/v1/namespaces/default/configmaps';
  for (const name of ['a', 'b', 'c']) {
    const labels = { keep: name === 'b' ? 'yes' : 'no' };
    await api.create(path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });
  }

  const answer = await api.delete(path, { query: 'labelSelector=keep%3Dno' });
  const left = await api.get(path);

  assert.equal(answer.body.kind, 'ConfigMapList');
  assert.deepEqual(namesIn(left.body), ['b']);
});

test('a Namespace waits for its finalizers in spec, refuses new objects, and ends when it is finalized', async () => {
  const api = await anApi();
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } });

  const marked = await api.delete('/api/v1/namespaces/n');
  const refused = await api.create('/api/v1/namespaces/n/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  const finalized = await api.update('/api/v1/namespaces/n/finalize', { ...marked.body, spec: { finalizers: [] } });

  assert.equal(stringAt(objectAt(marked.body, 'status'), 'phase'), 'Terminating');
  assert.equal(metaOf(marked.body).deletionGracePeriodSeconds, undefined);
  assert.deepEqual(
    [refused.status, refused.body.message],
    [403, 'configmaps "a" is forbidden: unable to create new content in namespace n because it is being terminated'],
  );
  assert.equal(finalized.status, 200);
  assert.equal((await api.get('/api/v1/namespaces/n')).status, 404);
});

test('the namespaces that every cluster has cannot be deleted', async () => {
  const api = await anApi();

  const answer = await api.delete('/api/v1/namespaces/kube-system');

  assert.equal(answer.body.message, 'namespaces "kube-system" is forbidden: this namespace may not be deleted');
});

function namesIn(list: JsonObject): readonly unknown[] {
  return (list.items as JsonObject[]).map(item => metaOf(item).name);
}
