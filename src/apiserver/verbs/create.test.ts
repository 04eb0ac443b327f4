import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anApi, metaOf, nameOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt } from '../rules/json.ts';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

const configMap = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata,
  ...more,
});

const pod = (metadata: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata,
  spec: { containers: [{ name: 'c', image: 'i' }] },
  ...more,
});

test('a new object gets uid, time and version, and its namespace from the path', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, configMap({ name: 'a' }));

  assert.equal(answer.status, 201);
  const { uid, creationTimestamp, resourceVersion, namespace, generation } = metaOf(answer.body);
  assert.match(String(uid), /^[0-9a-f-]{36}$/);
  assert.equal(creationTimestamp, '2026-01-01T00:00:00Z');
  assert.match(String(resourceVersion), /^\d+$/);
  assert.equal(namespace, 'default');
  assert.equal(generation, undefined);
});

test('kinds with a spec that is counted begin at generation 1', async () => {
  const api = await anApi();

  const answer = await api.create(PODS, pod({ name: 'a' }));

  assert.equal(metaOf(answer.body).generation, 1);
});

test('a client cannot set what belongs to the system', async () => {
  const api = await anApi();
  const claimed = {
    uid: 'mine',
    creationTimestamp: '2000-01-01T00:00:00Z',
    deletionTimestamp: '2000-01-01T00:00:00Z',
    generation: 7,
  };

  const answer = await api.create(PODS, pod({ name: 'a', ...claimed }, { status: { phase: 'Running' } }));

  const meta = metaOf(answer.body);
  assert.notEqual(meta.uid, 'mine');
  assert.equal(meta.creationTimestamp, '2026-01-01T00:00:00Z');
  assert.equal(meta.deletionTimestamp, undefined);
  assert.equal(meta.generation, 1);
  assert.equal(objectAt(answer.body, 'status').phase, 'Pending');
});

test('a name that is taken is refused with AlreadyExists', async () => {
  const api = await anApi();
  await api.create(CONFIG_MAPS, configMap({ name: 'a' }));

  const answer = await api.create(CONFIG_MAPS, configMap({ name: 'a' }));

  assert.deepEqual(answer.body, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'configmaps "a" already exists',
    reason: 'AlreadyExists',
    details: { name: 'a', kind: 'configmaps' },
    code: 409,
  });
});

test('generateName makes a name of the base and five characters', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, configMap({ generateName: 'web-' }));

  assert.match(nameOf(answer.body), /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
});

test('an object without a name is refused as kubectl shows it', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, configMap({}));

  assert.equal(answer.status, 422);
  assert.equal(
    answer.body.message,
    'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  );
  assert.deepEqual(objectAt(answer.body, 'details').causes, [
    {
      reason: 'FieldValueRequired',
      message: 'Required value: name or generateName is required',
      field: 'metadata.name',
    },
  ]);
});

test('several problems are listed in one refusal', async () => {
  const api = await anApi();

  const answer = await api.create(
    CONFIG_MAPS,
    configMap({ name: 'A', labels: { 'bad label': 'x' }, finalizers: ['bare'] }),
  );

  const { causes } = objectAt(answer.body, 'details');
  assert.deepEqual(
    (causes as JsonObject[]).map(cause => cause.field),
    ['metadata.name', 'metadata.labels', 'metadata.finalizers[0]'],
  );
  assert.match(String(answer.body.message), /^ConfigMap "A" is invalid: \[metadata\.name: .*, metadata\.labels: /);
});

test('an object of another namespace, version or kind than the path says is refused', async () => {
  const api = await anApi();

  const foreign = await api.create(CONFIG_MAPS, configMap({ name: 'a', namespace: 'other' }));
  const version = await api.create(CONFIG_MAPS, { ...configMap({ name: 'a' }), apiVersion: 'v2' });
  const kind = await api.create(CONFIG_MAPS, { ...configMap({ name: 'a' }), kind: 'Secret' });

  assert.equal(
    foreign.body.message,
    'the namespace of the provided object does not match the namespace sent on the request',
  );
  assert.equal(
    version.body.message,
    'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
  );
  assert.deepEqual([foreign.status, version.status, kind.status], [400, 400, 400]);
});

test('a built-in object that says neither kind nor version is of the kind of the path', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, { metadata: { name: 'a' } });

  assert.deepEqual([answer.status, answer.body.kind, answer.body.apiVersion], [201, 'ConfigMap', 'v1']);
});

