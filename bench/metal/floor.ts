// The floor: the writes that Pippin makes for a claim and for its deletion, made by a bare client that decides nothing.

import { IPAddress } from '../../src/kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../src/kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import {
  IP_ADDRESS_FINALIZER,
  IP_CLAIM_FINALIZER,
  ipClaimName,
  METAL3_DATA_CLAIM_FINALIZER,
  METAL3_DATA_FINALIZER,
  METAL3_SECRET_TYPE,
  metaDataSecretName,
  metal3DataName,
  networkDataSecretName,
} from '../../src/kinds/metal-wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { Secret } from '../../src/kube/core/other.ts';
import type { Kind } from '../../src/kube/kind.ts';
import { type KubeObject, keyOf, type OwnerReference } from '../../src/kube/object.ts';
import { ownerReferenceTo } from '../../src/kube/owners.ts';
import { at, claimOf, LABELS, nameOf, objectOf, POOL, TEMPLATE } from './objects.ts';

/** What one claim's writes left, as the last of them answered. */
export interface Chain {
  readonly claim: Metal3DataClaim;
  readonly data: Metal3Data;
  readonly lease: IPClaim;
  readonly address: IPAddress;
  readonly secrets: readonly string[];
}

/** Of the sizes that rendering gives. */
const META_DATA = 'address: 10.20.100.100\nindex: "1000"\n';
const NETWORK_DATA = JSON.stringify({ links: [{ id: 'eth0' }], networks: [{ id: 'net0' }], services: [] }).repeat(5);

export interface FloorPlace {
  readonly api: Api;
  readonly namespace: string;
  readonly owners: readonly OwnerReference[];
  readonly pool: OwnerReference;
}

const locked = (
  { metadata: { uid, resourceVersion } }: KubeObject,
  change: Readonly<Record<string, unknown>> = {},
) => ({
  metadata: { uid, resourceVersion, ...change },
});

/** The claim's creation and nine writes more. */
export async function createChain(place: FloorPlace, n: number): Promise<Chain> {
  const { api, namespace } = place;
  const owner = place.owners[n] ?? { apiVersion: '', kind: '', name: '', uid: '' };
  const posted = await api.create(Metal3DataClaim, claimOf(namespace, n, owner));
  const finalizers = [METAL3_DATA_CLAIM_FINALIZER];
  const held = await api.patch(Metal3DataClaim, keyOf(posted), locked(posted, { finalizers }));
  const data = await api.create(Metal3Data, dataOf(held, owner, n));
  const renderedData = { name: data.metadata.name, namespace };
  const claim = await patchStatus(api, Metal3DataClaim, held, { renderedData });
  const asked = await api.create(IPClaim, leaseOf(data));
  const address = await api.create(IPAddress, addressOf(place, asked, n));
  const lease = await patchStatus(api, IPClaim, asked, { address: { name: address.metadata.name, namespace } });
  const secrets = [metaDataSecretName(nameOf(n)), networkDataSecretName(nameOf(n))];
  await createSecret(api, data, [secrets[0] ?? '', 'metaData', META_DATA]);
  await createSecret(api, data, [secrets[1] ?? '', 'networkData', NETWORK_DATA]);
  return { claim, data: await patchStatus(api, Metal3Data, data, { ready: true }), lease, address, secrets };
}

/** The claim's deletion and ten writes more, each finalizer coming off after what it protects. */
export async function deleteChain({ api, namespace }: FloorPlace, chain: Chain): Promise<void> {
  const { claim, data, lease, address, secrets } = chain;
  const letGo = async (kind: Kind, object: KubeObject, keeps: readonly string[]): Promise<KubeObject> => {
    const patched = await api.patch(kind, keyOf(object), locked(object, { finalizers: keeps }));
    await api.delete(kind, keyOf(object), { uid: object.metadata.uid ?? '' });
    return patched;
  };
  const takeOff = (kind: Kind, object: KubeObject): Promise<KubeObject> =>
    api.patch(kind, keyOf(object), { metadata: { uid: object.metadata.uid, finalizers: [] } });
  await api.delete(Metal3DataClaim, keyOf(claim));
  await api.delete(Metal3Data, keyOf(data), { uid: data.metadata.uid ?? '' });
  await takeOff(Metal3DataClaim, claim);
  await letGo(IPClaim, lease, [IP_CLAIM_FINALIZER]);
  for (const name of secrets) await api.delete(Secret, at(namespace, name));
  await takeOff(Metal3Data, data);
  await letGo(IPAddress, address, []);
  await takeOff(IPClaim, lease);
}

function dataOf(claim: Metal3DataClaim, machine: OwnerReference, n: number): Metal3Data {
  const { namespace = '', name } = claim.metadata;
  return objectOf(Metal3Data, at(namespace, metal3DataName(TEMPLATE, n)), {
    metadata: {
      labels: LABELS,
      finalizers: [METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_FINALIZER],
      ownerReferences: [ownerReferenceTo(Metal3DataClaim, claim, 'controller'), machine],
    },
    spec: {
      index: n,
      claim: { name, namespace },
      template: { name: TEMPLATE, namespace },
      metaData: { name: metaDataSecretName(machine.name), namespace },
      networkData: { name: networkDataSecretName(machine.name), namespace },
    },
  });
}

function leaseOf(data: Metal3Data): IPClaim {
  const { namespace = '', name } = data.metadata;
  return objectOf(IPClaim, at(namespace, ipClaimName(name, POOL)), {
    metadata: {
      labels: LABELS,
      finalizers: [METAL3_DATA_FINALIZER, IP_CLAIM_FINALIZER],
      ownerReferences: [ownerReferenceTo(Metal3Data, data, 'controller')],
    },
    spec: { pool: { name: POOL, namespace } },
  });
}

function addressOf({ namespace, pool }: FloorPlace, lease: IPClaim, n: number): IPAddress {
  const [high, low] = [Math.floor((n + 10) / 256), (n + 10) % 256];
  return objectOf(IPAddress, at(namespace, `${POOL}-10-20-${high}-${low}`), {
    metadata: {
      labels: LABELS,
      finalizers: [IP_ADDRESS_FINALIZER],
      ownerReferences: [pool, ownerReferenceTo(IPClaim, lease, 'owner')],
    },
    spec: {
      address: `10.20.${high}.${low}`,
      prefix: 16,
      gateway: '10.20.0.1',
      pool: { name: POOL, namespace },
      claim: { name: lease.metadata.name, namespace },
    },
  });
}

function patchStatus<T extends KubeObject>(api: Api, kind: Kind<T>, object: T, status: object): Promise<T> {
  return api.patch(kind, keyOf(object), { ...locked(object), status }, { subresource: 'status' });
}

async function createSecret(api: Api, data: Metal3Data, what: readonly [string, string, string]): Promise<void> {
  const [name, key, text] = what;
  await api.create(
    Secret,
    objectOf(Secret, at(data.metadata.namespace ?? '', name), {
      metadata: { labels: LABELS, ownerReferences: [ownerReferenceTo(Metal3Data, data, 'controller')] },
      type: METAL3_SECRET_TYPE,
      data: { [key]: Buffer.from(text).toString('base64') },
    }),
  );
}

/** What addresses name as their pool. */
export async function poolReference(api: Api, namespace: string): Promise<OwnerReference> {
  return ownerReferenceTo(IPPool, await api.get(IPPool, at(namespace, POOL)), 'owner');
}
