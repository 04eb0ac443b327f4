// The cache: what it holds, how it is found, and that it ends equal to the server whatever happens on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { settled, type VirtualClock, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { silentLog } from '../base/log.ts';
import { noMetrics } from '../base/metrics.ts';
import type { Api } from './api.ts';
import type { Informer } from './cache.ts';
import { callerOf, client } from './client.ts';
import { Pod } from './core/pod.ts';
import { caches, type RunningCaches } from './informer.ts';
import { keyOf, keyText } from './object.ts';
import { TinyApi, type TinyStream } from './tiny-api.testing.ts';
import type { ApiRequest, ApiResponse, Transport } from './transport.ts';

interface World {
  readonly server: TinyApi;
  readonly clock: VirtualClock;
  readonly api: Api;
  readonly pods: Informer<Pod>;
  readonly caches: RunningCaches;
  readonly asked: ApiRequest[];
  /** Answers instead of the server, while it returns something. */
  fault: (request: ApiRequest) => Promise<ApiResponse> | undefined;
}

function aWorld(): World {
  const server = new TinyApi();
  const clock = virtualClock();
  const asked: ApiRequest[] = [];
  const transport: Transport = async request => {
    await Promise.resolve();
    asked.push(request);
    return world.fault(request) ?? server.transport(request);
  };
  const caller = callerOf(transport, { clock });
  const running = caches({ caller, random: seededRandom(1), log: silentLog, metrics: noMetrics });
  const world: World = {
    server,
    clock,
    asked,
    api: client(server.transport, { clock }),
    caches: running,
    pods: running.of(Pod),
    fault: () => undefined,
  };
  return world;
}

const aPod = (name: string, more: Partial<Pod> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: [] },
  ...more,
});

const refuse = (status: number): Promise<ApiResponse> =>
  Promise.resolve({ status, headers: {}, body: new TextEncoder().encode('{}') });

const namesOf = (objects: readonly Pod[]): string[] => objects.map(pod => pod.metadata.name).sort();
const watches = (world: World): ApiRequest[] => world.asked.filter(request => request.query.includes('watch=true'));
const lists = (world: World): number => world.asked.length - watches(world).length;

async function given(world: World, ...names: readonly string[]): Promise<void> {
  for (const name of names) await world.api.create(Pod, aPod(name));
  await settled();
}

test('a cache holds what the list says and follows the watch', async () => {
  const world = aWorld();
  await given(world, 'a', 'b');
  await world.pods.whenSynced();
  const heard: string[] = [];
  world.pods.onChange(change => heard.push(`${change.type} ${change.object.metadata.name}`));

  await given(world, 'c');
  await world.api.patch(Pod, { namespace: 'default', name: 'a' }, { metadata: { labels: { app: 'x' } } });
  await world.api.delete(Pod, { namespace: 'default', name: 'b' });
  await settled();

  assert.deepEqual(namesOf(world.pods.list()), ['a', 'c']);
  assert.deepEqual(heard, ['added c', 'updated a', 'deleted b']);
  await world.caches.stop();
});

test('objects in the cache cannot be changed and have no managedFields', async () => {
  const world = aWorld();
  await world.api.create(Pod, aPod('a', { metadata: { name: 'a', namespace: 'default', managedFields: [{}] } }));
  await world.pods.whenSynced();

  const pod = world.pods.get({ namespace: 'default', name: 'a' });

  assert.equal(pod?.metadata.managedFields, undefined);
  assert.ok(Object.isFrozen(pod) && Object.isFrozen(pod?.metadata) && Object.isFrozen(pod?.spec.containers));
  await world.caches.stop();
});