test('fields that are written twice are warned about, or refused', async () => {
  const api = await anApi();
  const twice = new TextEncoder().encode(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"x":"1","x":"2"}}',
  );

  const refused = await api.create(CONFIG_MAPS, twice, { query: 'fieldValidation=Strict' });
  const warned = await api.create(CONFIG_MAPS, twice);

  assert.match(String(refused.body.message), /strict decoding error: duplicate field "data\.x"$/);
  assert.equal(warned.headers.warning, '299 - "duplicate field \\"data.x\\""');
  assert.deepEqual(warned.body.data, { x: '2' });
});

test('a namespace that does not exist takes nothing', async () => {
  const api = await anApi();

  const answer = await api.create('/api/v1/namespaces/nowhere/configmaps', configMap({ name: 'a' }));

  assert.equal(answer.status, 404);
  assert.equal(answer.body.message, 'namespaces "nowhere" not found');
  assert.deepEqual(answer.body.details, { name: 'nowhere', kind: 'namespaces' });
});

test('a dry run answers the object and stores nothing', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, configMap({ name: 'a' }), { query: 'dryRun=All' });
  const read = await api.get(`${CONFIG_MAPS}/a`);

  assert.equal(answer.status, 201);
  assert.equal(metaOf(answer.body).resourceVersion, undefined);
  assert.equal(read.status, 404);
});

test('unknown fields are warned about, refused or dropped, as the client asks', async () => {
  const api = await anApi();
  const strange = configMap({ name: 'a' }, { datta: {} });

  const warned = await api.create(CONFIG_MAPS, strange);
  const refused = await api.create(CONFIG_MAPS, strange, { query: 'fieldValidation=Strict' });
  const silent = await api.create(CONFIG_MAPS, configMap({ name: 'b' }, { datta: {} }), {
    query: 'fieldValidation=Ignore',
  });

  assert.equal(warned.headers.warning, '299 - "unknown field \\"datta\\""');
  assert.equal(warned.body.datta, undefined);
  assert.equal(refused.status, 400);
  assert.equal(
    refused.body.message,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "datta"',
  );
  assert.equal(silent.headers.warning, undefined);
});

test('a resourceVersion on a new object is refused', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, configMap({ name: 'a', resourceVersion: '5' }));

  assert.equal(answer.body.message, 'resourceVersion should not be set on objects to be created');
});

test('stringData becomes data and is not kept', async () => {
  const api = await anApi();
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 's' },
    stringData: { a: 'b' },
    data: { c: 'ZA==' },
  };

  const answer = await api.create('/api/v1/namespaces/default/secrets', secret);

  assert.deepEqual(answer.body.data, { a: 'Yg==', c: 'ZA==' });
  assert.equal(answer.body.stringData, undefined);
  assert.equal(answer.body.type, 'Opaque');
});

test('an object larger than etcd would take is refused', async () => {
  const api = await anApi();

  const env = [{ name: 'A', value: 'y'.repeat(1_600_000) }];
  const spec = { containers: [{ name: 'c', image: 'i', env }] };

  const answer = await api.create(PODS, pod({ name: 'a' }, { spec }));

  assert.equal(answer.status, 500);
  assert.equal(answer.body.message, 'etcdserver: request is too large');
});

test('a request body above 3 MiB and JSON that is too deep are refused', async () => {
  const api = await anApi();
  const large = new Uint8Array(3 * 1024 * 1024 + 1).fill(32);
  const deep = new TextEncoder().encode(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`);

  const tooLarge = await api.create(CONFIG_MAPS, large);
  const tooDeep = await api.create(CONFIG_MAPS, deep);

  assert.equal(tooLarge.body.reason, 'RequestEntityTooLarge');
  assert.equal(tooDeep.status, 400);
});

test('YAML bodies are read, with YAML 1.1 booleans as kubectl reads them', async () => {
  const api = await anApi();
  const yaml = new TextEncoder().encode(
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nimmutable: yes\ndata: {k: v}\n',
  );

  const answer = await api.create(CONFIG_MAPS, yaml, { headers: { 'content-type': 'application/yaml' } });

  assert.equal(answer.status, 201);
  assert.equal(answer.body.immutable, true);
});

test('an unknown body format is refused with the formats that are known', async () => {
  const api = await anApi();

  const answer = await api.create(CONFIG_MAPS, configMap({ name: 'a' }), { headers: { 'content-type': 'text/xml' } });

  assert.equal(answer.status, 415);
  assert.equal(answer.body.reason, 'UnsupportedMediaType');
});
