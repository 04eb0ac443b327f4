// Pools, claims and addresses for the tests of this folder, in the namespace that those use.

import { CapiIPAddress } from '../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../kinds/generated/ip-claim.generated.ts';
import { IPPool, type IPPoolSpec } from '../kinds/generated/ip-pool.generated.ts';
import type { Api } from '../kube/api.ts';
import { conditionOf } from '../kube/conditions.ts';
import { apiVersionOf, type Kind } from '../kube/kind.ts';
import type { KubeObject, ObjectKey, ObjectMeta } from '../kube/object.ts';

export const METAL3_KINDS: readonly Kind[] = [IPPool, IPClaim, IPAddress];
export const CAPI_KINDS: readonly Kind[] = [IPAddressClaim, CapiIPAddress];

type Meta = Partial<ObjectMeta>;

export const at = (name: string): ObjectKey => ({ namespace: 'metal', name });

export function objectOf<T extends KubeObject>(kind: Kind<T>, name: string, spec: unknown, metadata: Meta = {}): T {
  const object: KubeObject & { readonly spec: unknown } = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { name, namespace: 'metal', ...metadata },
    spec,
  };
  return object as KubeObject as T;
}

export const aPool = (api: Api, spec: Partial<IPPoolSpec> = {}, name = 'pool', metadata: Meta = {}): Promise<IPPool> =>
  api.create(
    IPPool,
    objectOf(
      IPPool,
      name,
      { namePrefix: 'ip', pools: [{ start: '192.168.0.10', end: '192.168.0.20' }], ...spec },
      metadata,
    ),
  );

export const aClaim = (api: Api, name: string, metadata: Meta = {}, pool = 'pool'): Promise<IPClaim> =>
  api.create(IPClaim, objectOf(IPClaim, name, { pool: { name: pool } }, metadata));

export const aCapiClaim = (api: Api, name: string, metadata: Meta = {}, ref: object = {}): Promise<IPAddressClaim> =>
  api.create(
    IPAddressClaim,
    objectOf(
      IPAddressClaim,
      name,
      { poolRef: { name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io', ...ref } },
      metadata,
    ),
  );

export const anAddress = (api: Api, address: string, claim: string, metadata: Meta = {}): Promise<IPAddress> =>
  api.create(
    IPAddress,
    objectOf(
      IPAddress,
      `ip-${address.replaceAll(/[.:]/g, '-')}`,
      { address, pool: { name: 'pool' }, claim: claim === '' ? {} : { name: claim } },
      metadata,
    ),
  );

export const aCapiAddress = (api: Api, address: string, claim: string, metadata: Meta = {}): Promise<CapiIPAddress> =>
  api.create(
    CapiIPAddress,
    objectOf(
      CapiIPAddress,
      `ip-${address.replaceAll(/[.:]/g, '-')}`,
      {
        address,
        prefix: 24,
        poolRef: { name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' },
        claimRef: { name: claim },
      },
      metadata,
    ),
  );

export const ownedBy = (kind: Kind, { metadata }: KubeObject) => [
  { apiVersion: apiVersionOf(kind), kind: kind.kind, name: metadata.name, uid: metadata.uid ?? '' },
];

/** `False PoolExhausted: Exhausted IP Pools` */
export function said(object: KubeObject | undefined, type = 'Ready'): string | undefined {
  const condition = object === undefined ? undefined : conditionOf(object, type);
  return condition === undefined ? undefined : `${condition.status} ${condition.reason}: ${condition.message}`;
}

export const claimNamed = (api: Api, name: string): Promise<IPClaim | undefined> => api.find(IPClaim, at(name));
export const poolNamed = (api: Api, name = 'pool'): Promise<IPPool | undefined> => api.find(IPPool, at(name));

/** `a 192.168.0.10` of every address, by name. */
export async function addresses(api: Api): Promise<readonly string[]> {
  const { items } = await api.list(IPAddress);
  return items.map(({ spec }) => `${spec?.claim.name ?? ''} ${spec?.address}`);
}

/** `a 192.168.0.10` of every address of Cluster API's kind, by name. */
export async function capiAddresses(api: Api): Promise<readonly string[]> {
  const { items } = await api.list(CapiIPAddress);
  return items.map(({ spec }) => `${spec?.claimRef.name} ${spec?.address}`);
}

/** How many objects of each of our kinds are left, leaving out those of which there are none. */
export async function left(api: Api, kinds: readonly Kind[] = [...METAL3_KINDS, ...CAPI_KINDS]): Promise<object> {
  const counts: [string, number][] = [];
  for (const kind of kinds) counts.push([kind.plural, (await api.list(kind)).items.length]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}
