// Many machines deleted at once: how soon their Pods go, and what a machine costs the API when there are more of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes, seconds } from '../../src/base/clock.ts';
import { must } from '../stories/stranded-pods/act.ts';
import { deleteMac } from '../world/acts.ts';
import { virtualFleet } from '../world/fleet.ts';
import { macName, manyMacs, runningPod, wedgedPod } from './copies.ts';
import { Meter } from './meter.ts';

/** What calls take from one data centre to another: without that, any queue would be served in no time. */
const API_MS = 10;
const CLOUD_MS = 150;

interface Deletion {
  readonly callsEach: number;
  /** From the release record of its host to its end, for every Pod. */
  readonly podsMs: readonly number[];
}

async function deleteAll(count: number): Promise<Deletion> {
  const meter = new Meter();
  const fleet = await virtualFleet({
    macs: 1,
    deadlineSeconds: 600,
    between: (api, stored) => meter.counting(api, stored),
  });
  try {
    await manyMacs(fleet, count);
    // The manager has looked at all of them.
    await fleet.pass(seconds(20));
    fleet.line.follow({ takesMs: ({ seam }) => (seam === 'api' ? API_MS : CLOUD_MS) });
    meter.begin(fleet.clock);
    for (let n = 0; n < count; n++) await deleteMac(fleet.api, macName(n));
    await must(fleet, 'all are gone', () => fleet.view.macs().length + fleet.view.pods().length === 0, minutes(30));
    const podsMs = Array.from({ length: count }, (_, n) =>
      [runningPod(n), wedgedPod(n)].map(pod => lateness(meter, n, pod)),
    );
    return { callsEach: meter.total / count, podsMs: podsMs.flat() };
  } finally {
    await fleet.close();
  }
}

function lateness({ releasedMs, goneMs }: Meter, n: number, pod: string): number {
  return (goneMs.get(pod) ?? Number.POSITIVE_INFINITY) - (releasedMs.get(macName(n)) ?? 0);
}

test('the Pods of 200 machines go within 5 s of the releases, and a machine costs no more than among 25', async t => {
  const few = await deleteAll(25);
  const many = await deleteAll(200);

  const longest = Math.max(...many.podsMs);
  t.diagnostic(
    `requests for a machine: ${few.callsEach.toFixed(2)} among 25, ${many.callsEach.toFixed(2)} among 200; ` +
      `longest time from a release to a Pod's end: ${longest / 1000} s`,
  );
  assert.ok(Math.min(...many.podsMs) >= 0, 'no Pod goes before its host is released');
  assert.ok(longest <= seconds(5), `${longest / 1000} s`);
  assert.ok(many.callsEach <= 1.1 * few.callsEach);
});
