import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ApiUnderTest, anApi, metaOf, versionOf } from '../api-double.ts';
import type { Json } from '../parts.ts';
import { objectAt } from '../rules/json.ts';
import { mergePatch } from './merge-patch.ts';

const PATH = '/api/v1/namespaces/default/configmaps/a';

async function withConfigMap(): Promise<ApiUnderTest> {
  const api = await anApi();
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1', y: '2' } };
  await api.create('/api/v1/namespaces/default/configmaps', object);
  return api;
}

test('a merge patch sets, removes and leaves alone', async () => {
  const api = await withConfigMap();

  const answer = await api.patch(PATH, { data: { x: null, z: '3' } });

  assert.deepEqual(answer.body.data, { y: '2', z: '3' });
});

test('a JSON patch is applied in order, or not at all', async () => {
  const api = await withConfigMap();
  const good = [
    { op: 'test', path: '/data/x', value: '1' },
    { op: 'add', path: '/data/z', value: '3' },
    { op: 'remove', path: '/data/x' },
  ];
  const bad = [
    { op: 'remove', path: '/data/y' },
    { op: 'test', path: '/data/z', value: 'no' },
  ];

  const applied = await api.patch(PATH, good, 'json-patch+json');
  const refused = await api.patch(PATH, bad, 'json-patch+json');
  const read = await api.get(PATH);

  assert.deepEqual(applied.body.data, { y: '2', z: '3' });
  assert.equal(refused.status, 422);
  assert.equal(refused.body.reason, 'Invalid');
  assert.deepEqual(read.body.data, { y: '2', z: '3' });
});

test('a strategic patch merges lists by their key', async () => {
  const api = await anApi();
  const pods = '/api/v1/namespaces/default/pods';
  const spec = {
    containers: [
      { name: 'a', image: 'one' },
      { name: 'b', image: 'two' },
    ],
  };
  await api.create(pods, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec });

  const body = { spec: { containers: [{ name: 'b', image: 'three' }] } };
  const answer = await api.patch(`${pods}/p`, body, 'strategic-merge-patch+json');

  const containers = objectAt(answer.body, 'spec').containers as { name: string; image: string }[];
  assert.deepEqual(
    containers.map(({ name, image }) => `${name}=${image}`),
    ['a=one', 'b=three'],
  );
});

test('a patch with an old resourceVersion is a conflict; one without never is', async () => {
  const api = await withConfigMap();
  const before = versionOf((await api.get(PATH)).body);
  await api.patch(PATH, { data: { x: '5' } });

  const locked = await api.patch(PATH, { metadata: { resourceVersion: before }, data: { x: '6' } });
  const free = await api.patch(PATH, { data: { x: '7' } });

  assert.equal(locked.status, 409);
  assert.equal(free.status, 200);
});

test('a patch that changes nothing keeps the resourceVersion', async () => {
  const api = await withConfigMap();
  const before = versionOf((await api.get(PATH)).body);

  const answer = await api.patch(PATH, { data: { x: '1' } });

  assert.equal(versionOf(answer.body), before);
});

test('a patch cannot rename, and one of an unknown format is refused', async () => {
  const api = await withConfigMap();

  const renamed = await api.patch(PATH, { metadata: { name: 'b' } });
  const strange = await api.patch(PATH, {}, 'json');

  assert.equal(renamed.body.message, 'the name of the object (b) does not match the name on the URL (a)');
  assert.equal(strange.status, 415);
});

test('a patch after which the object cannot be read is refused as the patch that it is', async () => {
  const api = await withConfigMap();

  const wrongType = await api.patch(PATH, { data: { x: 5 } });
  const otherKind = await api.patch(PATH, { kind: 'Gadget' });

  assert.equal(wrongType.status, 422);
  assert.match(
    String(wrongType.body.message),
    /^ "" is invalid: patch: Invalid value: .*: json: cannot unmarshal number /,
  );
  assert.match(String(otherKind.body.message), /no kind "Gadget" is registered for version "v1"/);
});

test('a patch of what is not there is NotFound', async () => {
  const api = await anApi();

  assert.equal((await api.patch(PATH, { data: {} })).status, 404);
});

test('a dry run of a patch shows the outcome and stores nothing', async () => {
  const api = await withConfigMap();

  const answer = await api.patch(PATH, { data: { x: '9' } }, 'merge-patch+json', 'dryRun=All');
  const read = await api.get(PATH);

  assert.equal(objectAt(answer.body, 'data').x, '9');
  assert.equal(objectAt(read.body, 'data').x, '1');
  assert.equal(metaOf(answer.body).name, 'a');
});

test('a merge patch never leaves a null, and applying it twice is applying it once', () => {
  const json = fc.jsonValue({ maxDepth: 3 }).filter(value => value !== null);

  fc.assert(
    fc.property(json, json, (target, patch) => {
      const once = mergePatch(target as Json, patch as Json);
      assert.deepEqual(mergePatch(once, patch as Json), once);
    }),
    { numRuns: 300 },
  );
});

test('a key named __proto__ is a key like any other', () => {
  const patch = JSON.parse('{"a":{"__proto__":{"polluted":true}}}') as Json;

  const merged = mergePatch({}, patch);

  assert.equal(JSON.stringify(merged), '{"a":{"__proto__":{"polluted":true}}}');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
