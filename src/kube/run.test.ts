// Controllers, as their objects show them: steps, waits, failures, and what wakes them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../base/clock.ts';
import { defineError, invariant } from '../base/errors.ts';
import { refTo } from './api.ts';
import { conditionOf } from './conditions.ts';
import type { KubeWorld } from './controller.ts';
import { Node } from './core/node.ts';
import { done, wait } from './outcome.ts';
import { keyController, periodic } from './run.ts';
import { aWidget, KEY, running, shown, step, Widget, widgets } from './widgets.testing.ts';

const outOfPaint = defineError('PIPPIN_E_TEST_OUT_OF_PAINT', {
  retry: 'never',
  remedy: 'Buy some',
  says: (colour: string) => `No ${colour} is left`,
});

test('steps run in order, see each other’s changes, and each shows its condition', async () => {
  const world = await running(
    widgets({
      inOrder: [
        step('Measured', () => done({ spec: { size: 3 }, labels: { size: 'small' } })),
        step('Painted', widget => done({ status: { phase: `painted ${widget.spec?.size}` } })),
      ],
    }),
  );

  const widget = await world.api.get(Widget, KEY);
  assert.equal(widget.spec?.size, 3);
  assert.equal(widget.metadata.labels?.size, 'small');
  assert.equal(widget.status?.phase, 'painted 3');
  assert.equal(await shown(world, 'Painted'), 'True AsExpected: ');
  await world.stop();
});

test('a step that only puts something on record goes on at once, on what the server answered', async () => {
  const found: (string | undefined)[] = [];
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', ({ metadata }) => {
          const colour = metadata.annotations?.colour;
          found.push(colour);
          if (colour !== undefined) return done();
          const change = { annotations: { colour: 'red' } };
          return wait({ port: 'shop', subject: 'paint' }, 'the record', 1000, { change, onceRecorded: 'go on' });
        }),
      ],
    }),
  );

  assert.deepEqual(found.slice(0, 2), [undefined, 'red']);
  assert.equal(await shown(world, 'Painted'), 'True AsExpected: ');
  await world.stop();
});

test('a wait that is not worth telling yet leaves what was told before, of its own step and of those after it', async () => {
  let isNew = false;
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', () => {
          if (!isNew) return done(undefined, 1000);
          return wait({ port: 'shop', subject: 'paint' }, 'the shop to open', 1000, { unsaid: true });
        }),
        step('Dried', () => done()),
      ],
    }),
  );
  const { resourceVersion } = (await world.api.get(Widget, KEY)).metadata;
  isNew = true;
  await world.clock.advance(seconds(5));

  assert.deepEqual(
    [await shown(world, 'Painted'), await shown(world, 'Dried')],
    ['True AsExpected: ', 'True AsExpected: '],
  );
  assert.equal((await world.api.get(Widget, KEY)).metadata.resourceVersion, resourceVersion);
  await world.stop();
});

test('a wait is shown in its words, holds the steps after it, and comes back on its timer', async () => {
  let paint = false;
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', () =>
          paint ? done() : wait({ port: 'shop', subject: 'paint' }, 'the paint to dry', seconds(30)),
        ),
        step('Shipped', () => done()),
      ],
      always: [step('Watched', () => done())],
    }),
  );
  assert.equal(await shown(world, 'Painted'), 'False Waiting: Waiting for the paint to dry');
  assert.equal(await shown(world, 'Shipped'), 'Unknown NotReached: Not looked at: Painted comes first');
  assert.equal(await shown(world, 'Watched'), 'True AsExpected: ');

  paint = true;
  await world.clock.advance(31_000);

  assert.equal(await shown(world, 'Shipped'), 'True AsExpected: ');
  await world.stop();
});

