// What is moved: a Cluster of ten machines on bare metal, with its hosts, data, addresses and secrets.

import { clusterOf, hostOf, type Made, machineOf, poolOf, templateOf } from '../../../src/fleet/up/metal-objects.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../src/kinds/wire.ts';
import type { Api } from '../../../src/kube/api.ts';
import { Namespace, Secret } from '../../../src/kube/core/other.ts';
import { apiVersionOf, type Kind } from '../../../src/kube/kind.ts';

export const NS = 'metal';
export const CLUSTER = { namespace: NS, name: 'work' };
const CONTROL_PLANE = 'cluster.x-k8s.io/control-plane';

const at = (name: string) => ({ namespace: NS, name });

export async function createFleet(api: Api, machines: number): Promise<void> {
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  const numbers = Array.from({ length: machines }, (_, n) => n);
  const made: readonly Made[] = [
    ...clusterOf(CLUSTER),
    // clusterctl takes a pool along that belongs to a Cluster.
    [IPPool, poolOf(at('pool'), { clusterName: CLUSTER.name })],
    [Metal3DataTemplate, templateOf(at('template'), 'pool')],
    ...numbers.flatMap(n => hostOf(at(`host-${n}`))),
    ...numbers.flatMap(n => machineOf(at(`machine-${n}`), { cluster: CLUSTER.name, template: 'template' })),
  ];
  for (const [kind, object] of made) await api.create(kind, object);
  const labels = { [CLUSTER_NAME_LABEL]: CLUSTER.name, [CONTROL_PLANE]: '' };
  await api.patch(Machine, at('machine-0'), { metadata: { labels } });
  for (const n of numbers) {
    await give(api, { secret: `host-${n}-bmc`, to: [BareMetalHost, `host-${n}`] });
    await give(api, { secret: `machine-${n}-bootstrap`, to: [Machine, `machine-${n}`] });
  }
}

/** As the Bare Metal Operator does it with the secret of a board, and a bootstrap provider with its own. */
async function give(api: Api, { secret, to: [kind, name] }: { secret: string; to: [Kind, string] }): Promise<void> {
  const { metadata } = await api.get(kind, at(name));
  const owner = { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid: metadata.uid ?? '' };
  await api.patch(Secret, at(secret), { metadata: { ownerReferences: [owner] } });
}
