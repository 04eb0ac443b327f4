import assert from 'node:assert/strict';
import { test } from 'node:test';
import { objectsToStore } from '../../src/apiserver/builtin/objects-double.ts';
import type { JsonObject } from '../../src/apiserver/parts.ts';
import { send } from './https.ts';
import { podStatuses } from './pod-statuses-double.ts';
import { type RealKube, startRealKube } from './real.ts';
import { holdRecording } from './recording.ts';

const PODS = '/api/v1/namespaces/default/pods';

test('what is recorded of the tables of the real server is what it prints', async () => {
  await using kube = await startRealKube({ controllers: [] });
  const rows: Record<string, unknown> = {};
  for (const { path, object } of objectsToStore) {
    // Its targets are told by a controller that we do not have.
    if (object.kind === 'HorizontalPodAutoscaler') continue;
    const metadata = object.metadata as JsonObject;
    await call(kube, { method: 'POST', path, body: object });
    rows[`${path.slice(path.lastIndexOf('/') + 1)}/${metadata.name}`] = await row(kube, `${path}/${metadata.name}`);
  }
  for (const [index, { spec, status, deleted }] of podStatuses.entries()) {
    const path = `${PODS}/p${index}`;
    const metadata = { name: `p${index}`, finalizers: ['x/y'] };
    const body = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { serviceAccountName: 'builder', ...spec } };
    const created = await call(kube, { method: 'POST', path: PODS, body });
    assert.equal(created.kind, 'Pod', JSON.stringify(created));
    const patch = { method: 'PATCH', path: `${path}/status`, body: { status }, type: 'application/merge-patch+json' };
    const patched = await call(kube, patch);
    assert.equal(patched.kind, 'Pod', JSON.stringify(patched));
    if (deleted === true) await call(kube, { method: 'DELETE', path });
    rows[`pods/p${index}`] = await row(kube, path);
  }

  holdRecording('tables', rows);
});

/** The cells, and the object that they were printed from; ages are told apart by nobody. */
async function row(kube: RealKube, path: string): Promise<unknown> {
  const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const table = await call(kube, { method: 'GET', path: `${path}?includeObject=Object`, accept });
  const [first] = table.rows as { cells: unknown[]; object: JsonObject }[];
  assert.ok(first !== undefined, `${path}: ${JSON.stringify(table)}`);
  const { uid, resourceVersion, managedFields, creationTimestamp, deletionTimestamp, ...metadata } = first.object
    .metadata as JsonObject;
  const times = {
    creationTimestamp: '2024-01-02T03:04:05Z',
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp: '2024-01-02T03:04:06Z' }),
  };
  // A definition's status is still on its way.
  const status = first.object.kind === 'CustomResourceDefinition' ? { status: {} } : {};
  const object = withoutChance({ ...first.object, ...status, metadata: { ...metadata, ...times } });
  return { object, cells: first.cells.map(cell => (typeof cell === 'string' ? withoutAges(cell) : cell)) };
}

const withoutAges = (cell: string): string =>
  cell
    .replace(/^(\d+[smhdy]){1,2}$/, 'AGE')
    .replace(/\((\d+[smhdy]){1,2} ago\)/, '(AGE ago)')
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, '2024-01-02T03:04:05Z')
    .replace(/^10\.0\.0\.\d+$/, '10.0.0.1')
    .replace(UID, 'some-uid');

const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Names and numbers that the server draws. */
function withoutChance(object: JsonObject): unknown {
  const text = JSON.stringify(object)
    .replaceAll(/kube-api-access-\w+/g, 'kube-api-access')
    .replaceAll(/"10\.0\.0\.\d+"/g, '"10.0.0.1"')
    .replaceAll(UID, 'some-uid')
    .replaceAll(/("lastTransitionTime":")[^"]*/g, '$12024-01-02T03:04:05Z');
  return JSON.parse(text);
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  readonly type?: string;
  readonly accept?: string;
}

async function call(kube: RealKube, request: Request): Promise<JsonObject> {
  const { method, path, body, type = 'application/json', accept = 'application/json' } = request;
  const answer = await send(`${kube.url}${path}`, {
    ca: kube.caPem,
    token: kube.adminToken,
    method,
    headers: { 'content-type': type, accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return JSON.parse(answer.body.toString());
}
