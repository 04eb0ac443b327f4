import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type ApiUnderTest, anApi, metaOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt } from '../rules/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

async function withMaps(...names: readonly string[]): Promise<ApiUnderTest> {
  const api = await anApi();
  for (const name of names) await make(api, name);
  return api;
}

const make = (api: ApiUnderTest, name: string, labels: JsonObject = {}): Promise<Answer> =>
  api.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });

const namesIn = (answer: Answer): readonly unknown[] =>
  (answer.body.items as JsonObject[]).map(item => metaOf(item).name);

const continueOf = (answer: Answer): string => String(metaOf(answer.body).continue);

test('a list has the version at which it was true, and items without a kind of their own', async () => {
  const api = await withMaps('b', 'a');

  const list = await api.get(MAPS);

  assert.equal(list.body.kind, 'ConfigMapList');
  assert.deepEqual(namesIn(list), ['a', 'b']);
  assert.equal(metaOf(list.body).resourceVersion, metaOf((await api.get(`${MAPS}/a`)).body).resourceVersion);
  assert.ok((list.body.items as JsonObject[]).every(item => item.kind === undefined));
});

test('what is not there is NotFound with details that name it (safe-1)', async () => {
  const api = await anApi();

  const answer = await api.get('/apis/coordination.k8s.io/v1/namespaces/default/leases/x');

  assert.equal(answer.status, 404);
  assert.equal(answer.body.message, 'leases.coordination.k8s.io "x" not found');
  assert.deepEqual(answer.body.details, { name: 'x', group: 'coordination.k8s.io', kind: 'leases' });
});

test('a resource that is not served looks different from an object that is not there (safe-1)', async () => {
  const api = await anApi();

  const inServedGroup = await api.get('/api/v1/namespaces/default/gadgets/x');
  const inUnknownGroup = await api.get('/apis/example.com/v1/gadgets');

  assert.deepEqual(inServedGroup.body.details, {});
  assert.equal(inUnknownGroup.text, '404 page not found\n');
  assert.match(inUnknownGroup.headers['content-type'] ?? '', /^text\/plain/);
});

test('pages show the state at the first page, whatever is written meanwhile', async () => {
  const api = await withMaps('a', 'b', 'c', 'd', 'e');

  const first = await api.get(MAPS, { query: 'limit=2' });
  await api.delete(`${MAPS}/c`);
  await make(api, 'bb');
  const second = await api.get(MAPS, { query: `limit=2&continue=${continueOf(first)}` });
  const third = await api.get(MAPS, { query: `limit=2&continue=${continueOf(second)}` });

  assert.deepEqual([namesIn(first), namesIn(second), namesIn(third)], [['a', 'b'], ['c', 'd'], ['e']]);
  assert.equal(metaOf(first.body).remainingItemCount, 3);
  assert.equal(metaOf(third.body).continue, undefined);
  assert.equal(metaOf(first.body).resourceVersion, metaOf(third.body).resourceVersion);
});

test('a continue token of forgotten history is 410, with a token to go on all the same', async () => {
  const api = await withMaps('a', 'b', 'c');
  const first = await api.get(MAPS, { query: 'limit=1' });
  await make(api, 'd');
  api.api.compact();

  const expired = await api.get(MAPS, { query: `limit=1&continue=${continueOf(first)}` });
  const resumed = await api.get(MAPS, { query: `continue=${continueOf(expired)}` });

  assert.equal(expired.status, 410);
  assert.equal(expired.body.reason, 'Expired');
  assert.deepEqual(namesIn(resumed), ['b', 'c', 'd']);
});

test('label selectors of every form select', async () => {
  const api = await anApi();
  await make(api, 'a', { tier: 'web', n: '5' });
  await make(api, 'b', { tier: 'db', n: '7' });
  await make(api, 'c');
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['tier=web', ['a']],
    ['tier==web', ['a']],
    ['tier!=web', ['b', 'c']],
    ['tier in (web, db)', ['a', 'b']],
    ['tier notin (web)', ['b', 'c']],
    ['tier', ['a', 'b']],
    ['!tier', ['c']],
    ['n>5', ['b']],
    ['n<6,tier', ['a']],
    ['', ['a', 'b', 'c']],
  ];

  for (const [selector, names] of cases) {
    const list = await api.get(MAPS, { query: `labelSelector=${encodeURIComponent(selector)}` });
    assert.deepEqual(namesIn(list), names, selector);
  }
});

test('a label selector that is none is refused', async () => {
  const api = await anApi();

  const answer = await api.get(MAPS, { query: `labelSelector=${encodeURIComponent('a in (')}` });

  assert.equal(answer.status, 400);
  assert.match(String(answer.body.message), /^unable to parse requirement: /);
});

