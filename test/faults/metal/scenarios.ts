// The scenarios of the bare-metal fleet that the fault explorer knows by name: a machine's life, and S1 to S26.

import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { isTrue } from '../../../src/kube/conditions.ts';
import { NODE_READY } from '../../../src/metal/machine/node-identity.ts';
import { createMachine, remove } from '../../world/metal/acts.ts';
import { addressScenarios } from './scenarios/addresses.ts';
import { clusterScenarios } from './scenarios/clusters.ts';
import { machineScenarios } from './scenarios/machines.ts';
import { templateScenarios } from './scenarios/templates.ts';
import { aPlainStage, at, everythingGoes, type MetalScenario, type Stage, TEMPLATE, WORK } from './stage.ts';

/** A cluster with its workload cluster, a pool, a template, and so many hosts. */
export async function aStage(stage: Stage, hosts: number): Promise<void> {
  await stage.workloads.open(at(WORK));
  await aPlainStage(stage, hosts);
}

const life: MetalScenario = {
  name: 'life',
  says: 'a machine gets its data, its address, its host and the provider id of its Node, and leaves nothing behind',
  async play(stage, must) {
    await aStage(stage, 1);
    await createMachine(stage.api, 'machine-0', { cluster: WORK, template: TEMPLATE });
    await must('the machine has its Node', () => stage.view.machines().every(each => isTrue(each, NODE_READY)));
    await remove(stage.api, Machine, 'machine-0');
    await must('the machine is gone', () => stage.view.machines().length === 0);
    await everythingGoes(stage);
  },
};

const number = ({ name }: MetalScenario): number => Number(/^S(\d+)/.exec(name)?.[1]);

/** S1 to S26, in their order. */
export const numberedScenarios: readonly MetalScenario[] = [
  ...machineScenarios,
  ...templateScenarios,
  ...addressScenarios,
  ...clusterScenarios,
].sort((one, other) => number(one) - number(other));

export const metalScenarios: readonly MetalScenario[] = [life, ...numberedScenarios];