test('an index finds its matches and lets go of those that changed', async () => {
  const world = aWorld();
  world.pods.index('node', pod => (pod.spec.nodeName === undefined ? [] : [pod.spec.nodeName]));
  await given(world, 'a', 'b');
  await world.pods.whenSynced();

  await world.api.patch(Pod, { namespace: 'default', name: 'a' }, { spec: { nodeName: 'mac-0' } });
  await settled();
  assert.deepEqual(namesOf(world.pods.by('node', 'mac-0')), ['a']);

  await world.api.patch(Pod, { namespace: 'default', name: 'a' }, { spec: { nodeName: 'mac-1' } });
  await settled();
  assert.deepEqual(world.pods.by('node', 'mac-0'), []);
  assert.throws(() => world.pods.by('undeclared', 'x'), /declared before it is read/);
  await world.caches.stop();
});

test('a listener that throws harms neither the cache nor the other listeners', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  let heard = 0;
  world.pods.onChange(() => {
    throw new Error('bad listener');
  });
  world.pods.onChange(() => {
    heard++;
  });

  await given(world, 'a', 'b');

  assert.equal(heard, 2);
  await world.caches.stop();
});

test('a list after lost history says what vanished and what was made anew under an old name', async () => {
  const world = aWorld();
  await given(world, 'a', 'b');
  await world.pods.whenSynced();
  const heard: string[] = [];
  world.pods.onChange(change => heard.push(`${change.type} ${change.object.metadata.name}`));

  for (const stream of world.server.open) stream.break();
  for (const name of ['a', 'b']) await world.api.delete(Pod, { namespace: 'default', name });
  await world.api.create(Pod, aPod('b'));
  world.server.compact();
  await world.clock.advance(60_000);

  assert.deepEqual(heard, ['deleted a', 'deleted b', 'added b']);
  await world.caches.stop();
});

test('a watch asks for bookmarks and for an end at a random time', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();

  const query = new URLSearchParams(watches(world)[0]?.query);
  const timeout = Number(query.get('timeoutSeconds'));

  assert.equal(query.get('allowWatchBookmarks'), 'true');
  assert.ok(timeout >= 300 && timeout <= 600, `${timeout}`);
  await world.caches.stop();
});

test('a watch goes on from its bookmark, without a list, when the server ends it', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();
  world.server.version = 500;
  world.server.bookmark();
  await world.clock.advance(20_000);

  for (const stream of world.server.open) stream.close();
  await settled();

  assert.equal(lists(world), 1);
  assert.match(watches(world)[1]?.query ?? '', /resourceVersion=500/);
  await world.caches.stop();
});

test('a watch without a byte for two bookmark periods is given up and the list read again', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();

  await world.clock.advance(129_000);
  assert.equal(lists(world), 1);
  await world.clock.advance(2000);

  assert.equal(lists(world), 2);
  await world.caches.stop();
});

test('an API that is down for an hour is asked less and less often, and the cache recovers', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();
  const before = world.asked.length;
  world.fault = () => refuse(500);
  for (const stream of world.server.open) stream.break();

  await world.clock.advance(3_600_000);
  const tries = world.asked.length - before;
  world.fault = () => undefined;
  await given(world, 'a');
  await world.clock.advance(30_000);

  assert.ok(tries > 100 && tries < 500, `${tries} tries`);
  assert.deepEqual(namesOf(world.pods.list()), ['a']);
  await world.caches.stop();
});

test('the server says when to come back, and is not asked before', async () => {
  const world = aWorld();
  world.fault = () => Promise.resolve({ status: 429, headers: { 'retry-after': '20' }, body: new Uint8Array() });
  await settled();

  await world.clock.advance(19_999);
  assert.equal(world.asked.length, 1);
  await world.clock.advance(2000);

  assert.equal(world.asked.length, 2);
  await world.caches.stop();
});

test('410 again and again does not become a hot loop', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();
  const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', metadata: {} } };
  const before = world.asked.length;

  for (let second = 0; second < 60; second++) {
    for (const stream of world.server.open) stream.push(gone);
    await world.clock.advance(1000);
  }

  assert.ok(world.asked.length - before < 60, `${world.asked.length - before} requests in a minute`);
  await world.caches.stop();
});

