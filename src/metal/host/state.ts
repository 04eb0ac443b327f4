// What a host's state of provisioning says: whether it can be taken, whether it runs somebody's system, whether it is off.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { HOST_DETACHED_ANNOTATION, HOST_PAUSED_ANNOTATION } from '../../kinds/metal-wire.ts';
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
  const frozen = [HOST_PAUSED_ANNOTATION, HOST_DETACHED_ANNOTATION].flatMap(name => {
    const value = annotationOf(host, name);
    return value === undefined ? [] : [`${name}${value === '' ? '' : `=${value}`}`];
  });
  const why = frozen.length === 0 ? '' : `: nothing is done to it while it has the annotation ${frozen.join(' and ')}`;
  return `${errorMessage === '' ? '' : `: ${errorMessage}`}${why}`;
}

/** It was told to stay on, and runs what its owner installed: nothing is left to do once nobody gives it an image. */
export const mayStayOn = (host: BareMetalHost): boolean =>
  stateOf(host) === EXTERNALLY_PROVISIONED && host.spec?.online === true && !hasSystem(host);

/**
 * What a released host has yet to do before its addresses may go to another (metal-h1); undefined when nothing is left.
 * One that is to stay on (fast track, or its power must not be cut) is done once its image is gone. With power on and no
 * word of what it runs it is none of both.
 */
export function unfinishedRelease(host: BareMetalHost): string | undefined {
  const state = stateOf(host);
  if (state === EXTERNALLY_PROVISIONED) return untilOff(host);
  if (UNTOLD.has(state)) return isOn(host) ? `${untold(host)}${whyStuck(host)}` : undefined;
  if (!BARE.has(state)) {
    return `BareMetalHost ${host.metadata.name} to be deprovisioned, now ${state}${whyStuck(host)}`;
  }
  return isAvailable(host) && host.spec?.online === false ? untilOff(host) : undefined;
}

const isOn = ({ status }: BareMetalHost): boolean => status?.poweredOn === true;

function untilOff(host: BareMetalHost): string | undefined {
  if (!isOn(host)) return undefined;
  const isKeptOn = host.spec?.disablePowerOff === true ? ': spec.disablePowerOff keeps it on' : '';
  return `BareMetalHost ${host.metadata.name} to be powered off${isKeptOn}${whyStuck(host)}`;
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
