import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aKubeWorld } from '../kube/kube-world.testing.ts';
import { done } from '../kube/outcome.ts';
import { keyController, runControllers } from '../kube/run.ts';
import { aWidget, Widget } from '../kube/widgets.testing.ts';
import { type Scope, scoped } from './scope.ts';

const LABEL = 'cluster.x-k8s.io/watch-filter';

/** Which of these widgets a controller of this scope looks at. */
async function seenBy(scope: Scope, widgets: readonly Widget[]): Promise<readonly string[]> {
  const world = aKubeWorld();
  for (const widget of widgets) await world.api.create(Widget, widget);
  const seen: string[] = [];
  const stopping = new AbortController();
  const controller = keyController({
    name: 'widgets',
    kind: Widget,
    pass: async ({ namespace, name }) => {
      seen.push(`${namespace}/${name}`);
      return done();
    },
  });
  const running = runControllers(scoped(world, scope), [controller], stopping.signal);
  await world.clock.advance(1000);
  stopping.abort();
  await running;
  await world.caches.stop();
  return seen.sort();
}

const at = (namespace: string, name: string, labels: Readonly<Record<string, string>> = {}): Widget => ({
  ...aWidget(name),
  metadata: { namespace, name, labels },
});

test('a manager of one namespace looks at nothing elsewhere', async () => {
  assert.deepEqual(await seenBy({ namespace: 'one' }, [at('one', 'a'), at('two', 'b')]), ['one/a']);
});

test('a manager with a watch filter passes by what does not bear it', async () => {
  const widgets = [at('one', 'a', { [LABEL]: 'blue' }), at('one', 'b', { [LABEL]: 'red' }), at('one', 'c')];

  assert.deepEqual(await seenBy({ watchFilter: 'blue' }, widgets), ['one/a']);
  assert.deepEqual(await seenBy({}, widgets), ['one/a', 'one/b', 'one/c']);
});