test('a cache that is stopped leaves no timer behind: the process can end', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();

  await world.caches.stop();
  await settled();

  assert.deepEqual(world.clock.pending(), []);
});

test('a cache reaches a write by its watch, and by a new list when the watch keeps it back', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();
  const signal = new AbortController().signal;
  const written = await world.api.create(Pod, aPod('a'));
  await world.pods.reaches?.(written.metadata.resourceVersion, signal);
  assert.equal(lists(world), 1);

  for (const stream of world.server.open) stream.push = () => undefined;
  const lost = await world.api.create(Pod, aPod('b'));
  let reached = false;
  const reaching = world.pods.reaches?.(lost.metadata.resourceVersion, signal).then(() => {
    reached = true;
  });
  await world.clock.advance(4000);
  assert.equal(reached, false);
  await world.clock.advance(2000);
  await reaching;

  assert.deepEqual(namesOf(world.pods.list()), ['a', 'b']);
  await world.caches.stop();
});

test('a version that is no number is reached by reading the list', async () => {
  const world = aWorld();
  await world.pods.whenSynced();
  await settled();

  await world.pods.reaches?.('opaque-x', new AbortController().signal);

  assert.equal(lists(world), 2);
  await world.caches.stop();
});

type Deed = (world: World, name: string) => Promise<unknown> | unknown;

function each(world: World, deed: (stream: TinyStream) => void): void {
  for (const stream of world.server.open) deed(stream);
}

const DEEDS: Readonly<Record<string, Deed>> = {
  create: (world, name) => world.api.create(Pod, aPod(name)).catch(() => undefined),
  change: (world, name) => {
    const labels = { at: String(world.server.version) };
    return world.api.patch(Pod, { namespace: 'default', name }, { metadata: { labels } }).catch(() => undefined);
  },
  delete: (world, name) => world.api.delete(Pod, { namespace: 'default', name }).catch(() => undefined),
  tear: world =>
    each(world, stream => {
      stream.break();
    }),
  end: world =>
    each(world, stream => {
      stream.close();
    }),
  compact: world => world.server.compact(),
  bookmark: world => world.server.bookmark(),
  garble: world =>
    each(world, stream => {
      stream.push({ type: 'ADDED', object: null });
    }),
  fail: world => {
    let left = 3;
    world.fault = () => (left-- > 0 ? refuse(left % 2 === 0 ? 500 : 403) : undefined);
  },
  hang: world => {
    let left = 1;
    world.fault = () => (left-- > 0 ? new Promise(() => undefined) : undefined);
  },
  pause: world => world.clock.advance(400),
  wait: world => world.clock.advance(40_000),
};

test('whatever is listed, watched, dropped, expired and listed again, the cache ends equal to the server', async () => {
  const deed = fc.tuple(fc.constantFrom(...Object.keys(DEEDS)), fc.constantFrom('a', 'b', 'c', 'd'));
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { maxLength: 40 }), async deeds => {
      const world = aWorld();
      const mirror = new Map<string, string>();
      world.pods.onChange(({ type, object }) => {
        const key = keyText(keyOf(object));
        assert.equal(mirror.has(key), type !== 'added', `${type} ${key}`);
        if (type === 'deleted') mirror.delete(key);
        else mirror.set(key, object.metadata.resourceVersion ?? '');
      });

      for (const [name, pod] of deeds) await DEEDS[name]?.(world, pod);
      world.fault = () => undefined;
      await world.clock.advance(300_000);

      const truth = [...world.server.stored('api/v1/pods')].map(([key, pod]) => [key, pod.metadata.resourceVersion]);
      const cached = world.pods.list().map(pod => [keyText(keyOf(pod)), pod.metadata.resourceVersion]);
      assert.deepEqual(cached.sort(), truth.sort());
      assert.deepEqual([...mirror].sort(), truth.sort());
      await world.caches.stop();
    }),
    { numRuns: 1000, seed: 4711 },
  );
});
