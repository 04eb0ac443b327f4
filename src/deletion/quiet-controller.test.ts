// What an object of thousands says while it waits: nothing at first, and never what is over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../base/clock.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { done, type Outcome } from '../kube/outcome.ts';
import { KEY, running, shown, Widget } from '../kube/widgets.testing.ts';
import { held, quietController, soon } from './quiet-controller.ts';

const ON = { kind: Widget, ...KEY };
const TROUBLE = held(ON, 'TemplateMissing', 'a template');

/** A widget whose passes end as `outcomes.next` says; a change of its spec makes for a pass. */
async function aQuietWidget(first: Outcome) {
  const outcomes = { next: first };
  const world = await running(
    quietController<Widget, KubeWorld>({
      name: 'quiet',
      kind: Widget,
      condition: 'Ready',
      pausedBy: () => undefined,
      keep: async () => outcomes.next,
      takeApart: async () => done(),
    }),
  );
  let size = 0;
  const pass = async (outcome: Outcome): Promise<string> => {
    outcomes.next = outcome;
    await world.api.patch(Widget, KEY, { spec: { size: ++size } });
    await world.clock.advance(seconds(1));
    return shown(world, 'Ready');
  };
  return { world, pass };
}

test('trouble that is over is not told any longer while the object waits for what comes by itself', async () => {
  const { world, pass } = await aQuietWidget(TROUBLE);
  const before = await shown(world, 'Ready');

  const after = await pass(soon(ON, 'an address'));

  assert.equal(before, 'False TemplateMissing: Waiting for a template');
  assert.equal(after, 'False InProgress: Waiting for an address');
  assert.equal(await pass(done()), 'True AsExpected: ');
  await world.stop();
});

test('an object without trouble is not told that it waits for what comes by itself, one that was cured neither', async () => {
  const { world, pass } = await aQuietWidget(soon(ON, 'an address'));
  const fresh = await shown(world, 'Ready');
  const writes = world.server.writes.length;
  await pass(TROUBLE);
  await pass(done());

  assert.equal(fresh, 'undefined undefined: undefined');
  assert.equal(writes, 1, 'its creation');
  assert.equal(await pass(soon(ON, 'an address')), 'True AsExpected: ');
  await world.stop();
});
