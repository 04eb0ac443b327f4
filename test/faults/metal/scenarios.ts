// The scenarios of the bare-metal fleet that the fault explorer knows by name.

import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { isTrue } from '../../../src/kube/conditions.ts';
import { NODE_READY } from '../../../src/metal/machine/node-identity.ts';
import {
  createCluster,
  createHost,
  createMachine,
  createPool,
  createTemplate,
  remove,
} from '../../world/metal/acts.ts';
import type { MetalFleet } from '../../world/metal/fleet.ts';
import { NS } from '../../world/metal/names.ts';
import type { MetalScenario } from './scenario.ts';

/** A cluster with its workload cluster, a pool, a template, and so many hosts. */
export async function aStage(fleet: MetalFleet, hosts: number): Promise<void> {
  await fleet.workloads.open({ namespace: NS, name: 'work' });
  await createPool(fleet.api, 'pool');
  await createTemplate(fleet.api, 'template', 'pool');
  await createCluster(fleet.api, 'work');
  for (let n = 0; n < hosts; n++) await createHost(fleet.api, `host-${n}`);
}

export const metalScenarios: readonly MetalScenario[] = [
  {
    name: 'life',
    says: 'a machine gets its data, its address, its host and the provider id of its Node, and leaves nothing behind',
    async play(fleet, must) {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must('the machine has its Node', () => fleet.view.machines().every(each => isTrue(each, NODE_READY)));
      await remove(fleet.api, Machine, 'machine-0');
      await must('the machine is gone', () => fleet.view.machines().length === 0);
      await remove(fleet.api, Metal3DataTemplate, 'template');
      await remove(fleet.api, IPPool, 'pool');
      await remove(fleet.api, Cluster, 'work');
    },
  },
];
