import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type ApiUnderTest, anApi, metaOf, nameOf, versionOf } from '../api-double.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt } from '../rules/json.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

const make = (api: ApiUnderTest, name: string, labels: JsonObject = {}): Promise<Answer> =>
  api.create(MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels } });

test('a watch without a version shows the state, then every change', async () => {
  const api = await anApi();
  await make(api, 'a');
  const watch = await api.watch(MAPS);

  await make(api, 'b');
  await api.patch(`${MAPS}/a`, { data: { x: 'y' } });
  await api.delete(`${MAPS}/b`);

  assert.deepEqual(await watch.said(4), ['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']);
});

test('a watch from a version shows what came after it, each with its own version', async () => {
  const api = await anApi();
  const from = versionOf((await make(api, 'a')).body);
  await make(api, 'b');
  const watch = await api.watch(MAPS, `resourceVersion=${from}`);

  const event = await watch.next();
  assert.equal(nameOf(event?.object ?? {}), 'b');
  assert.ok(Number(versionOf(event?.object ?? {})) > Number(from));
});

test('a deleted object is shown as it last was, with the version of its deletion', async () => {
  const api = await anApi();
  const made = await make(api, 'a', { x: 'y' });
  const watch = await api.watch(MAPS, `resourceVersion=${versionOf(made.body)}`);

  await api.delete(`${MAPS}/a`);
  const event = await watch.next();

  assert.equal(event?.type, 'DELETED');
  assert.deepEqual(metaOf(event?.object ?? {}).labels, { x: 'y' });
  assert.ok(Number(versionOf(event?.object ?? {})) > Number(versionOf(made.body)));
});

test('objects enter and leave a selection', async () => {
  const api = await anApi();
  await make(api, 'a', { on: 'no' });
  const watch = await api.watch(MAPS, 'labelSelector=on%3Dyes');

  await api.patch(`${MAPS}/a`, { metadata: { labels: { on: 'yes' } } });
  await api.patch(`${MAPS}/a`, { data: { x: '1' } });
  await api.patch(`${MAPS}/a`, { metadata: { labels: { on: 'no' } } });
  await api.delete(`${MAPS}/a`);
  await make(api, 'b', { on: 'yes' });

  assert.deepEqual(await watch.said(4), ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
});

test('a watch of one namespace or one name sees nothing else', async () => {
  const api = await anApi();
  const inNamespace = await api.watch(MAPS);
  const byName = await api.watch('/api/v1/configmaps', 'fieldSelector=metadata.name%3Db');

  await api.create('/api/v1/namespaces/kube-system/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'x' },
  });
  await make(api, 'a');
  await make(api, 'b');

  assert.deepEqual(await inNamespace.said(1), ['ADDED a']);
  assert.deepEqual(await byName.said(1), ['ADDED b']);
});

test('a watch that waits is answered when something happens', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS);
  const waiting = watch.next();

  await make(api, 'a');

  assert.equal((await waiting)?.type, 'ADDED');
});

test('a version that is forgotten is answered 410 in the stream, which then ends', async () => {
  const api = await anApi();
  const from = versionOf((await make(api, 'a')).body);
  await make(api, 'b');
  api.api.compact();

  const watch = await api.watch(MAPS, `resourceVersion=${from}`);
  const event = await watch.next();

  assert.equal(event?.type, 'ERROR');
  assert.deepEqual([event?.object.code, event?.object.reason], [410, 'Expired']);
  assert.match(String(event?.object.message), /^too old resource version: \d+ \(\d+\)$/);
  assert.equal(await watch.next(), undefined);
});

test('a reader that falls behind what is remembered is told 410 and dropped', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS);
  await make(api, 'a');
  api.api.compact();

  const event = await watch.next();

  assert.equal(event?.object.code, 410);
  assert.equal(await watch.next(), undefined);
  assert.equal(api.clock.timers, 0);
});

test('bookmarks tell how far a quiet watch has come', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS, 'allowWatchBookmarks=true');
  const waiting = watch.next();
  const elsewhere = await api.create('/api/v1/namespaces', {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n' },
  });

  api.clock.move(60_000);
  const event = await waiting;

  assert.equal(event?.type, 'BOOKMARK');
  assert.equal(versionOf(event?.object ?? {}), versionOf(elsewhere.body));
  assert.equal(event?.object.kind, 'ConfigMap');
});

test('a watch-list shows the state, then says where it ended', async () => {
  const api = await anApi();
  await make(api, 'a');
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watch = await api.watch(MAPS, query);

  const [first, end] = [await watch.next(), await watch.next()];

  assert.equal(first?.type, 'ADDED');
  assert.equal(end?.type, 'BOOKMARK');
  assert.deepEqual(objectAt(metaOf(end?.object ?? {}), 'annotations'), { 'k8s.io/initial-events-end': 'true' });
});

test('a watch-list without the match that it needs is refused', async () => {
  const api = await anApi();

  const answer = await api.get(MAPS, { query: 'watch=1&sendInitialEvents=true' });

  assert.equal(answer.status, 422);
  assert.match(String(answer.body.message), /sendInitialEvents requires setting resourceVersionMatch to NotOlderThan/);
});

test('a watch ends in order when its time is up, a bookmark before it, and leaves no timer behind', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS, 'timeoutSeconds=5&allowWatchBookmarks=true');
  const bookmark = watch.next();

  api.clock.move(3_000);
  const last = await bookmark;
  const waiting = watch.next();
  api.clock.move(2_000);

  assert.equal(last?.type, 'BOOKMARK');
  assert.equal(await waiting, undefined);
  assert.equal(api.clock.timers, 0);
});

test('a watch that its reader closes resolves what waits, and leaves no timer behind', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS, 'allowWatchBookmarks=true');
  const waiting = watch.next();

  watch.stream.close('done');

  assert.equal(await waiting, undefined);
  assert.equal(api.clock.timers, 0);
});

test('when the API closes its watches end', async () => {
  const api = await anApi();
  const watch = await api.watch(MAPS);
  const waiting = watch.next();

  await api.api.close();

  assert.equal(await waiting, undefined);
});

test('a watch in Tables sends its columns once', async () => {
  const api = await anApi();
  await make(api, 'a');
  await make(api, 'b');
  const watch = await api.watch(MAPS, '', { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } });

  const [first, second] = [await watch.next(), await watch.next()];

  assert.ok(Array.isArray(first?.object.columnDefinitions));
  assert.equal(second?.object.columnDefinitions, null);
});
