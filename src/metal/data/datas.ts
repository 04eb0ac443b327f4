// Metal3Datas as the cache has them, found by what points at them: Claim, Template, Metal3Machine, Cluster, secrets.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isDeleting, keyText, type ObjectKey } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';

const BY_CLAIM_UID = 'metal.claim-uid';
const BY_CLAIM = 'metal.claim';
const BY_TEMPLATE_UNREADY = 'metal.template-unready';
const BY_MACHINE_UNREADY = 'metal.machine-unready';
const BY_MACHINE = 'metal.machine';
const BY_CLUSTER = 'metal.cluster';
const BY_SECRET = 'metal.secret';

type Cached = Pick<KubeWorld, 'caches'>;

function indexed({ caches }: Cached): Informer<Metal3Data> {
  const datas = caches.of(Metal3Data);
  datas.index(BY_CLAIM_UID, data => ownersOf(data, Metal3DataClaim).map(({ uid }) => uid));
  datas.index(BY_CLAIM, data => in_(data, data.spec?.claim?.name));
  datas.index(BY_TEMPLATE_UNREADY, data => unready(data, data.spec?.template?.name));
  datas.index(BY_MACHINE_UNREADY, data => ownersOf(data, Metal3Machine).flatMap(({ name }) => unready(data, name)));
  datas.index(BY_MACHINE, data => in_(data, ownersOf(data, Metal3Machine)[0]?.name ?? data.spec?.claim?.name));
  datas.index(BY_CLUSTER, data => [
    keyText({ namespace: data.metadata.namespace ?? '', name: data.metadata.labels?.[CLUSTER_NAME_LABEL] ?? '' }),
  ]);
  datas.index(BY_SECRET, data => [data.spec?.metaData, data.spec?.networkData].flatMap(ref => in_(data, ref?.name)));
  return datas;
}

const in_ = ({ metadata: { namespace = '' } }: Metal3Data, name: string | undefined): readonly string[] =>
  name === undefined || name === '' ? [] : [keyText({ namespace, name })];

const unready = (data: Metal3Data, name: string | undefined): readonly string[] =>
  isDeleting(data) || data.status?.ready === true ? [] : in_(data, name);

/** Datas that a Claim of this UID owns. */
export const datasOfClaimUid = (uid: string, world: Cached): readonly Metal3Data[] =>
  indexed(world).by(BY_CLAIM_UID, uid);

/** Datas whose spec names a Claim: of this one, or of an earlier one of that name. */
export const datasNamingClaim = (claim: ObjectKey, world: Cached): readonly Metal3Data[] =>
  indexed(world).by(BY_CLAIM, keyText(claim));

/** Datas that may wait for something of their Template. */
export const unreadyDatasOfTemplate = (template: ObjectKey, world: Cached): readonly Metal3Data[] =>
  indexed(world).by(BY_TEMPLATE_UNREADY, keyText(template));

/** Datas that may wait for something of their Metal3Machine. */
export const unreadyDatasOfMachine = (machine: ObjectKey, world: Cached): readonly Metal3Data[] =>
  indexed(world).by(BY_MACHINE_UNREADY, keyText(machine));

/** Datas of a machine whose Claim is not there: they may be held for the sake of its host (metal-h1). */
export function strandedDatasOfMachine(machine: ObjectKey, world: Cached): readonly Metal3Data[] {
  const claims = world.caches.of(Metal3DataClaim);
  const hasClaim = (data: Metal3Data): boolean => {
    const { namespace = '' } = data.metadata;
    const claim = claims.get({ namespace, name: data.spec?.claim?.name ?? '' });
    return claim !== undefined && ownersOf(data, Metal3DataClaim).some(({ uid }) => uid === claim.metadata.uid);
  };
  return indexed(world)
    .by(BY_MACHINE, keyText(machine))
    .filter(data => !hasClaim(data));
}

/** Datas of a Cluster, and those whose label names none: they may be of this one all the same (metal-G15). */
export const datasOfCluster = ({ namespace = '', name }: ObjectKey, world: Cached): readonly Metal3Data[] => [
  ...indexed(world).by(BY_CLUSTER, keyText({ namespace, name })),
  ...indexed(world).by(BY_CLUSTER, keyText({ namespace, name: '' })),
];

/** Datas whose secret has this name. */
export const datasNamingSecret = (secret: ObjectKey, world: Cached): readonly Metal3Data[] =>
  indexed(world).by(BY_SECRET, keyText(secret));
