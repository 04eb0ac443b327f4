// What wakes a controller that works by key, and what does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../base/clock.ts';
import { changedBesidesStatus } from './besides-status.ts';
import type { KeyController, KubeWorld } from './controller.ts';
import { ConfigMap } from './core/other.ts';
import { aKubeWorld, type TestWorld } from './kube-world.testing.ts';
import { hasFinalizer, type KubeObject } from './object.ts';
import { done, type Outcome, wait } from './outcome.ts';
import { keyController, runControllers } from './run.ts';
import { aWidget, FINALIZER, KEY, Widget } from './widgets.testing.ts';

const M = { namespace: 'default', name: 'm' };
const aMap = (): KubeObject => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...M } });

type Shape = Partial<KeyController<KubeWorld>>;

/** A controller over one widget. */
async function running(shape: Shape, pass: (nth: number, world: TestWorld) => Outcome | Promise<Outcome>) {
  const world = aKubeWorld();
  await world.api.create(Widget, aWidget());
  let passes = 0;
  const one = keyController<KubeWorld>({
    name: 'one',
    kind: Widget,
    ...shape,
    async pass() {
      passes++;
      return pass(passes, world);
    },
  });
  const stopping = new AbortController();
  const ended = runControllers(world, [one], stopping.signal);
  await world.clock.advance(1000);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await ended;
    await world.caches.stop();
  };
  return { world, passes: () => passes, stop };
}

const onMap = () => wait({ kind: ConfigMap, ...M }, 'the map', minutes(60));
/** Follows maps, but takes none of them to concern a widget. */
const mapsOfNobody: Shape = { wokenBy: [{ kind: ConfigMap, keysFor: () => [] }] };

test('who waits for an object is woken by it, although the controller takes it to concern nobody', async () => {
  const { world, passes, stop } = await running(mapsOfNobody, onMap);

  await world.api.create(ConfigMap, aMap());
  await world.clock.advance(1000);

  assert.equal(passes(), 2);
  await stop();
});

test('so it is when the object changed while the pass that came to wait for it went on', async () => {
  const { passes, stop } = await running(mapsOfNobody, async (nth, world) => {
    if (nth === 1) {
      await world.api.create(ConfigMap, aMap());
      await world.clock.sleep(100);
    }
    return onMap();
  });

  assert.equal(passes(), 2);
  await stop();
});

test('an update that does not matter wakes nobody; a creation and a deletion do', async () => {
  const matters = () => false;
  const { world, passes, stop } = await running({ wokenBy: [{ kind: ConfigMap, keysFor: () => [KEY], matters }] }, () =>
    done(),
  );
  const seen: number[] = [];
  const look = async (change: Promise<unknown>): Promise<void> => {
    await change;
    await world.clock.advance(1000);
    seen.push(passes());
  };

  await look(world.api.create(ConfigMap, aMap()));
  await look(world.api.patch(ConfigMap, M, { metadata: { labels: { a: 'b' } } }));
  await look(world.api.delete(ConfigMap, M));

  assert.deepEqual(seen, [2, 2, 3]);
  await stop();
});

test('an object is heeded when it is, or was, one that the controller heeds', async () => {
  const { world, passes, stop } = await running({ heeds: widget => hasFinalizer(widget, FINALIZER) }, () => done());
  assert.equal(passes(), 0);

  await world.api.patch(Widget, KEY, { metadata: { finalizers: [FINALIZER] } });
  await world.clock.advance(1000);
  assert.equal(passes(), 1);
  await world.api.patch(Widget, KEY, { metadata: { finalizers: [] } });
  await world.clock.advance(1000);

  assert.equal(passes(), 2);
  await stop();
});

test('a status that never rests is told from a change of anything else', () => {
  const at = (metadata: object): KubeObject => ({ ...aWidget(), metadata: { ...aWidget().metadata, ...metadata } });
  const before = at({ resourceVersion: '7', generation: 1 });

  assert.equal(changedBesidesStatus(at({ resourceVersion: '8', generation: 1 }), before), false);
  assert.equal(changedBesidesStatus(at({ resourceVersion: '8', generation: 2 }), before), true);
  assert.equal(changedBesidesStatus(at({ generation: 1, annotations: { a: 'b' } }), before), true);
  assert.equal(changedBesidesStatus(at({ generation: 1, deletionTimestamp: '2026-01-01T00:00:00Z' }), before), true);
  assert.equal(changedBesidesStatus(at({}), at({})), true, 'a kind that counts none');
});
