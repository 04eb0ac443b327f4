// What a new bare-metal fleet begins with: a pool, a template for data, a cluster, and so many hosts with a machine for each.

import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { clusterOf, hostOf, type Made, machineOf, poolOf, templateOf } from './metal-objects.ts';

const NAMESPACE = 'default';
const at = (name: string) => ({ namespace: NAMESPACE, name });

export const METAL_CLUSTER = at('metal');

/** As many machines as there are hosts. */
export function metalDemo(machines: number): readonly Made[] {
  const numbers = Array.from({ length: machines }, (_, n) => n);
  return [
    [IPPool, poolOf(at('provisioning'))],
    [Metal3DataTemplate, templateOf(at('workers'), 'provisioning')],
    ...clusterOf(METAL_CLUSTER),
    ...numbers.flatMap(n => hostOf(at(`host-${n}`))),
    ...numbers.flatMap(n => machineOf(at(`worker-${n}`), { cluster: METAL_CLUSTER.name, template: 'workers' })),
  ];
}
