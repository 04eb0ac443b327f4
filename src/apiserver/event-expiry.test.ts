import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeTime, minutes } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { type Answer, type ApiUnderTest, anApi, HandClock, metaOf, versionOf } from './api-double.ts';
import { EVENT_TTL_MS, expireEvents } from './event-expiry.ts';
import type { JsonObject } from './parts.ts';
import { memoryStore } from './store-memory.ts';

const EVENTS = '/api/v1/namespaces/default/events';

const make = (api: ApiUnderTest, name: string): Promise<Answer> =>
  api.create(EVENTS, {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    message: name,
  });

/** Moves on and lets what that began come to its end. */
async function move(clock: HandClock, ms: number): Promise<void> {
  clock.move(ms);
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

const names = async (api: ApiUnderTest, path = EVENTS): Promise<readonly unknown[]> => {
  const { items } = (await api.get(path)).body as { readonly items: readonly JsonObject[] };
  return items.map(item => metaOf(item).name);
};

test('an Event goes an hour after it was created, in both groups and with an event of its own', async () => {
  const api = await anApi();
  const made = await make(api, 'a');
  const watch = await api.watch(EVENTS, `timeoutSeconds=7200&resourceVersion=${versionOf(made.body)}`);
  const group = '/apis/events.k8s.io/v1/namespaces/default/events';

  await move(api.clock, minutes(60) - 1);
  const before = [await names(api), await names(api, group)];
  await move(api.clock, 1);
  const deleted = await watch.next();

  assert.deepEqual(before, [['a'], ['a']]);
  assert.deepEqual([await names(api), await names(api, group)], [[], []]);
  assert.deepEqual([deleted?.type, deleted?.object.message], ['DELETED', 'a']);
  assert.equal(Number(versionOf(deleted?.object ?? {})), Number(versionOf(made.body)) + 1);
  assert.equal(api.clock.timers - 1, 0, 'nothing is left to wait for but the watch');
});

test('an Event that is written again stays an hour from then', async () => {
  const api = await anApi();
  await make(api, 'a');
  await make(api, 'b');

  await move(api.clock, minutes(40));
  await api.patch(`${EVENTS}/a`, { count: 2 });
  await move(api.clock, minutes(59));

  assert.deepEqual(await names(api), ['a']);
  await move(api.clock, minutes(1));
  assert.deepEqual(await names(api), []);
});

test('what expires within a minute of each other goes together', async () => {
  const api = await anApi();
  await make(api, 'a');
  await move(api.clock, 1000);
  await make(api, 'b');
  await make(api, 'c');

  await move(api.clock, minutes(60));
  const left = await names(api);
  await move(api.clock, minutes(1));

  assert.deepEqual(left, ['b', 'c']);
  assert.deepEqual(await names(api), []);
});

test('many that expire at once all go, finalizers or not, and other objects stay', async () => {
  const [store, clock] = [memoryStore(), new HandClock()];
  const stop = expireEvents({ store, clock, log: silentLog, ttlMs: EVENT_TTL_MS });
  const metadata = { finalizers: ['x/y'] };
  const write = (storage: string, name: string) =>
    store.write({ storage, namespace: 'n', name, expected: 0, object: { metadata: { ...metadata, name } } });
  for (let n = 0; n < 1200; n += 1) await write('events', `e${n}`);
  await write('configmaps', 'c');

  await move(clock, minutes(60));

  assert.deepEqual([store.range('events')?.rows.length, store.range('configmaps')?.rows.length], [0, 1]);
  stop();
  assert.equal(clock.timers, 0);
});

test('a restart does not lengthen the life of an Event, and a time of zero is for ever', async () => {
  const [store, clock] = [memoryStore(), new HandClock()];
  const ago = (ms: number): string => kubeTime(clock.now() - ms);
  const write = (name: string, metadata: JsonObject) =>
    store.write({ storage: 'events', namespace: 'n', name, expected: 0, object: { metadata: { ...metadata, name } } });
  await write('fresh', { creationTimestamp: ago(minutes(1)) });
  await write('old', { creationTimestamp: ago(minutes(59)) });
  await write('renewed', { creationTimestamp: ago(minutes(90)), managedFields: [{ time: ago(minutes(30)) }] });
  const there = () => store.range('events')?.rows.map(({ name }) => name);

  expireEvents({ store, clock, log: silentLog, ttlMs: 0 });
  await move(clock, 0);
  assert.equal(clock.timers, 0);
  expireEvents({ store, clock, log: silentLog, ttlMs: EVENT_TTL_MS });

  await move(clock, minutes(1));
  assert.deepEqual(there(), ['fresh', 'renewed']);
  await move(clock, minutes(29));
  assert.deepEqual(there(), ['fresh']);
  await move(clock, minutes(29));
  assert.deepEqual(there(), []);
});
