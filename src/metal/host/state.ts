// What a host's state of provisioning says: whether it can be taken, whether it runs somebody's system, whether it is off.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { HOST_PAUSED_ANNOTATION } from '../../kinds/metal-wire.ts';
import { annotationOf } from '../../kube/object.ts';

const PROVISIONED = 'provisioned';
const EXTERNALLY_PROVISIONED = 'externally provisioned';

const AVAILABLE: ReadonlySet<string> = new Set(['ready', 'available']);

/** States that say nothing of what is on the disk: nobody has looked yet, or nobody is to (metal-h1). */
const UNTOLD: ReadonlySet<string> = new Set(['', 'unmanaged', 'registering']);

/** States in which a host runs no image: none has been put on it, or it is gone again. */
const BARE: ReadonlySet<string> = new Set([...UNTOLD, 'match profile', 'inspecting', ...AVAILABLE]);

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
 * One that is to stay on (fast track, or its power must not be cut) is done once its image is gone. With power on and no
 * word of what it runs it is none of both.
 */
export function unfinishedRelease(host: BareMetalHost): string | undefined {
  const { name } = host.metadata;
  const { poweredOn = false } = host.status ?? {};
  const why = whyStuck(host);
  if (stateOf(host) === EXTERNALLY_PROVISIONED) {
    return poweredOn ? `BareMetalHost ${name} to be powered off${why}` : undefined;
  }
  if (UNTOLD.has(stateOf(host))) return poweredOn ? `${untold(host)}${why}` : undefined;
  if (!BARE.has(stateOf(host))) return `BareMetalHost ${name} to be deprovisioned, now ${stateOf(host)}${why}`;
  const isToBeOff = isAvailable(host) && host.spec?.online === false;
  return isToBeOff && poweredOn ? `BareMetalHost ${name} to be powered off${why}` : undefined;
}

function untold(host: BareMetalHost): string {
  const state = stateOf(host);
  const remedy = state === 'unmanaged' ? ': nobody manages its power. Give it spec.bmc, or delete it' : '';
  return `BareMetalHost ${host.metadata.name} to be powered off, now ${state || 'without a state'}${remedy}`;
}

/** What is still to be told of a host that a machine ran on, where its status is lost; undefined when it has one. */
export function missingStatus(host: BareMetalHost): string | undefined {
  if (!UNTOLD.has(stateOf(host)) || host.status?.poweredOn !== undefined) return undefined;
  const { name } = host.metadata;
  return `BareMetalHost ${name} to have a status: it ran this machine, and nobody says whether it still does. Have its operator look at it, or delete it${whyStuck(host)}`;
}