test('the time of transition moves when the status flips, and not when the words change', async () => {
  let turn = 0;
  const world = await running(
    widgets({
      inOrder: [step('Painted', () => wait({ port: 'shop', subject: 'paint' }, `coat ${++turn}`, seconds(10)))],
    }),
  );
  const first = conditionOf(await world.api.get(Widget, KEY), 'Painted');

  await world.clock.advance(10_000);

  const second = conditionOf(await world.api.get(Widget, KEY), 'Painted');
  assert.equal(second?.message, 'Waiting for coat 2');
  assert.equal(second?.lastTransitionTime, first?.lastTransitionTime);
  await world.stop();
});

test('a pass in which nothing changes writes nothing, and one in which status changes writes it once', async () => {
  const world = await running(
    widgets({
      inOrder: [step('A', () => done({ status: { phase: 'x' } }, seconds(10))), step('B', () => done())],
      always: [step('C', () => done())],
    }),
  );

  await world.clock.advance(60_000);

  assert.deepEqual(world.server.writes.slice(1), ['PATCH /apis/pippin.dev/v1/namespaces/default/widgets/w/status']);
  await world.stop();
});

test('a failure is shown with its reason and remedy, and is tried later and later', async () => {
  let tries = 0;
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', () => {
          tries++;
          throw new Error(`try ${tries} broke`);
        }),
      ],
    }),
  );
  assert.match(await shown(world, 'Painted'), /^False UnexpectedError: try \d+ broke$/);

  await world.clock.advance(3_600_000);

  assert.ok(tries > 20 && tries < 80, `${tries} tries in an hour`);
  await world.stop();
});

test('a failure whose words change each time is not tried faster because its own status write is seen', async () => {
  let tries = 0;
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', () => {
          throw new Error(`try ${++tries} broke`);
        }),
      ],
      summarize: (_, { failed, heldBy, message }) => ({ phase: failed ? `${heldBy}: ${message}` : 'fine' }),
    }),
  );

  await world.clock.advance(3_600_000);

  assert.ok(tries > 20 && tries < 80, `${tries} tries in an hour`);
  assert.equal((await world.api.get(Widget, KEY)).status?.phase, `Painted: try ${tries} broke`);
  await world.stop();
});

test('a controller whose own status write wakes it again and again is held back', async () => {
  let passes = 0;
  const world = await running(
    widgets({ inOrder: [step('Counted', () => done({ status: { phase: `pass ${++passes}` } }))] }),
  );

  await world.clock.advance(10_000);

  assert.ok(passes <= 1200, `${passes} passes in 10 s`);
  assert.ok(world.counted('pippin_passes_held_back_total') >= 9);
  await world.stop();
});

test('what only a change can end is not tried again and again, and says what to do', async () => {
  let tries = 0;
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', () => {
          tries++;
          throw outOfPaint('red');
        }),
      ],
    }),
  );
  await world.clock.advance(300_000);
  assert.equal(await shown(world, 'Painted'), 'False TestOutOfPaint: No red is left. Buy some');
  assert.equal(tries, 1);

  await world.api.patch(Widget, KEY, { spec: { size: 4 } });
  await world.clock.advance(0);

  assert.equal(tries, 2);
  await world.stop();
});

test('a step that always runs does so although the order is held, and its failure holds nothing', async () => {
  const world = await running(
    widgets({
      inOrder: [step('Painted', () => done())],
      always: [
        step('Safe', () => {
          throw outOfPaint('blue');
        }),
        step('Seen', () => done()),
      ],
    }),
  );

  assert.match(await shown(world, 'Safe'), /^False TestOutOfPaint/);
  assert.equal(await shown(world, 'Painted'), 'True AsExpected: ');
  assert.equal(await shown(world, 'Seen'), 'True AsExpected: ');
  await world.stop();
});

test('a wait on a kind that nothing watches is refused by name', async () => {
  const node: Node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'mac-0' } };
  const waits = step('Placed', () => wait(refTo(Node, node), 'the Node', seconds(30)));
  const world = await running(widgets({ inOrder: [waits] }));
  assert.match(
    await shown(world, 'Placed'),
    /^False WaitUnwatched: Controller widgets waits for the Node on Node mac-0,/,
  );
  await world.stop();

  const watching = await running(widgets({ inOrder: [waits], wokenBy: [{ kind: Node, keysFor: () => [KEY] }] }));
  assert.equal(await shown(watching, 'Placed'), 'False Waiting: Waiting for the Node');
  await watching.stop();
});

