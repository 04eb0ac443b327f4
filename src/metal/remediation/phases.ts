// The two phases of a reboot: off, with the Node fenced; then on, with the Node as it was. Each try has its time (metal-B3).

import { kubeTime, seconds } from '../../base/clock.ts';
import type { Subject } from '../../deletion/quiet-controller.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { METAL3_REMEDIATION_FINALIZER } from '../../kinds/metal-wire.ts';
import { putOn } from '../../kube/finalizers.ts';
import { hasFinalizer, keyOf } from '../../kube/object.ts';
import { done, type Outcome, type Wait, wait } from '../../kube/outcome.ts';
import type { MetalWorld } from '../world.ts';
import { fence } from './fence.ts';
import { handToOwner, markUnhealthy } from './hand-over.ts';
import { askOff, isKnownOff, isOffAskedBy, isOn, letOneOn } from './power.ts';
import { hasRetryLeft, timeLeftMs } from './remediations.ts';
import type { Whole } from './scene.ts';
import { forget, NODE_NOT_BACK, unfence } from './unfence.ts';

const RECHECK_MS = seconds(30);

type Repaired = Subject<Metal3Remediation>;

/** The finalizer is stored before the host is touched (metal-b). */
export async function begin(subject: Repaired, world: MetalWorld): Promise<Outcome> {
  await hold(subject, world);
  return enter(subject, world, {});
}

export async function running(subject: Repaired, scene: Whole, world: MetalWorld): Promise<Outcome> {
  await hold(subject, world);
  if (!isOffAskedBy(subject.object, scene.host)) await askOff(subject.object, scene.host, world);
  if (!isKnownOff(scene.host)) return inTime(subject, scene, world) ?? endTry(subject, scene, world);
  const held = await fence(subject, scene, world);
  if (held !== undefined) return held;
  world.events.normal(subject.object, 'HostSwitchedOff', 'The host is off: it is switched on again');
  // A try whose time went by in waiting for the Node gives the host time all the same to come on.
  const isLate = timeLeftMs(subject.object, world) === 0;
  return done({
    status: { phase: 'Waiting', ...(isLate ? { lastRemediated: kubeTime(world.clock.now()) } : {}) },
  });
}

export async function waiting(subject: Repaired, scene: Whole, world: MetalWorld): Promise<Outcome> {
  const { host } = scene;
  if (isOffAskedBy(subject.object, host)) await letOneOn(subject.object.metadata.uid ?? '', host, world);
  if (!isOn(host)) return inTime(subject, scene, world) ?? endTry(subject, scene, world);
  const held = await restored(subject, scene, world);
  const leftMs = timeLeftMs(subject.object, world);
  // A cluster that is not known says nothing about the Node: nobody is replaced for that (metal-B4).
  if (held !== undefined && (leftMs > 0 || held.reason !== NODE_NOT_BACK)) return held;
  // Whoever asked for this deletes it when the Machine is healthy. Until then the time of the try runs on.
  return leftMs > 0 ? done(undefined, leftMs) : endTry(subject, scene, world);
}

async function hold(subject: Repaired, { api }: MetalWorld): Promise<void> {
  subject.object = await putOn(api, Metal3Remediation, subject.object, METAL3_REMEDIATION_FINALIZER);
}

function enter({ object }: Repaired, { clock, events }: MetalWorld, more: { readonly retryCount?: number }): Outcome {
  const { retryCount } = more;
  const which = retryCount === undefined ? '' : ` (retry ${retryCount})`;
  events.normal(object, 'RemediationStarted', `The host is to be switched off and on again${which}`);
  return done({ status: { phase: 'Running', lastRemediated: kubeTime(clock.now()), ...more } });
}

/** While there is time, a wait for the host's power; undefined when it is up. */
function inTime({ object }: Repaired, { host }: Whole, world: MetalWorld): Wait | undefined {
  const leftMs = timeLeftMs(object, world);
  if (leftMs === 0) return undefined;
  const { errorMessage = '' } = host.status ?? {};
  const error = errorMessage === '' ? '' : `: ${errorMessage}`;
  const power = object.status?.phase === 'Waiting' ? 'on' : 'off';
  const what = `BareMetalHost ${host.metadata.name} to be switched ${power}${error}`;
  return wait({ kind: BareMetalHost, ...keyOf(host) }, what, Math.min(RECHECK_MS, leftMs), {
    reason: `Switching${power === 'on' ? 'On' : 'Off'}`,
  });
}

async function restored(subject: Repaired, { machine }: Whole, world: MetalWorld): Promise<Wait | undefined> {
  if (!hasFinalizer(subject.object, METAL3_REMEDIATION_FINALIZER)) return undefined;
  const held = await unfence(subject.object, machine, world);
  if (held !== undefined) return held;
  await forget(subject, world);
  world.events.normal(subject.object, 'HostRebooted', 'The host is on again');
  return undefined;
}

async function endTry(subject: Repaired, { machine, host }: Whole, world: MetalWorld): Promise<Outcome> {
  const { retryCount = 0 } = subject.object.status ?? {};
  if (hasRetryLeft(subject.object)) return enter(subject, world, { retryCount: retryCount + 1 });
  const why = `A reboot of BareMetalHost ${host.metadata.name} did not help, ${retryCount + 1} times`;
  await markUnhealthy(host, world);
  await handToOwner(machine, why, world);
  world.events.warning(subject.object, 'RetriesExhausted', `${why}: the Machine is to be replaced by its owner`);
  return done({ status: { phase: 'Deleting machine' } });
}
