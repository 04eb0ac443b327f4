// What a pass wrote itself and has concluded from wakes it for nothing; whatever else there is in a change still does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Api } from './api.ts';
import { Concluded } from './concluded.ts';
import type { KubeWorld } from './controller.ts';
import { ConfigMap } from './core/other.ts';
import { aKubeWorld, type TestWorld } from './kube-world.testing.ts';
import type { KubeObject } from './object.ts';
import { done } from './outcome.ts';
import { keyController, runControllers } from './run.ts';
import { aWidget, KEY, Widget } from './widgets.testing.ts';

const aMap = (name: string, labels?: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', ...(labels === undefined ? {} : { labels }) },
});

/** A widget whose controller is woken by it and by every ConfigMap; `write` is what its first pass does. */
async function written(
  write: (api: Api, widget: KubeObject, world: TestWorld) => Promise<unknown>,
): Promise<{ world: TestWorld; passes: () => number; stop: () => Promise<void> }> {
  const world = aKubeWorld();
  await world.api.create(Widget, aWidget());
  let passes = 0;
  const one = keyController<KubeWorld>({
    name: 'one',
    kind: Widget,
    wokenBy: [{ kind: ConfigMap, keysFor: () => [KEY] }],
    reads: [ConfigMap],
    echoes: 'spared',
    async pass(_key, widget, { api }) {
      passes++;
      if (passes === 1 && widget !== undefined) await write(api, widget, world);
      return done();
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

const locked = ({ metadata: { resourceVersion } }: KubeObject, size: number): object => ({
  metadata: { resourceVersion },
  spec: { size },
});

test('a pass is not woken by the objects that it made, and by what it wrote on a version that it had read', async () => {
  const { passes, stop } = await written(async (api, widget) => {
    const after = await api.patch(Widget, KEY, locked(widget, 1));
    await api.create(ConfigMap, aMap('m'));
    await api.patch(Widget, KEY, locked(after, 2));
  });

  assert.equal(passes(), 1);
  await stop();
});

test('a change of another wakes it, before as after its own write', async () => {
  const { world, passes, stop } = await written((_own, widget, { api }) => api.patch(Widget, KEY, locked(widget, 1)));
  assert.equal(passes(), 2);

  await world.api.create(ConfigMap, aMap('of another'));
  await world.clock.advance(1000);

  assert.equal(passes(), 3);
  await stop();
});

test('a write that was locked to nothing is heard: it may have met a change of another', async () => {
  const { passes, stop } = await written(api => api.patch(Widget, KEY, { spec: { size: 1 } }));

  assert.equal(passes(), 2);
  await stop();
});

test('a deletion is heard, of what it deleted itself too', async () => {
  const { passes, stop } = await written(async api => {
    await api.create(ConfigMap, aMap('m'));
    await api.delete(ConfigMap, { namespace: 'default', name: 'm' });
  });

  assert.equal(passes(), 2);
  await stop();
});

test('a pass that failed is woken by what it wrote before', async () => {
  const { passes, stop } = await written(async (api, widget) => {
    await api.patch(Widget, KEY, locked(widget, 1));
    throw new Error('on the way');
  });

  assert.equal(passes(), 2);
  await stop();
});

test('a version that shows more than the own write is no echo of it', () => {
  const concluded = new Concluded();
  const at = (resourceVersion: string): KubeObject => ({
    ...aWidget(),
    metadata: { ...aWidget().metadata, resourceVersion },
  });

  concluded.noteChanged(Widget, at('8'), '7');

  const shown = (before: string) =>
    concluded.isEcho(Widget, { type: 'updated', object: at('8'), previous: at(before) });
  assert.equal(shown('7'), true);
  assert.equal(shown('5'), false, 'a list caught up: between 5 and 7 somebody else wrote');
  assert.equal(concluded.isEcho(Widget, { type: 'updated', object: at('9'), previous: at('8') }), false);
  assert.equal(concluded.isEcho(ConfigMap, { type: 'updated', object: at('8'), previous: at('7') }), false);
});
