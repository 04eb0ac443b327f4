// The machine is deleted, by whatever way: its Pods go with it.

import assert from 'node:assert/strict';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { createDeployment, createHealthCheck, createPod, deleteMac, scale } from '../../world/acts.ts';
import { virtualFleet } from '../../world/fleet.ts';
import { MANAGER } from '../../world/names.ts';
import { type Scenario, secondsText } from '../telling/scenario.ts';
import { assertGone, fleetWith, hostNamed, must, on, runPods } from './act.ts';

const gone = 'the machine, its Node and its Pods are gone';

export const machineGoes: readonly Scenario[] = [
  {
    name: 'Pods of a deleted machine go away once its host is wiped',
    run: async () =>
      on(await fleetWith(['a', 'b']), async fleet => {
        const host = hostNamed(fleet, 'mac-0');
        await deleteMac(fleet.api, 'mac-0');
        const tookMs = await must(fleet, gone, () => fleet.view.macs().length === 0);
        assertGone(fleet, host);
        return `two Pods, Node and machine gone ${secondsText(tookMs)} after the delete; host wiped once`;
      }),
  },
  {
    name: 'a MachineDeployment scaled to zero leaves nothing',
    run: async () =>
      on(await virtualFleet({ macs: 1 }), async fleet => {
        await createDeployment(fleet.api, 'fleet', 1);
        await runPods(fleet, ['a', 'b']);
        const [mac] = fleet.view.macs();
        const host = hostNamed(fleet, mac?.metadata.name ?? '');
        await scale(fleet.api, 'fleet', 0);
        const left = () => fleet.view.macs().length + fleet.view.machines().length + fleet.view.pods().length;
        const tookMs = await must(fleet, gone, () => left() === 0);
        assertGone(fleet, host);
        return `Machine, infrastructure and two Pods gone ${secondsText(tookMs)} after the scaling`;
      }),
  },
  {
    name: 'a MachineHealthCheck replaces a dark Mac, and its Pods are not stranded',
    run: async () =>
      on(await virtualFleet({ macs: 2 }), async fleet => {
        await createDeployment(fleet.api, 'fleet', 1);
        await createHealthCheck(fleet.api, 'fleet', 60);
        await runPods(fleet, ['a']);
        const [old] = fleet.view.macs();
        const host = hostNamed(fleet, old?.metadata.name ?? '');
        fleet.hosts.cutPower(host);
        const replaced = () =>
          fleet.view.macs().length === 1 &&
          fleet.view.macs()[0]?.metadata.name !== old?.metadata.name &&
          fleet.view.pods().length === 0;
        const tookMs = await must(fleet, 'the dark machine is replaced and its Pod gone', replaced);
        assert.equal(fleet.cloud.byId(host).wipes, 1);
        return `dark Mac replaced and its Pod gone ${secondsText(tookMs)} after the power cut`;
      }),
  },
  {
    name: 'a Pod created on the Node while its machine is being deleted ends too',
    run: async () =>
      on(await fleetWith(['a']), async fleet => {
        const host = hostNamed(fleet, 'mac-0');
        await deleteMac(fleet.api, 'mac-0');
        await must(fleet, 'the host is being wiped', () => fleet.cloud.byId(host).wipes === 1);
        await createPod(fleet.api, 'late', 'mac-0');
        const tookMs = await must(fleet, gone, () => fleet.view.macs().length + fleet.view.pods().length === 0);
        assertGone(fleet, host);
        return `the late Pod ended ${secondsText(tookMs)} after it was created on a wiped host`;
      }),
  },
  {
    name: 'a cloud that refuses the release for an hour delays the deletion, and the machine says why',
    run: async () =>
      on(await fleetWith(['a', 'b']), async fleet => {
        const host = hostNamed(fleet, 'mac-0');
        fleet.cloud.faults.next('reinstallServer', 403, Number.POSITIVE_INFINITY);
        await deleteMac(fleet.api, 'mac-0');
        await fleet.pass(minutes(60));
        const deleting = fleet.view.mac('mac-0')?.status?.conditions?.find(({ type }) => type === 'Deleting');
        assert.equal(deleting?.reason, 'ReleaseHost');
        assert.match(deleting?.message ?? '', /refuses/);
        assert.equal(fleet.view.pods().length, 2, 'no Pod is let go while its VM may run');
        assert.equal(fleet.macs.running().length, 2, 'the VMs run');
        fleet.cloud.faults.clear();
        const tookMs = await must(fleet, gone, () => fleet.view.macs().length === 0);
        assertGone(fleet, host);
        return `held for an hour ("${deleting?.message}"), then gone in ${secondsText(tookMs)}`;
      }),
  },
  {
    name: 'a manager that is killed right before, or right after, any of its writes leaves nothing behind',
    run: async () => {
      const writes = await killsOf(() => undefined);
      for (let n = 0; n < writes; n++) {
        for (const kind of ['crash before', 'crash after'] as const) {
          await killsOf(number => (number === n ? { kind } : undefined));
        }
      }
      return `killed around each of ${writes} writes of the deletion: ${2 * writes} runs, nothing left in any`;
    },
  },
];

type Kill = { readonly kind: 'crash before' | 'crash after' } | undefined;

/** Deletes a machine with two Pods; `kill` decides for each write of the manager, Events apart. Answers how many there were. */
async function killsOf(kill: (number: number) => Kill): Promise<number> {
  const fleet = await fleetWith(['a', 'b']);
  try {
    const host = hostNamed(fleet, 'mac-0');
    let number = -1;
    fleet.line.follow({
      onCall: call => {
        if (call.process !== MANAGER || !call.write || call.label.endsWith('/events')) return undefined;
        number += 1;
        return kill(number);
      },
    });
    await deleteMac(fleet.api, 'mac-0');
    await must(fleet, gone, () => fleet.view.macs().length + fleet.view.pods().length === 0);
    await fleet.pass(seconds(1));
    assertGone(fleet, host);
    return number + 1;
  } finally {
    await fleet.close();
  }
}
