// What a move must not change: indexes, addresses, the bytes of secrets, and what each host is told to run; and whether all of it is at work.

import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { Metal3Cluster } from '../../../src/kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../src/kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../../src/kinds/metal-wire.ts';
import type { Api } from '../../../src/kube/api.ts';
import { isTrue } from '../../../src/kube/conditions.ts';
import { Secret } from '../../../src/kube/core/other.ts';
import type { Kind } from '../../../src/kube/kind.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import { NS } from './fleet.ts';

/** By kind and name: what is held. Statuses are among it: they are rebuilt on the other side. */
export type Held = Readonly<Record<string, unknown>>;

async function of<T extends KubeObject>(api: Api, kind: Kind<T>, what: (object: T) => unknown): Promise<Held> {
  const { items } = await api.list(kind, { namespace: NS });
  return Object.fromEntries(
    items.map(each => [`${kind.kind} ${each.metadata.name}`, { owners: ownersOf(each), is: what(each) }]),
  );
}

/** Without UIDs: those are new on the other side. */
const ownersOf = ({ metadata }: KubeObject): readonly string[] =>
  (metadata.ownerReferences ?? []).map(({ kind, name }) => `${kind} ${name}`).sort();

export async function heldBy(api: Api): Promise<Held> {
  const parts = [
    of(api, Metal3Data, ({ spec, status }) => ({ spec, ready: status?.ready })),
    of(api, Metal3DataClaim, ({ status }) => status?.renderedData?.name),
    of(api, Metal3DataTemplate, ({ spec, status }) => ({ spec, indexes: status?.indexes })),
    of(api, IPAddress, ({ spec }) => spec),
    of(api, IPClaim, ({ status }) => status?.address?.name),
    of(api, IPPool, ({ spec, status }) => ({ spec, indexes: status?.indexes })),
    of(api, Secret, ({ type, data }) => ({ type, data })),
    of(api, BareMetalHost, ({ spec, status }) => ({ spec, state: status?.provisioning?.state })),
    of(api, Metal3Machine, ({ metadata, spec, status }) => ({
      host: metadata.annotations?.[HOST_ANNOTATION],
      spec,
      ready: status?.initialization?.provisioned,
    })),
    of(api, Metal3Cluster, ({ spec, status }) => ({ spec, ready: status?.initialization?.provisioned })),
    of(api, Machine, ({ spec, status }) => ({ spec, node: status?.nodeRef?.name })),
    of(api, Cluster, ({ spec, status }) => ({ spec, ready: status?.initialization?.infrastructureProvisioned })),
  ];
  return Object.assign({}, ...(await Promise.all(parts)));
}

/** What clusterctl asks before it moves anything, and all else that a fleet comes to by itself. */
export async function isAtWork(api: Api, count: number): Promise<boolean> {
  const all = <T extends KubeObject>(kind: Kind<T>) => api.list(kind, { namespace: NS }).then(({ items }) => items);
  const [clusters, machines, metal, data, hosts] = [
    await all(Cluster),
    await all(Machine),
    await all(Metal3Machine),
    await all(Metal3Data),
    await all(BareMetalHost),
  ];
  return (
    [machines, metal, data, hosts].every(each => each.length === count) &&
    clusters.length === 1 &&
    clusters.every(each => isTrue(each, 'ControlPlaneInitialized') && isTrue(each, 'InfrastructureReady')) &&
    machines.every(({ status }) => status?.nodeRef !== undefined) &&
    metal.every(each => isTrue(each, 'Ready')) &&
    data.every(({ status }) => status?.ready === true) &&
    hosts.every(({ status }) => status?.provisioning?.state === 'provisioned')
  );
}
