// What else goes on around a deletion: pools and managers that are gone, pauses, force, and a claim deleted under its machine.

import assert from 'node:assert/strict';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Namespace } from '../../../src/kube/core/other.ts';
import { forceRemove, pauseCluster, remove } from '../../world/metal/acts.ts';
import { metalFleet } from '../../world/metal/fleet.ts';
import { HARDWARE, IPAM, NS } from '../../world/metal/names.ts';
import { type Scenario, secondsText } from '../telling/scenario.ts';
import { aRunningCluster } from './report.ts';
import { claimName, dataNames, left, must, on, POOL, removeAll, rendered, TEMPLATE } from './stage.ts';

const three = [0, 1, 2].map(claimName);
const chain = [
  [Metal3DataClaim, three],
  [Metal3DataTemplate, [TEMPLATE]],
] as const;

export const aroundIt: readonly Scenario[] = [
  {
    name: 'the pool is deleted first, and goes last',
    run: async () =>
      on(await rendered(3), async fleet => {
        await remove(fleet.api, IPPool, POOL);
        await fleet.pass(minutes(1));
        assert.ok(fleet.view.one(IPPool, POOL) !== undefined, 'its addresses are in use');
        await removeAll(fleet, ...chain);
        const isEmpty = (): boolean => left(fleet).length === 0 && fleet.view.one(IPPool, POOL) === undefined;
        return `all gone, pool included, ${secondsText(await must(fleet, 'all is gone', isEmpty, seconds(5)))} after the last delete`;
      }),
  },
  {
    name: 'the address manager stands still: Template, claims and data go all the same, addresses when it is back',
    run: async () =>
      on(await rendered(3), async fleet => {
        fleet.stop(IPAM);
        await removeAll(fleet, ...chain);
        const isFreed = (): boolean => left(fleet).every(text => /^(IPClaim|IPAddress) /.test(text));
        const withoutMs = await must(fleet, 'only leases are left', isFreed, seconds(5));
        await fleet.pass(minutes(5));
        fleet.start(IPAM);
        const withMs = await must(fleet, 'nothing is left', () => left(fleet).length === 0, seconds(5));
        return `all but the leases gone ${secondsText(withoutMs)} after the delete, these ${secondsText(withMs)} after the start`;
      }),
  },
  {
    name: 'the Cluster is paused: nothing goes, and everything goes when it is resumed',
    run: async () =>
      on(await rendered(3), async fleet => {
        await pauseCluster(fleet.api, 'work', true);
        await fleet.pass(seconds(1));
        await removeAll(fleet, ...chain);
        await fleet.pass(minutes(5));
        assert.equal(fleet.view.data().length, 3);
        assert.equal(fleet.view.claims().length, 3);
        await pauseCluster(fleet.api, 'work', false);
        const tookMs = await must(fleet, 'nothing is left', () => left(fleet).length === 0, seconds(5));
        return `all gone ${secondsText(tookMs)} after the Cluster was resumed`;
      }),
  },
  {
    name: 'claim, Template and data are removed by force, one of each: what they held is found and let go',
    run: async () =>
      on(await rendered(3), async fleet => {
        const [first = '', second = ''] = dataNames(fleet);
        await forceRemove(fleet.api, Metal3Data, first);
        await forceRemove(fleet.api, Metal3DataTemplate, TEMPLATE);
        const owner = fleet.view.one(Metal3Data, second)?.spec?.claim?.name ?? '';
        await forceRemove(fleet.api, Metal3DataClaim, owner);
        await must(fleet, 'the Data of that claim is gone', () => fleet.view.one(Metal3Data, second) === undefined);
        for (const { metadata } of fleet.view.claims()) await remove(fleet.api, Metal3DataClaim, metadata.name);
        const tookMs = await must(fleet, 'nothing is left', () => left(fleet).length === 0, seconds(5));
        return `all gone ${secondsText(tookMs)} after the last delete`;
      }),
  },
  {
    name: 'the namespace is deleted with everything in it',
    run: async () =>
      on(await rendered(3, { without: [HARDWARE] }), async fleet => {
        await fleet.api.delete(Namespace, { name: NS });
        const tookMs = await must(fleet, 'nothing is left', () => fleet.left().length === 0, minutes(1));
        return `empty ${secondsText(tookMs)} after the delete`;
      }),
  },
  {
    name: 'a user deletes the claim of a machine that lives: its secrets stay until the machine goes',
    run: async () =>
      on(await metalFleet(), async fleet => {
        await aRunningCluster(fleet);
        const [{ metadata } = { metadata: { name: '' } }] = fleet.view.claims();
        await remove(fleet.api, Metal3DataClaim, metadata.name);
        await fleet.pass(minutes(5));
        const secrets = fleet.view.renderedSecrets().filter(secret => secret.metadata.name.startsWith(metadata.name));
        assert.equal(secrets.length, 2, 'the host may need them still');
        await remove(fleet.api, Machine, metadata.name);
        const isGone = (): boolean => !fleet.left().some(text => text.includes(`/${metadata.name}`));
        return `all of it gone ${secondsText(await must(fleet, 'the machine is gone', isGone))} after its machine was deleted`;
      }),
  },
];
