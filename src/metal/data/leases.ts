// Claims for addresses, as the cache has them: those of a Data by its UID, and how one is made for it.

import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { madeFor, makersOf } from '../../kinds/made-for.ts';
import {
  DATA_NAME_LABEL,
  dataNameOf,
  IP_CLAIM_FINALIZER,
  ipClaimName,
  METAL3_DATA_FINALIZER,
  POOL_NAME_LABEL,
} from '../../kinds/metal-wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { apiVersionOf, type Kind } from '../../kube/kind.ts';
import { hasFinalizer, type KubeObject, keyText, labelOf, type ObjectKey, type ObjectMeta } from '../../kube/object.ts';
import { ownerReferenceTo } from '../../kube/owners.ts';
import type { PoolReference } from '../rendering/index.ts';

/** Both kinds of claims: Metal3's own, and Cluster API's for any other provider. */
export const LEASE_KINDS: readonly Kind[] = [IPClaim, IPAddressClaim];

/** Whatever has to do with addresses: a cluster whose templates name no pool of a sort needs none of its kinds. */
export const POOL_KINDS: readonly Kind[] = [...LEASE_KINDS, IPAddress, CapiIPAddress, IPPool];

const BY_DATA = 'metal.data';
const BY_POOL = 'metal.pool';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed<T extends KubeObject>(kind: Kind<T>, { caches }: Cached): Informer<T> {
  const leases = caches.of(kind);
  leases.index(BY_DATA, lease => dataKeysOf(lease).map(keyText));
  return leases;
}

/** The Datas that a lease is for: by who made it, and by its label or its name where nobody says so (metal-d). */
export function dataKeysOf(lease: KubeObject): readonly ObjectKey[] {
  const { namespace = '' } = lease.metadata;
  const makers = makersOf(lease).map(({ name }) => ({ namespace, name }));
  if (makers.length > 0) return makers;
  const name = nameTold(lease);
  return name === '' ? [] : [{ namespace, name }];
}

/** Neither noted nor labelled: its name alone is no reason to keep it. */
export const isNobodys = (lease: KubeObject): boolean =>
  makersOf(lease).length === 0 && (labelOf(lease, DATA_NAME_LABEL) ?? '') === '';

/** The label counts by itself; the name only together with our finalizer, for anybody may name a claim so. */
function nameTold(lease: KubeObject): string {
  const label = labelOf(lease, DATA_NAME_LABEL) ?? '';
  if (label !== '' || !hasFinalizer(lease, METAL3_DATA_FINALIZER)) return label;
  const { pool, poolRef = pool } = (lease as IPClaim & IPAddressClaim).spec ?? {};
  return dataNameOf(undefined, lease.metadata.name, poolRef?.name ?? '');
}

export interface Lease {
  readonly kind: Kind;
  readonly object: KubeObject;
}

/** All leases for Datas of this name, in its namespace only (metal-7.3): of the present one and of earlier ones. */
export const leasesOfDataName = (data: ObjectKey, world: Cached): readonly Lease[] =>
  LEASE_KINDS.flatMap(kind =>
    indexed(kind, world)
      .by(BY_DATA, keyText(data))
      .map(object => ({ kind, object })),
  );

/** Whom a lease belongs to: the UID of the Data that made it; undefined when only its label or its name tells one. */
export const ownerUidOf = ({ object }: Lease): string | undefined => makersOf(object)[0]?.uid;

/** Leases of Cluster API's kind whose pool is this one of Metal3. */
export const addressClaimsOfPool = ({ namespace = '', name }: ObjectKey, { caches }: Cached): readonly KubeObject[] => {
  const claims = caches.of(IPAddressClaim);
  claims.index(BY_POOL, ({ metadata, spec }) =>
    spec !== undefined && isMetal3Pool(spec.poolRef) ? [`${metadata.namespace ?? ''}/${spec.poolRef.name}`] : [],
  );
  return claims.by(BY_POOL, keyText({ namespace, name }));
};

export const isMetal3Pool = ({ kind, apiGroup }: Partial<PoolReference>): boolean =>
  kind === 'IPPool' && apiGroup === 'ipam.metal3.io';

/** How a lease is named: after its Data, or after its host, so that an address can be reserved for the host. */
export interface LeaseName {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

export const namedAfterData = (data: Metal3Data, pool: string): LeaseName => ({
  name: ipClaimName(data.metadata.name, pool),
  labels: {},
});

export const namedAfterHost = (data: Metal3Data, host: string, pool: string): LeaseName => ({
  name: ipClaimName(host, pool),
  labels: { [DATA_NAME_LABEL]: data.metadata.name, [POOL_NAME_LABEL]: pool },
});

/** With the address manager's own finalizer from the start: that saves it a write before it hands an address out. */
export function ipClaimFor(data: Metal3Data, pool: PoolReference, name: LeaseName): IPClaim {
  const { namespace = '' } = data.metadata;
  return {
    apiVersion: apiVersionOf(IPClaim),
    kind: IPClaim.kind,
    metadata: metadataFor(data, name, [METAL3_DATA_FINALIZER, IP_CLAIM_FINALIZER]),
    spec: { pool: { name: pool.name, namespace } },
  };
}

/** Its provider may be any: the finalizers are our own alone. */
export function addressClaimFor(data: Metal3Data, { name, kind, apiGroup }: PoolReference): IPAddressClaim {
  return {
    apiVersion: apiVersionOf(IPAddressClaim),
    kind: IPAddressClaim.kind,
    metadata: metadataFor(data, namedAfterData(data, name), [METAL3_DATA_FINALIZER]),
    spec: { poolRef: { name, kind, apiGroup } },
  };
}

function metadataFor(data: Metal3Data, { name, labels }: LeaseName, finalizers: readonly string[]): ObjectMeta {
  return {
    name,
    namespace: data.metadata.namespace ?? '',
    labels: { ...data.metadata.labels, ...labels },
    annotations: madeFor(data),
    finalizers,
    ownerReferences: [ownerReferenceTo(Metal3Data, data, 'controller')],
  };
}
