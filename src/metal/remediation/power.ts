// A host's power, as a remediation asks for it: an annotation of its own keeps it off, and its absence lets it on again.

import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { isBeingMoved } from '../../kinds/pause.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { patchMetadata } from '../../kube/finalizers.ts';
import { annotationOf } from '../../kube/object.ts';
import { unprovenGone } from '../../kube/perhaps-gone.ts';
import { POWER_OFF_VALUE, powerOffKey, powerOffKeyOf, powerOffUids } from './names.ts';

const BY_REMEDIATION = 'metal.host.remediation';
const KEPT_OFF = 'metal.host.keptOff';

export const isOffAskedBy = (remediation: Metal3Remediation, host: BareMetalHost): boolean =>
  annotationOf(host, powerOffKey(remediation)) !== undefined;

/** Known off: a host that has not said so may still run what is about to be started elsewhere. */
export const isKnownOff = ({ status }: BareMetalHost): boolean => status?.poweredOn === false;

export const isOn = ({ status }: BareMetalHost): boolean => status?.poweredOn === true;

/** Nothing is written to what clusterctl takes away (metal-7.13). */
export async function askOff(remediation: Metal3Remediation, host: BareMetalHost, { api }: KubeWorld): Promise<void> {
  if (isBeingMoved(host)) return;
  await patchMetadata(api, BareMetalHost, host, { annotations: { [powerOffKey(remediation)]: POWER_OFF_VALUE } });
}

/** Lets every host on that a remediation keeps off: found by its UID on the host, whatever is left of all in between. */
export async function letOn(uid: string, world: Pick<KubeWorld, 'api' | 'caches'>): Promise<void> {
  for (const host of hostsKeptOffBy(uid, world)) await letOneOn(uid, host, world);
}

export async function letOneOn(uid: string, host: BareMetalHost, { api }: Pick<KubeWorld, 'api'>): Promise<void> {
  if (isBeingMoved(host)) return;
  const written = patchMetadata(api, BareMetalHost, host, { annotations: { [powerOffKeyOf(uid)]: null } });
  await unprovenGone(BareMetalHost, host, written);
}

type Cached = Pick<KubeWorld, 'caches'>;

export const hostsKeptOffBy = (uid: string, world: Cached): readonly BareMetalHost[] =>
  indexed(world).by(BY_REMEDIATION, uid);

export const hostsKeptOff = (namespace: string, world: Cached): readonly BareMetalHost[] =>
  indexed(world).by(KEPT_OFF, namespace);

function indexed({ caches }: Cached): Informer<BareMetalHost> {
  const hosts = caches.of(BareMetalHost);
  hosts.index(BY_REMEDIATION, ({ metadata }) => powerOffUids(metadata.annotations));
  hosts.index(KEPT_OFF, ({ metadata }) =>
    powerOffUids(metadata.annotations).length === 0 ? [] : [metadata.namespace ?? ''],
  );
  return hosts;
}
