// S1 to S26, and the eight orders of the report "Metal3DataTemplate deletion stuck", side by side in one real cluster.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { exitOnSignals } from '../../exit-on-signals.ts';
import { numberedScenarios } from '../../faults/metal/scenarios.ts';
import type { MetalScenario } from '../../faults/metal/stage.ts';
import { orders } from '../../stories/stuck-data-template/orders.ts';
import { isEmptyAfter, renderedOn } from '../../stories/stuck-data-template/stage.ts';
import { secondsText } from '../../stories/telling/scenario.ts';
import { type MetalStoryFleet, metalStoryFleet } from './metal/fleet.ts';
import { type Place, placeOf } from './metal/place.ts';

// A run that is ended half-way takes its control plane with it: that follows this process's exit, not its death by a signal.
exitOnSignals();

/** More of them only wait for each other. */
const SIDE_BY_SIDE = 5;

let fleet: MetalStoryFleet;
before(async () => {
  fleet = await metalStoryFleet();
});
after(() => fleet?.close());

async function play({ name, play, leaves = [] }: MetalScenario): Promise<void> {
  const startMs = performance.now();
  const { stage, must }: Place = await placeOf(fleet, name);
  const isDone = (): boolean => stage.left().join() === [...leaves].sort().join();
  await play(stage, must);
  await must(`only this is left: ${leaves.join(', ') || 'nothing'}`, isDone);
  await stage.pass(seconds(2));
  assert.ok(isDone(), `it comes back: ${stage.left().join(', ')}`);
  process.stdout.write(`${secondsText(performance.now() - startMs)}  ${name}\n`);
}

describe('the eight orders on a real cluster', { concurrency: orders.length }, () => {
  for (const order of orders) {
    test(`stuck Template, on a real cluster: ${order.id}: ${order.name}`, async () => {
      const { stage, must } = await placeOf(fleet, `order-${order.id}`);
      await renderedOn(stage, order.claims, must);
      await order.play(stage);
      const startMs = performance.now();
      await must('nothing is left', () => isEmptyAfter(stage, order), minutes(2));
      const took = secondsText(performance.now() - startMs);
      process.stdout.write(`${order.id} empty ${took} after the last delete (upstream: ${order.upstream})\n`);
    });
  }
});

describe('S1 to S26 on a real cluster', { concurrency: SIDE_BY_SIDE }, () => {
  for (const scenario of numberedScenarios.filter(({ stops }) => stops === undefined)) {
    const [id = ''] = scenario.name.split('-');
    test(`metal-${id} (${scenario.name}), on a real cluster: ${scenario.says}`, () => play(scenario));
  }
});

describe('S1 to S26 on a real cluster, those that stop a program of all', () => {
  for (const scenario of numberedScenarios.filter(({ stops }) => stops === true)) {
    const [id = ''] = scenario.name.split('-');
    test(`metal-${id} (${scenario.name}), on a real cluster: ${scenario.says}`, () => play(scenario));
  }
});

test('all the while no program of ours fell, or asked for what its role does not allow', () => {
  assert.deepEqual(fleet.fallen(), []);
  assert.deepEqual(fleet.cluster.forbidden, []);
});
