// A controller sees its own writes: no pass rests on a cache that is older than what it wrote.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigMap } from './core/other.ts';
import { Unavailable } from './errors.ts';
import { aKubeWorld } from './kube-world.testing.ts';
import { done } from './outcome.ts';
import { keyController, runControllers } from './run.ts';
import { aWidget, step, Widget, widgets } from './widgets.testing.ts';

test('a pass never rests on a cache that is older than what the controller wrote', async () => {
  const claimed: string[] = [];
  const claims = step('Claimed', async (widget, { api, caches }) => {
    const name = `map-${caches.of(ConfigMap).list().length}`;
    claimed.push(name);
    await api.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
    return done({ labels: { claim: `${widget.metadata.name}-${name}` } });
  });
  const world = aKubeWorld();
  for (let at = 0; at < 8; at++) await world.api.create(Widget, aWidget(`w${at}`));
  const stopping = new AbortController();
  const once = { paused: (widget: Widget) => widget.metadata.labels?.claim !== undefined };
  const ended = runControllers(
    world,
    [widgets({ ...once, inOrder: [claims], reads: [ConfigMap], workers: 1 })],
    stopping.signal,
  );
  world.delayWatches(300);

  await world.clock.advance(60_000);

  assert.deepEqual(claimed, ['map-0', 'map-1', 'map-2', 'map-3', 'map-4', 'map-5', 'map-6', 'map-7']);
  stopping.abort();
  await ended;
  await world.caches.stop();
});

/** A key controller over widgets that runs one pass by hand-made rules, with watches that lag. */
async function lagging(pass: Parameters<typeof keyController>[0]['pass'], names: readonly string[]): Promise<void> {
  const world = aKubeWorld();
  await world.api.create(ConfigMap, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'm', namespace: 'default' },
  });
  for (const name of names) await world.api.create(Widget, aWidget(name));
  const stopping = new AbortController();
  const one = keyController({ name: 'one', kind: Widget, reads: [ConfigMap], workers: 1, pass });
  const ended = runControllers(world, [one], stopping.signal);
  world.delayWatches(300);

  await world.clock.advance(60_000);

  stopping.abort();
  await ended;
  await world.caches.stop();
}

test('what a controller deleted is gone, or going, in the next pass', async () => {
  const seen: boolean[] = [];
  await lagging(
    async (_key, _object, { api, caches }) => {
      const map = caches.of(ConfigMap).get({ namespace: 'default', name: 'm' });
      seen.push(map !== undefined);
      if (map !== undefined) await api.delete(ConfigMap, { namespace: 'default', name: 'm' });
      return done();
    },
    ['w0', 'w1', 'w2'],
  );

  assert.deepEqual(seen, [true, false, false]);
});

test('a write whose answer was lost is looked for before the next pass', async () => {
  const world = aKubeWorld();
  for (const name of ['w0', 'w1']) await world.api.create(Widget, aWidget(name));
  const created: number[] = [];
  const losing = {
    ...world.api,
    create: async (...args: Parameters<typeof world.api.create>) => {
      await world.api.create(...args);
      throw new Unavailable('POST', 'the answer was lost');
    },
  };
  const one = keyController<typeof world>({
    name: 'one',
    kind: Widget,
    reads: [ConfigMap],
    workers: 1,
    pass: async (_key, _object, { api, caches }) => {
      const { length } = caches.of(ConfigMap).list();
      created.push(length);
      if (length > 0) return done();
      await api.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'm', namespace: 'default' },
      });
      return done();
    },
  });
  const stopping = new AbortController();
  const ended = runControllers({ ...world, api: losing as typeof world.api }, [one], stopping.signal);
  world.delayWatches(3000);
  await world.clock.advance(60_000);

  assert.equal(created[0], 0);
  assert.ok(created.slice(1).every(length => length === 1) && created.length >= 3, String(created));
  stopping.abort();
  await ended;
  await world.caches.stop();
});

test('a cache that cannot be brought up to date fails the pass for all to see, and the pass comes once it can', async () => {
  const world = aKubeWorld();
  await world.api.create(Widget, aWidget('w'));
  const seen: number[] = [];
  const one = keyController<typeof world>({
    name: 'one',
    kind: Widget,
    reads: [ConfigMap],
    pass: async (_key, _object, { api, caches }) => {
      const { length } = caches.of(ConfigMap).list();
      seen.push(length);
      if (length > 0) return done();
      world.refuseReads(503);
      await api.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'm', namespace: 'default' },
      });
      return done(undefined, 1000);
    },
  });
  const stopping = new AbortController();
  const ended = runControllers(world, [one], stopping.signal);
  await world.clock.advance(120_000);
  assert.deepEqual(seen, [0]);
  assert.ok(world.counted('pippin_pass_failures_total') > 0);

  world.refuseReads(undefined);
  await world.clock.advance(120_000);

  assert.deepEqual(seen.slice(0, 2), [0, 1]);
  stopping.abort();
  await ended;
  await world.caches.stop();
});
