// Remediations as the cache has them: by the Machine they are for, and how much time and how many tries each has left.

import { millisOf, seconds } from '../../base/clock.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';

const BY_MACHINE = 'metal.remediation.machine';
const BY_UID = 'metal.remediation.uid';

/** Upstream's defaults, where its own definition has none. */
const TIMEOUT_SECONDS = 600;
const RETRY_LIMIT = 1;

export function remediations({ caches }: Pick<KubeWorld, 'caches'>): Informer<Metal3Remediation> {
  const informer = caches.of(Metal3Remediation);
  informer.index(BY_MACHINE, each => {
    const { namespace = '' } = each.metadata;
    return ownersOf(each, Machine).map(({ name }) => keyText({ namespace, name }));
  });
  informer.index(BY_UID, ({ metadata: { uid } }) => (uid === undefined ? [] : [uid]));
  return informer;
}

export const remediationOfUid = (uid: string, world: Pick<KubeWorld, 'caches'>): Metal3Remediation | undefined =>
  remediations(world).by(BY_UID, uid)[0];

export const remediationsOf = (machine: ObjectKey, world: Pick<KubeWorld, 'caches'>): readonly ObjectKey[] =>
  remediations(world).by(BY_MACHINE, keyText(machine)).map(keyOf);

export const timeoutMs = ({ spec }: Metal3Remediation): number =>
  seconds(spec?.strategy?.timeoutSeconds ?? TIMEOUT_SECONDS);

/** What is left of the time that this try may take; nothing once it is up. A try that has no beginning has all of it. */
export function timeLeftMs(remediation: Metal3Remediation, { clock }: Pick<KubeWorld, 'clock'>): number {
  const begunMs = millisOf(remediation.status?.lastRemediated);
  if (Number.isNaN(begunMs)) return timeoutMs(remediation);
  return Math.max(0, begunMs + timeoutMs(remediation) - clock.now());
}

export function hasRetryLeft({ spec, status }: Metal3Remediation): boolean {
  return (status?.retryCount ?? 0) < (spec?.strategy?.retryLimit ?? RETRY_LIMIT);
}
