// Deletion and pause, as an object shows them: finalizers, the Deleting condition, and what is left alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seconds } from '../base/clock.ts';
import type { KubeWorld } from './controller.ts';
import { ApiError } from './errors.ts';
import { done, wait } from './outcome.ts';
import type { Runnable } from './run.ts';
import { FINALIZER, KEY, running, shown, step, Widget, widgets } from './widgets.testing.ts';

test('the finalizer is there before the first step runs', async () => {
  const stored: (readonly string[] | undefined)[] = [];
  const world = await running(
    widgets({
      inOrder: [
        step('Painted', async (_, { api }) => {
          stored.push((await api.get(Widget, KEY)).metadata.finalizers);
          return done();
        }),
      ],
      deletion: { finalizer: FINALIZER, run: async () => done() },
    }),
  );

  assert.deepEqual(stored[0], [FINALIZER]);
  await world.stop();
});

test('a deletion shows what it waits for, and the finalizer goes only when it is done', async () => {
  let gone = false;
  const world = await running(
    widgets({
      inOrder: [step('Painted', () => done())],
      deletion: {
        finalizer: FINALIZER,
        run: async () =>
          gone ? done() : wait({ port: 'cloud', subject: 'host' }, 'the host', seconds(5), { reason: 'ReleaseHost' }),
      },
    }),
  );
  await world.api.delete(Widget, KEY);
  await world.clock.advance(1000);
  assert.equal(await shown(world, 'Deleting'), 'True ReleaseHost: Waiting for the host');

  gone = true;
  await world.clock.advance(5000);

  assert.equal(world.server.stored('apis/pippin.dev/v1/widgets').size, 0);
  await world.stop();
});

test('a deletion that only puts something on record goes on at once, on what the server answered', async () => {
  const found: (string | undefined)[] = [];
  const world = await running(
    widgets({
      deletion: {
        finalizer: FINALIZER,
        run: async ({ metadata }) => {
          const record = metadata.annotations?.released;
          found.push(record);
          if (record !== undefined) return done();
          const change = { annotations: { released: 'yes' } };
          return wait({ port: 'cloud', subject: 'host' }, 'the record', seconds(1), { change, onceRecorded: 'go on' });
        },
      },
    }),
  );

  await world.api.delete(Widget, KEY);
  await world.clock.advance(0);

  assert.deepEqual(found, [undefined, 'yes']);
  assert.equal(world.server.stored('apis/pippin.dev/v1/widgets').size, 0);
  await world.stop();
});

test('a deletion that would go on for ever waits after its second run', async () => {
  let runs = 0;
  const world = await running(
    widgets({
      deletion: {
        finalizer: FINALIZER,
        run: async () => {
          runs += 1;
          return wait({ port: 'cloud', subject: 'host' }, 'the record', seconds(60), { onceRecorded: 'go on' });
        },
      },
    }),
  );

  await world.api.delete(Widget, KEY);
  await world.clock.advance(seconds(10));
  const runsSoFar = runs;
  await world.clock.advance(seconds(30));

  assert.equal(runs, runsSoFar);
  assert.match(await shown(world, 'Deleting'), /the record/);
  await world.stop();
});

test('of several finalizers only our own is taken off', async () => {
  const world = await running(widgets({ deletion: { finalizer: FINALIZER, run: async () => done() } }));
  await world.api.patch(Widget, KEY, { metadata: { finalizers: [FINALIZER, 'other/one'] } });

  await world.api.delete(Widget, KEY);
  await world.clock.advance(1000);

  assert.deepEqual((await world.api.get(Widget, KEY)).metadata.finalizers, ['other/one']);
  assert.match(await shown(world, 'Deleting'), /^True Finalized/);
  await world.stop();
});

test('a paused object is left alone, but is still deleted unless that is paused too', async () => {
  const paused = (widget: Widget): boolean => widget.metadata.annotations?.paused === 'true';
  let runs = 0;
  const world = await running(
    widgets({
      paused,
      inOrder: [step('Painted', () => done(undefined, ++runs))],
      deletion: { finalizer: FINALIZER, run: async () => done() },
    }),
  );
  await world.api.patch(Widget, KEY, { metadata: { annotations: { paused: 'true' } } });
  await world.clock.advance(60_000);
  const before = runs;
  await world.api.patch(Widget, KEY, { spec: { size: 9 } });
  await world.clock.advance(60_000);
  assert.equal(runs, before);

  await world.api.delete(Widget, KEY);
  await world.clock.advance(0);

  assert.equal(world.server.stored('apis/pippin.dev/v1/widgets').size, 0);
  await world.stop();
});

test('an object that is left alone says so, unless nothing is to be written to it at all', async () => {
  const marked = (widget: Widget, mark: string): boolean => widget.metadata.annotations?.[mark] === 'true';
  const isLeftAlone = (widget: Widget): boolean => marked(widget, 'paused') || marked(widget, 'moved');
  const world = await running(
    widgets({
      paused: isLeftAlone,
      pausesDeletion: isLeftAlone,
      pauseShown: widget =>
        marked(widget, 'moved')
          ? undefined
          : { type: 'Paused', status: marked(widget, 'paused') ? 'True' : 'False', reason: 'Told', message: '' },
      inOrder: [step('Painted', () => done())],
      deletion: { finalizer: FINALIZER, run: async () => done() },
    }),
  );
  assert.equal(await shown(world, 'Paused'), 'False Told: ');

  await world.api.patch(Widget, KEY, { metadata: { annotations: { paused: 'true' } } });
  await world.clock.advance(0);
  assert.equal(await shown(world, 'Paused'), 'True Told: ');

  const moved = await world.api.patch(Widget, KEY, { metadata: { annotations: { paused: null, moved: 'true' } } });
  await world.api.delete(Widget, KEY);
  await world.clock.advance(60_000);

  const left = await world.api.get(Widget, KEY);
  assert.deepEqual(left.status, moved.status);
  assert.deepEqual(left.metadata.finalizers, [FINALIZER]);
  await world.stop();
});

/** The first write of each form finds nothing: a wrong answer. */
function misled(one: Runnable<KubeWorld>): Runnable<KubeWorld> {
  const notFound = new ApiError({
    httpStatus: 404,
    request: 'a write',
    status: { kind: 'Status', apiVersion: 'v1', reason: 'NotFound' },
  });
  const lied = new Set<string>();
  const start = (world: KubeWorld, signal: AbortSignal): Promise<void> => {
    const patch: KubeWorld['api']['patch'] = (kind, key, body, options) => {
      const form = `${options?.subresource} ${JSON.stringify((body as Widget).metadata?.finalizers)}`;
      if (lied.has(form)) return world.api.patch(kind, key, body, options);
      lied.add(form);
      return Promise.reject(notFound);
    };
    return one.start({ ...world, api: { ...world.api, patch } }, signal);
  };
  return { ...one, start };
}

test('a write that finds nothing is no proof: it is made again, and the last finalizer goes', async () => {
  const world = await running(
    misled(
      widgets({
        inOrder: [step('Painted', () => done({ status: { phase: 'painted' } }))],
        deletion: { finalizer: FINALIZER, run: async () => done() },
      }),
    ),
  );
  await world.clock.advance(1000);
  assert.equal((await world.api.get(Widget, KEY)).status?.phase, 'painted');

  await world.api.delete(Widget, KEY);
  await world.clock.advance(1000);

  assert.equal(world.server.stored('apis/pippin.dev/v1/widgets').size, 0);
  await world.stop();
});