test('field selectors select by what the kind allows, and refuse the rest', async () => {
  const api = await withMaps('a', 'b');

  const one = await api.get(MAPS, { query: 'fieldSelector=metadata.name%3Da' });
  const others = await api.get(MAPS, { query: 'fieldSelector=metadata.name!%3Da' });
  const unknown = await api.get(MAPS, { query: 'fieldSelector=data.x%3D1' });

  assert.deepEqual([namesIn(one), namesIn(others)], [['a'], ['b']]);
  assert.equal(
    unknown.body.message,
    '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
  );
});

test('a page with a selector counts what is selected', async () => {
  const api = await anApi();
  for (const name of ['a', 'b', 'c', 'd']) await make(api, name, { odd: name === 'a' || name === 'c' ? 'yes' : 'no' });

  const first = await api.get(MAPS, { query: 'limit=1&labelSelector=odd%3Dyes' });
  const second = await api.get(MAPS, { query: `limit=1&labelSelector=odd%3Dyes&continue=${continueOf(first)}` });

  assert.deepEqual([namesIn(first), namesIn(second)], [['a'], ['c']]);
  assert.equal(metaOf(first.body).remainingItemCount, undefined);
  assert.equal(metaOf(second.body).continue, undefined);
});

test('an exact version is read as it was; one that lies ahead is refused', async () => {
  const api = await withMaps('a');
  const then = String(metaOf((await api.get(MAPS)).body).resourceVersion);
  await make(api, 'b');

  const exact = await api.get(MAPS, { query: `resourceVersion=${then}&resourceVersionMatch=Exact` });
  const notOlder = await api.get(MAPS, { query: `resourceVersion=${then}&resourceVersionMatch=NotOlderThan` });
  const ahead = await api.get(MAPS, { query: 'resourceVersion=99999' });

  assert.deepEqual([namesIn(exact), namesIn(notOlder)], [['a'], ['a', 'b']]);
  assert.equal(ahead.status, 504);
  assert.deepEqual((objectAt(ahead.body, 'details').causes as JsonObject[])[0]?.reason, 'ResourceVersionTooLarge');
});

test('a Table has a row for each object, and metadata alone when that is asked', async () => {
  const api = await withMaps('a', 'b');
  const as = (shape: string): { headers: Record<string, string> } => ({
    headers: { accept: `application/json;as=${shape};v=v1;g=meta.k8s.io` },
  });

  const table = await api.get(MAPS, as('Table'));
  const list = await api.get(MAPS, as('PartialObjectMetadataList'));
  const one = await api.get(`${MAPS}/a`, as('PartialObjectMetadata'));

  assert.deepEqual(
    (table.body.rows as JsonObject[]).map(row => (row.cells as unknown[])[0]),
    ['a', 'b'],
  );
  assert.equal(list.body.kind, 'PartialObjectMetadataList');
  assert.deepEqual(Object.keys(one.body), ['kind', 'apiVersion', 'metadata']);
});

test('answers come as JSON, YAML or protobuf; another form is refused', async () => {
  const api = await withMaps('a');
  const as = (accept: string): Promise<Answer> => api.get(`${MAPS}/a`, { headers: { accept } });

  assert.match((await as('application/yaml')).text, /^apiVersion: v1\n|^kind: ConfigMap\n/m);
  assert.match((await as('application/vnd.kubernetes.protobuf')).text, /^k8s\0/);
  assert.equal(
    (await as('application/vnd.kubernetes.protobuf,application/json')).headers['content-type'],
    'application/vnd.kubernetes.protobuf',
  );
  assert.equal((await as('text/html, */*;q=0.1')).headers['content-type'], 'application/json');
  const refused = await as('text/html');
  assert.deepEqual([refused.status, refused.body.reason], [406, 'NotAcceptable']);
});

test('Events are one thing in two groups', async () => {
  const api = await anApi();
  const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
  await api.create('/api/v1/namespaces/default/events', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'e' },
    involvedObject,
    reason: 'Started',
    message: 'it runs',
  });

  const other = await api.get('/apis/events.k8s.io/v1/namespaces/default/events/e');
  const selected = await api.get('/apis/events.k8s.io/v1/namespaces/default/events', {
    query: 'fieldSelector=regarding.name%3Dp',
  });

  assert.deepEqual([other.body.apiVersion, other.body.note], ['events.k8s.io/v1', 'it runs']);
  assert.equal(objectAt(other.body, 'regarding').name, 'p');
  assert.equal((selected.body.items as unknown[]).length, 1);
});
