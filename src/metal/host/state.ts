// What a host's state of provisioning says: whether it can be taken, whether it runs somebody's system, whether it is off.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { HOST_PAUSED_ANNOTATION } from '../../kinds/metal-wire.ts';
import { annotationOf } from '../../kube/object.ts';

const PROVISIONED = 'provisioned';
const EXTERNALLY_PROVISIONED = 'externally provisioned';

const AVAILABLE: ReadonlySet<string> = new Set(['ready', 'available']);

/** States in which a host runs no image: none has been put on it, or it is gone again. */
const BARE: ReadonlySet<string> = new Set([
  '',
  'unmanaged',
  'registering',
  'match profile',
  'inspecting',
  ...AVAILABLE,
]);

export const stateOf = ({ status }: BareMetalHost): string => status?.provisioning?.state ?? '';

export const isAvailable = (host: BareMetalHost): boolean => AVAILABLE.has(stateOf(host));

export const isProvisioned = (host: BareMetalHost): boolean => stateOf(host) === PROVISIONED;

/** Whether it is told to run something. */
export const hasSystem = ({ spec }: BareMetalHost): boolean =>
  (spec?.image?.url ?? '') !== '' || spec?.customDeploy !== undefined;

/** What keeps a host from what is waited for, to go on after that: its own error, or that somebody has frozen it. */
export function whyStuck(host: BareMetalHost): string {
  const errorMessage = host.status?.errorMessage ?? '';
  const paused = annotationOf(host, HOST_PAUSED_ANNOTATION);
  const frozen =
    paused === undefined
      ? ''
      : `: nothing is done to it while it has the annotation ${HOST_PAUSED_ANNOTATION}${paused === '' ? '' : `=${paused}`}`;
  return `${errorMessage === '' ? '' : `: ${errorMessage}`}${frozen}`;
}

/**
 * What a released host has yet to do before its addresses may go to another (metal-h1); undefined when nothing is left.
 * One that is to stay on (fast track, or its power must not be cut) is done once its image is gone.
 */
export function unfinishedRelease(host: BareMetalHost): string | undefined {
  const { name } = host.metadata;
  const { poweredOn = false } = host.status ?? {};
  const why = whyStuck(host);
  if (stateOf(host) === EXTERNALLY_PROVISIONED) {
    return poweredOn ? `BareMetalHost ${name} to be powered off${why}` : undefined;
  }
  if (!BARE.has(stateOf(host))) return `BareMetalHost ${name} to be deprovisioned, now ${stateOf(host)}${why}`;
  const isToBeOff = isAvailable(host) && host.spec?.online === false;
  return isToBeOff && poweredOn ? `BareMetalHost ${name} to be powered off${why}` : undefined;
}
