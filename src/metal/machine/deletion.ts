// Takes a machine apart: its host is emptied, powered off and given back, and only then are its addresses let go.

import { seconds } from '../../base/clock.ts';
import { type Stage, settleAll, stages } from '../../deletion/stages.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION, METAL3_MACHINE_FINALIZER } from '../../kinds/metal-wire.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { refTo } from '../../kube/api.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { Deletion } from '../../kube/controller.ts';
import { letGo } from '../../kube/finalizers.ts';
import { annotationOf, keyOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { isOwnedBy, ownersOf } from '../../kube/owners.ts';
import { unlabelBmcSecret } from '../host/bmc-secret.ts';
import { consumedBy, consumerText, isReservedFor } from '../host/consumer.ts';
import { cachedHost } from '../host/hosts.ts';
import { stillRuns } from '../host/in-use.ts';
import { runsFor } from '../host/installed.ts';
import { emptied, freed, withoutOwner } from '../host/release.ts';
import { mayStayOn, missingStatus, whyStuck } from '../host/state.ts';
import { type HostChange, missingIn, writeHost } from '../host/write.ts';
import type { MetalWorld } from '../world.ts';
import { keepingOf } from './keeping.ts';
import { clusterKeyOf, isProvisionedMachine } from './machines.ts';
import { possibleHosts } from './own-host.ts';
import { PROVISIONED } from './provisioning.ts';
import { leaving } from './readiness.ts';
import { RECHECK_MS } from './surroundings.ts';

/** A write that somebody was faster with: the watch brings what there is now. */
const AGAIN_MS = seconds(1);

const STAGES: readonly Stage<Metal3Machine, MetalWorld>[] = [
  ['ReleaseHost', releaseHosts],
  ['ReleaseClaim', releaseClaim],
];

const inStages = stages(STAGES);

/** Asks for no owner, Cluster, template or Metal3Cluster: each may be gone (metal-G12, metal-i). */
export const deletion: Deletion<Metal3Machine, MetalWorld> = {
  finalizer: METAL3_MACHINE_FINALIZER,
  async run(machine, world) {
    // safe-17: the cache may not show clusterctl's mark yet.
    const live = await world.api.find(Metal3Machine, keyOf(machine));
    if (live !== undefined && isBeingMoved(live)) {
      return wait(refTo(Metal3Machine, machine), 'clusterctl to take this object to its new cluster', RECHECK_MS);
    }
    const outcome = await inStages(machine, world);
    if (outcome.kind === 'done') return outcome;
    const conditions = [...(outcome.change?.conditions ?? []), ...leaving];
    return { ...outcome, change: { ...outcome.change, conditions } };
  },
};

async function releaseHosts(machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const outcome = await settleAll(possibleHosts(machine, world), key => releaseHost(key, machine, world));
  if (outcome.kind === 'wait' || annotationOf(machine, HOST_ANNOTATION) === undefined) return outcome;
  return done({ annotations: { [HOST_ANNOTATION]: null } });
}

/**
 * A host that is gone or another's holds nothing of this machine. That is read live: a reservation may not show yet. One
 * whose consumerRef was taken off while it ran is ours still; one that names another and runs what is ours is held.
 */
async function releaseHost(key: ObjectKey, machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const cached = cachedHost(key, world);
  const isOurs = cached !== undefined && isReservedFor(cached, machine);
  const host = isOurs ? cached : await world.api.find(BareMetalHost, key);
  if (host === undefined) return done();
  if (isBeingMoved(host)) {
    const what = `clusterctl to take BareMetalHost ${key.name} to its new cluster`;
    return wait(refTo(BareMetalHost, host), what, RECHECK_MS);
  }
  if (isReservedFor(host, machine)) return giveBack(host, machine, world);
  const left = stillRuns(host);
  if (left === undefined || !runsFor(machine, host, world)) return disown(host, machine, world);
  return host.spec?.consumerRef === undefined ? giveBack(host, machine, world) : heldByAnother(host, world);
}

/** Nobody overwrites a consumer that somebody wrote (metal-h3): who did has to say what becomes of what it runs. */
function heldByAnother(host: BareMetalHost, world: MetalWorld): Outcome {
  const { name } = host.metadata;
  const what =
    `BareMetalHost ${name} to be emptied or installed anew: its consumer is ${consumerText(host)}, but it runs what ` +
    `this machine had put on it${whyStuck(host)}. Give spec.consumerRef back to this machine, or take spec.image and ` +
    'spec.customDeploy off the host, or delete it';
  world.events.warning(host, 'RunsForAnother', `Its consumer did not install what it runs: ${what}`);
  return wait(refTo(BareMetalHost, host), what, RECHECK_MS);
}

async function giveBack(host: BareMetalHost, machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const change = missingIn(host, takenBack(host, machine, world));
  const now = change === undefined ? host : await writeHost(host, change, world);
  if (now === undefined) return changed(host);
  const left = mayStayOn(now)
    ? undefined
    : (stillRuns(now) ?? (wasProvisioned(machine) ? missingStatus(now) : undefined));
  if (left !== undefined) return wait(refTo(BareMetalHost, now), left, RECHECK_MS);
  const keeping = await keepingOf(machine, world);
  const clusterName = clusterKeyOf(machine, world)?.name;
  if (clusterName !== undefined) await unlabelBmcSecret(now, clusterName, world);
  return (await writeHost(now, freed(now, machine, keeping), world)) === undefined ? changed(host) : done();
}

/** Where it is nobody's it is the machine's again until it is empty, so that nobody takes it meanwhile. */
function takenBack(host: BareMetalHost, machine: Metal3Machine, { settings }: MetalWorld): HostChange {
  const change = emptied(host, machine, settings);
  if (host.spec?.consumerRef !== undefined) return change;
  return { ...change, spec: { ...change.spec, consumerRef: consumedBy(host, Metal3Machine, machine) } };
}

const wasProvisioned = (machine: Metal3Machine): boolean =>
  isProvisionedMachine(machine) || isTrue(machine, PROVISIONED);

/** Another's host by now. Its owner reference to us would take it with us. */
async function disown(host: BareMetalHost, machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const isOwner = ownersOf(host, Metal3Machine).some(({ uid }) => uid === machine.metadata.uid);
  const metadata = isOwner ? withoutOwner(host, machine) : undefined;
  if (metadata === undefined) return done();
  return (await writeHost(host, { metadata }, world)) === undefined ? changed(host) : done();
}

function changed(host: BareMetalHost): Outcome {
  const what = `BareMetalHost ${host.metadata.name} to be read again: it has changed`;
  return wait(refTo(BareMetalHost, host), what, AGAIN_MS);
}

/** The claim's finalizer is what keeps the machine's addresses from being another's before its host is off (metal-h1). */
async function releaseClaim(machine: Metal3Machine, world: MetalWorld): Promise<Outcome> {
  const key = keyOf(machine);
  const claim = world.caches.of(Metal3DataClaim).get(key) ?? (await world.api.find(Metal3DataClaim, key));
  if (claim === undefined || !isOf(claim, machine)) return done();
  const paused = isBeingMoved(claim) ? 'it is being moved to another cluster' : pausedBy(claim, undefined);
  if (paused !== undefined) {
    const what = `Metal3DataClaim ${key.name} to be written to again: ${paused}`;
    return wait(refTo(Metal3DataClaim, claim), what, RECHECK_MS);
  }
  await letGo(world.api, Metal3DataClaim, claim, METAL3_MACHINE_FINALIZER);
  return done();
}

/** Ours by UID (metal-G14), or nobody's: then its name is all that tells whose it was. */
const isOf = (claim: Metal3DataClaim, machine: Metal3Machine): boolean =>
  isOwnedBy(claim, Metal3Machine, machine) || ownersOf(claim, Metal3Machine).length === 0;
