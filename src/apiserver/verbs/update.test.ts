import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ApiUnderTest, anApi, metaOf, versionOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, withMeta } from '../rules/json.ts';

const DEPLOYMENT = '/apis/apps/v1/namespaces/default/deployments/d';
const POD = '/api/v1/namespaces/default/pods/p';

async function aDeployment(api: ApiUnderTest): Promise<JsonObject> {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec };
  return (await api.create('/apis/apps/v1/namespaces/default/deployments', object)).body;
}

async function aPod(api: ApiUnderTest, metadata: JsonObject = {}): Promise<JsonObject> {
  const spec = { containers: [{ name: 'c', image: 'i' }] };
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', ...metadata }, spec };
  return (await api.create('/api/v1/namespaces/default/pods', object)).body;
}

const withReplicas = (object: JsonObject, replicas: number): JsonObject => ({
  ...object,
  spec: { ...objectAt(object, 'spec'), replicas },
});

test('an update of the spec counts its generation up, one of labels does not', async () => {
  const api = await anApi();
  const made = await aDeployment(api);

  const labelled = await api.update(DEPLOYMENT, withMeta(made, { labels: { x: 'y' } }));
  const scaled = await api.update(DEPLOYMENT, withReplicas(labelled.body, 3));

  assert.equal(metaOf(labelled.body).generation, 1);
  assert.equal(metaOf(scaled.body).generation, 2);
});

test('an update that changes nothing keeps the resourceVersion', async () => {
  const api = await anApi();
  const made = await aDeployment(api);

  const same = await api.update(DEPLOYMENT, made);

  assert.equal(same.status, 200);
  assert.equal(versionOf(same.body), versionOf(made));
});

test('an update from an old version is a conflict, in the words that clients look for', async () => {
  const api = await anApi();
  const made = await aDeployment(api);
  await api.update(DEPLOYMENT, withReplicas(made, 2));

  const late = await api.update(DEPLOYMENT, withReplicas(made, 3));

  assert.equal(late.status, 409);
  assert.equal(
    late.body.message,
    'Operation cannot be fulfilled on deployments.apps "d": the object has been modified; please apply your changes to the latest version and try again',
  );
  assert.deepEqual(late.body.details, { name: 'd', group: 'apps', kind: 'deployments' });
});

test('an update without a version overwrites what is there', async () => {
  const api = await anApi();
  const made = await aDeployment(api);

  const answer = await api.update(DEPLOYMENT, withReplicas(withMeta(made, { resourceVersion: undefined }), 4));

  assert.equal(answer.status, 200);
  assert.equal(objectAt(answer.body, 'spec').replicas, 4);
});

test('an update of another uid is a conflict that names both', async () => {
  const api = await anApi();
  const made = await aDeployment(api);

  const answer = await api.update(DEPLOYMENT, withMeta(made, { uid: 'other' }));

  assert.equal(answer.status, 409);
  assert.match(String(answer.body.message), /Precondition failed: UID in precondition: other, UID in object meta: /);
});

test('spec and status are written apart', async () => {
  const api = await anApi();
  const made = await aDeployment(api);
  const both = { ...withReplicas(made, 9), status: { replicas: 9 } };

  const bySpec = await api.update(DEPLOYMENT, withMeta(both, { resourceVersion: undefined }));
  const byStatus = await api.update(`${DEPLOYMENT}/status`, {
    ...withReplicas(withMeta(both, { resourceVersion: undefined }), 1),
  });

  assert.deepEqual(objectAt(bySpec.body, 'status'), {});
  assert.equal(objectAt(byStatus.body, 'spec').replicas, 9);
  assert.equal(objectAt(byStatus.body, 'status').replicas, 9);
  assert.equal(metaOf(byStatus.body).generation, 2);
});

test("a Pod's finalizers can be written through its status (safe-18)", async () => {
  const api = await anApi();
  const made = await aPod(api);

  const answer = await api.update(`${POD}/status`, withMeta(made, { finalizers: ['a.b/c'] }));

  assert.deepEqual(metaOf(answer.body).finalizers, ['a.b/c']);
});

test('the name in the body must be the name in the path', async () => {
  const api = await anApi();
  const made = await aPod(api);

  const answer = await api.update(POD, withMeta(made, { name: 'q' }));

  assert.equal(answer.body.message, 'the name of the object (q) does not match the name on the URL (p)');
});

test('an update of what is not there is NotFound', async () => {
  const api = await anApi();

  const answer = await api.update(POD, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } });

  assert.deepEqual([answer.status, answer.body.message], [404, 'pods "p" not found']);
});

test('the time of creation stays, whatever the client says', async () => {
  const api = await anApi();
  const made = await aPod(api);

  const answer = await api.update(POD, withMeta(made, { creationTimestamp: '2000-01-01T00:00:00Z' }));

  assert.deepEqual([answer.status, metaOf(answer.body).creationTimestamp], [200, '2026-01-01T00:00:00Z']);
});

test('while an object is being deleted finalizers can go but not come, and its spec stays writable', async () => {
  const api = await anApi();
  await aDeployment(api);
  await api.patch(DEPLOYMENT, { metadata: { finalizers: ['a.b/c', 'a.b/d'] } });
  await api.delete(DEPLOYMENT);

  const added = await api.patch(DEPLOYMENT, { metadata: { finalizers: ['a.b/c', 'a.b/d', 'a.b/e'] } });
  const scaled = await api.patch(DEPLOYMENT, { spec: { replicas: 5 } });
  const removed = await api.patch(DEPLOYMENT, { metadata: { finalizers: ['a.b/d'] } });

  assert.equal(
    added.body.message,
    'Deployment.apps "d" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a.b/e"}',
  );
  assert.equal(objectAt(scaled.body, 'spec').replicas, 5);
  assert.deepEqual(metaOf(removed.body).finalizers, ['a.b/d']);
});

test('the write that takes the last finalizer off a deleted object takes the object away', async () => {
  const api = await anApi();
  await aDeployment(api);
  await api.patch(DEPLOYMENT, { metadata: { finalizers: ['a.b/c'] } });
  await api.delete(DEPLOYMENT);

  const last = await api.patch(DEPLOYMENT, { metadata: { finalizers: null } });
  const read = await api.get(DEPLOYMENT);

  assert.equal(last.status, 200);
  assert.equal(read.status, 404);
});

test('an immutable secret keeps its data', async () => {
  const api = await anApi();
  const path = '/api/v1/namespaces/default/secrets';
  await api.create(path, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    immutable: true,
    data: { a: 'Yg==' },
  });

  const answer = await api.patch(`${path}/s`, { data: { a: 'Yw==' } });

  assert.match(String(answer.body.message), /data: Forbidden: field is immutable when `immutable` is set$/);
});

test('writes that come at once are carried out one after the other', async () => {
  const api = await anApi();
  await aPod(api);

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => api.patch(POD, { metadata: { labels: { [`l${n}`]: 'x' } } })),
  );
  const read = await api.get(POD);

  assert.ok(answers.every(answer => answer.status === 200));
  assert.equal(Object.keys(objectAt(metaOf(read.body), 'labels')).length, 20);
});
