// The report's own sequence, and the states that upstream leaves behind it.

import assert from 'node:assert/strict';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { METAL3_DATA_TEMPLATE_FINALIZER } from '../../../src/kinds/metal-wire.ts';
import { Namespace } from '../../../src/kube/core/other.ts';
import {
  createCluster,
  createHost,
  createMachine,
  createPool,
  createTemplate,
  remove,
} from '../../world/metal/acts.ts';
import { type MetalFleet, metalFleet } from '../../world/metal/fleet.ts';
import { CLUSTER, HARDWARE, METAL, NS } from '../../world/metal/names.ts';
import { type Scenario, secondsText } from '../telling/scenario.ts';
import { left, must, on, POOL, TEMPLATE } from './stage.ts';

const MACHINES = 3;

/** Three machines on their hosts, each with its data and its Node. */
export async function aRunningCluster(fleet: MetalFleet): Promise<void> {
  await fleet.workloads.open({ namespace: NS, name: 'work' });
  await createPool(fleet.api, POOL);
  await createTemplate(fleet.api, TEMPLATE, POOL);
  await createCluster(fleet.api, 'work');
  for (let number = 0; number < MACHINES; number++) {
    await createHost(fleet.api, `host-${number}`);
    await createMachine(fleet.api, `machine-${number}`, { cluster: 'work', template: TEMPLATE });
  }
  await must(fleet, 'all machines have their Nodes', () => {
    const provided = fleet.view.machines().filter(({ spec }) => spec?.providerID !== undefined);
    return provided.length === MACHINES;
  });
}

export const theReport: readonly Scenario[] = [
  {
    name: 'the report: the Cluster is deleted, its Template a moment later, too early, and the namespace in the end',
    run: async () =>
      on(await metalFleet(), async fleet => {
        await aRunningCluster(fleet);
        await remove(fleet.api, Cluster, 'work');
        await fleet.pass(seconds(1));
        await remove(fleet.api, Metal3DataTemplate, TEMPLATE);
        const claimsMs = await must(fleet, 'the claims are gone', () => fleet.view.claims().length === 0);
        const chainMs = await must(fleet, 'nothing of the Template is left', () => left(fleet).length === 0);
        await must(fleet, 'the Cluster is gone', () => fleet.view.one(Cluster, 'work') === undefined);
        await remove(fleet.api, IPPool, POOL);
        await fleet.api.delete(Namespace, { name: NS });
        const emptyMs = await must(fleet, 'nothing is left', () => fleet.left().length === 0, minutes(5));
        return [
          `claims gone ${secondsText(claimsMs)} after the Template was deleted, as fast as their hosts let them;`,
          `Template, Datas, addresses and secrets ${secondsText(chainMs)} later;`,
          `the namespace empty ${secondsText(emptyMs)} after its own deletion`,
        ].join(' ');
      }),
  },
  {
    name: 'the Template as the report found it, with a finalizer and an index that nobody holds, goes when Pippin starts',
    run: async () =>
      on(await metalFleet({ without: [METAL, CLUSTER, HARDWARE] }), async fleet => {
        await createPool(fleet.api, POOL);
        await createTemplate(fleet.api, TEMPLATE, POOL);
        const key = { namespace: NS, name: TEMPLATE };
        const finalizers = [METAL3_DATA_TEMPLATE_FINALIZER];
        await fleet.api.patch(Metal3DataTemplate, key, { metadata: { finalizers } });
        const status = { indexes: [{ name: 'control-plane-fn667', index: 0 }], lastUpdated: '2024-09-18T09:51:51Z' };
        await fleet.api.patch(Metal3DataTemplate, key, { status }, { subresource: 'status' });
        await remove(fleet.api, Metal3DataTemplate, TEMPLATE);
        await fleet.pass(minutes(5));
        assert.ok(fleet.view.one(Metal3DataTemplate, TEMPLATE) !== undefined, 'nobody lets it go');
        fleet.start(METAL);
        const tookMs = await must(fleet, 'it is gone', () => left(fleet).length === 0, seconds(5));
        return `gone ${secondsText(tookMs)} after the start`;
      }),
  },
];
