import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minutes } from '../../src/base/clock.ts';
import { assertGone, fleetWith, hostNamed, must } from '../stories/stranded-pods/act.ts';
import { deleteMac } from '../world/acts.ts';
import type { VirtualFleet } from '../world/fleet.ts';
import { MANAGER } from '../world/names.ts';

interface Standing {
  readonly what: string;
  begin(fleet: VirtualFleet, host: string): void;
  end(fleet: VirtualFleet, host: string): void;
  /** What the machine must name as its blocker, and nothing else. */
  readonly says: RegExp;
}

const faults: readonly Standing[] = [
  {
    what: 'the release stays forbidden',
    begin: ({ cloud }) => cloud.faults.next('reinstallServer', 403, Number.POSITIVE_INFINITY),
    end: ({ cloud }) => cloud.faults.clear(),
    says: /ReleaseHost.*to be erased.*refuses/,
  },
  {
    what: 'the cloud key is moved to another project and every id answers 404',
    begin: ({ cloud }) => {
      cloud.keyInOtherProject = true;
    },
    end: ({ cloud }) => {
      cloud.keyInOtherProject = false;
    },
    says: /ReleaseHost.*no other server of project/,
  },
  {
    what: 'the cloud gives no answer',
    begin: ({ cloud }) => cloud.faults.next('any', 'timeout', Number.POSITIVE_INFINITY),
    end: ({ cloud }) => cloud.faults.clear(),
    says: /ReleaseHost.*HostUnknown/,
  },
  {
    what: 'the Pods cannot be written',
    begin: ({ line }) =>
      line.follow({
        onCall: ({ process, label }) =>
          process === MANAGER && /^PATCH .*\/pods\//.test(label) ? { kind: 'code', code: 403 } : undefined,
      }),
    end: ({ line }) => line.follow({}),
    says: /ReleasePods.*(to end|403)/,
  },
];

for (const { what, begin, end, says } of faults) {
  test(`while ${what}, nothing is let go and the machine says so; when it ends, everything goes`, async () => {
    const fleet = await fleetWith(['a', 'b']);
    const host = hostNamed(fleet, 'mac-0');
    begin(fleet, host);

    await deleteMac(fleet.api, 'mac-0');
    await fleet.pass(minutes(20));

    const deleting = fleet.view.mac('mac-0')?.status?.conditions?.find(({ type }) => type === 'Deleting');
    assert.match(`${deleting?.reason}: ${deleting?.message}`, says);
    assert.equal(fleet.view.pods().length, 2);
    end(fleet, host);
    await must(
      fleet,
      'the machine and its Pods are gone',
      () => fleet.view.macs().length + fleet.view.pods().length === 0,
    );
    assertGone(fleet, host);
    assert.deepEqual(fleet.violations, []);
    await fleet.close();
  });
}

test('a dark host is given back all the same: the cloud erases what nobody can reach', async () => {
  const fleet = await fleetWith(['a', 'b']);
  const host = hostNamed(fleet, 'mac-0');
  fleet.hosts.cutPower(host);

  await deleteMac(fleet.api, 'mac-0');
  await must(
    fleet,
    'the machine and its Pods are gone',
    () => fleet.view.macs().length + fleet.view.pods().length === 0,
  );

  assertGone(fleet, host);
  assert.deepEqual(fleet.violations, []);
  await fleet.close();
});
