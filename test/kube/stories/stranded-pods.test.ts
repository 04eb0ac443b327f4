// The report "macOS machine deletion strands tart pods in Terminating", scenario by scenario, side by side in one real cluster.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { exitOnSignals } from '../../exit-on-signals.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import { type StoryFleet, storyFleet } from './fleet.ts';
import { hostsAndHistory } from './hosts-and-history.ts';
import { interrupted } from './interrupted.ts';
import { machineGoes } from './machine-goes.ts';
import { nodeGoes } from './node-goes.ts';
import { Place } from './place.ts';

// A run that is ended half-way takes its control plane with it: that follows this process's exit, not its death by a signal.
exitOnSignals();

const scenarios = [...machineGoes, ...nodeGoes, ...hostsAndHistory, ...interrupted];

describe('stranded Pods on a real cluster', { concurrency: scenarios.length + 1 }, () => {
  let fleet: StoryFleet;
  /** Those that have begun: all that were chosen, in their order. */
  const playing = new Map<string, Promise<void>>();

  before(async () => {
    fleet = await storyFleet();
  });
  after(() => fleet?.close());

  for (const { id, name, after: earlier, run } of scenarios) {
    const play = async (): Promise<void> => {
      await playing.get(earlier ?? '')?.catch(() => undefined);
      const startMs = performance.now();
      const place = new Place(fleet, id);
      await place.open();
      const told = await run(place);
      process.stdout.write(`${secondsText(performance.now() - startMs)}  ${name}: ${told}\n`);
    };
    test(name, () => {
      const played = play();
      playing.set(id, played);
      return played;
    });
  }

  test('all the while no program of ours fell, or asked for what its role does not allow', async () => {
    await Promise.allSettled(playing.values());

    assert.deepEqual(fleet.fallen(), []);
    assert.deepEqual(fleet.cluster.forbidden, []);
  });
});