test('a change of another kind wakes the objects it concerns', async () => {
  const seen: number[] = [];
  const world = await running(
    widgets({
      inOrder: [
        step('Placed', (_, { caches }) => {
          seen.push(caches.of(Node).list().length);
          return done();
        }),
      ],
      wokenBy: [{ kind: Node, keysFor: node => [{ namespace: 'default', name: node.metadata.labels?.widget ?? '' }] }],
    }),
  );

  await world.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { widget: 'w' } } });
  await world.clock.advance(0);

  assert.equal(seen.at(-1), 1);
  await world.stop();
});

/** Waits for a Node named like the widget. */
const placed = widgets({
  wokenBy: [{ kind: Node, keysFor: node => [{ namespace: 'default', name: node.metadata.name }] }],
  inOrder: [
    step('Placed', ({ metadata: { name } }, { caches }) =>
      caches.of(Node).get({ name }) === undefined ? wait({ kind: Node, name }, 'its Node', seconds(30)) : done(),
    ),
  ],
});

test('a wait ends by the watch alone, long before its timer', async () => {
  const world = await running(placed);

  await world.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w' } });
  await world.clock.advance(0);

  assert.equal(await shown(world, 'Placed'), 'True AsExpected: ');
  await world.stop();
});

test('a wait ends by the timers alone when no watch event arrives any more', async () => {
  const world = await running(placed);
  world.delayWatches(3_600_000_000);

  await world.api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'w' } });
  await world.clock.advance(300_000);

  assert.equal(await shown(world, 'Placed'), 'True AsExpected: ');
  await world.stop();
});

test('a broken invariant ends the pass of that object alone, unwritten and counted', async () => {
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', widget => {
          invariant(widget.metadata.name !== 'w', 'widgets are not called w', { name: 'w' });
          return done();
        }),
      ],
    }),
  );
  await world.api.create(Widget, aWidget('other'));
  await world.clock.advance(300_000);

  assert.equal((await world.api.get(Widget, KEY)).status, undefined);
  assert.equal(conditionOf(await world.api.get(Widget, { ...KEY, name: 'other' }), 'Painted')?.status, 'True');
  assert.equal(world.counted('pippin_invariants_broken_total'), 1);
  await world.stop();
});

test('a controller that is one function is passed what is gone, and its waits are checked too', async () => {
  const seen: string[] = [];
  const one = keyController<KubeWorld>({
    name: 'one',
    kind: Widget,
    pass: async (key, object) => {
      seen.push(`${key.namespace}/${key.name} ${object === undefined ? 'gone' : 'there'}`);
      return done();
    },
  });
  const world = await running(one);

  await world.api.delete(Widget, KEY);
  await world.clock.advance(0);

  assert.deepEqual(seen, ['default/w there', 'default/w gone']);
  await world.stop();
});

test('a timed loop begins after its grace and goes on after a failure', async () => {
  const at: number[] = [];
  const world = await running(
    periodic<KubeWorld>({
      name: 'sweep',
      firstAfterMs: 60_000,
      everyMs: 10_000,
      pass: async ({ clock }) => {
        at.push(clock.monotonic());
        throw new Error('sweep broke');
      },
    }),
  );

  await world.clock.advance(85_000);

  assert.deepEqual(at, [60_000, 70_000, 80_000]);
  await world.stop();
});

test('stopping waits for the pass that goes on, and begins no other', async () => {
  let runs = 0;
  let ended = 0;
  const world = await running(
    widgets({
      inOrder: [
        step('Slow', async (_, { clock }) => {
          runs++;
          await clock.sleep(5000);
          ended++;
          return done();
        }),
      ],
    }),
  );
  const stopped = world.stop();
  await world.clock.advance(10_000);
  await stopped;

  assert.deepEqual([runs, ended], [1, 1]);
});
