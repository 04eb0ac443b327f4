// Metal3DataClaims as the cache has them, found by what points at them: Template, owner, Cluster.

import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isDeleting, keyText, type ObjectKey, type OwnerReference } from '../../kube/object.ts';

const BY_TEMPLATE = 'metal.template';
const BY_TEMPLATE_UNRENDERED = 'metal.template-unrendered';
const BY_CLUSTER = 'metal.cluster';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed({ caches }: Cached): Informer<Metal3DataClaim> {
  const claims = caches.of(Metal3DataClaim);
  claims.index(BY_TEMPLATE, templateKeyOf);
  claims.index(BY_TEMPLATE_UNRENDERED, claim => (isUnrendered(claim) ? templateKeyOf(claim) : []));
  claims.index(BY_CLUSTER, ({ metadata }) => [
    keyText({ namespace: metadata.namespace ?? '', name: metadata.labels?.[CLUSTER_NAME_LABEL] ?? '' }),
  ]);
  return claims;
}

function templateKeyOf({ metadata: { namespace = '' }, spec }: Metal3DataClaim): readonly string[] {
  const name = spec?.template?.name ?? '';
  return name === '' ? [] : [keyText({ namespace, name })];
}

const isUnrendered = (claim: Metal3DataClaim): boolean =>
  !isDeleting(claim) && (claim.status?.renderedData?.name ?? '') === '';

/** All Claims that name a Template: those that are being deleted too. */
export const claimsOfTemplate = (template: ObjectKey, world: Cached): readonly Metal3DataClaim[] =>
  indexed(world).by(BY_TEMPLATE, keyText(template));

/** Claims that may wait for something of their Template. */
export const unrenderedClaimsOf = (template: ObjectKey, world: Cached): readonly Metal3DataClaim[] =>
  indexed(world).by(BY_TEMPLATE_UNRENDERED, keyText(template));

/** Claims of a Cluster, and those whose label names none: they may be of this one all the same. */
export const claimsOfCluster = ({ namespace = '', name }: ObjectKey, world: Cached): readonly Metal3DataClaim[] => [
  ...indexed(world).by(BY_CLUSTER, keyText({ namespace, name })),
  ...indexed(world).by(BY_CLUSTER, keyText({ namespace, name: '' })),
];

/** The Metal3Machine that a Claim is for: its owner of that kind. */
export const machineOwnerOf = ({ metadata }: Metal3DataClaim): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ kind }) => kind === Metal3Machine.kind);
