// Brings a Pod's VM up: base, clone, size, files, run. Each step is found done or done again after a crash.

import { seconds } from '../../base/clock.ts';
import { messageOf, PippinError } from '../../base/errors.ts';
import type { Container, Pod } from '../../kube/core/pod.ts';
import { ApiError, isConflict, isUnavailable } from '../../kube/errors.ts';
import { keyOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { Base, PullPolicy } from '../images/base.ts';
import { inTens } from '../images/shelf.ts';
import { poolOf } from '../metrics.ts';
import { runtimeFailed } from '../vm-errors.ts';
import type { AgentWorld } from '../world.ts';
import { cloneVm } from './clone.ts';
import type { PodVm } from './find-vm.ts';
import { vmSize } from './size.ts';
import { stageFiles } from './stage.ts';
import { createFailedStatus, hasRun, type StatusFacts, waitingStatus } from './status.ts';
import { kubeTimeOr } from './times.ts';
import { publish } from './writes.ts';

/** A Pod to bring up, and what it is brought up as. */
export interface Start {
  readonly pod: Pod;
  readonly container: Container;
  readonly vm: PodVm;
  readonly facts: StatusFacts;
}

const RETRY_MS = seconds(30);
const PULL_RECHECK_MS = seconds(30);
const BOOT_RECHECK_MS = seconds(1);

/** The caller has seen that no process runs. What fails here is shown on the Pod and tried again. */
export async function startVm(start: Start, world: AgentWorld): Promise<Outcome> {
  try {
    return await bringUp(start, world);
  } catch (error) {
    if (isPassing(error) || !(error instanceof PippinError)) throw error;
    const { pod, vm, facts } = start;
    world.log.warn('a VM could not be started', { vm: vm.name, code: error.code, error: messageOf(error) });
    await publish(pod, createFailedStatus(pod, facts, messageOf(error)), world);
    // What the API refuses (a token, a Secret) is shown, and tried again as the queue tries such things.
    if (error instanceof ApiError) throw error;
    return wait({ port: 'tart', subject: vm.name }, `the VM to start: ${messageOf(error)}`, RETRY_MS);
  }
}

/** Says nothing about the VM and is over in a moment: no answer, a conflict, a server in trouble. */
const isPassing = (error: unknown): boolean =>
  isUnavailable(error) || isConflict(error) || (error instanceof ApiError && error.httpStatus >= 429);

async function bringUp(start: Start, world: AgentWorld): Promise<Outcome> {
  const { pod, container, vm, facts } = start;
  const moments = world.moments.of(vm.name);
  moments.askedMs ??= world.clock.monotonic();
  if (!(await isWhole(vm, world))) {
    const state = await world.shelf.base({
      image: container.image,
      policy: policyOf(container),
      uid: pod.metadata.uid ?? '',
      wake: () => world.waker.wake(keyOf(pod)),
    });
    if (state.kind === 'working') return pulling(start, state.percent, world);
    await makeClone(start, state.base, world);
  }
  await world.runtime.resize(vm.name, vmSize(container));
  const shares = await stageFiles(pod, container, vm.name, world);
  await world.runtime.run(vm.name, { shares });
  noteStarted(pod, vm.name, world);
  const booting = { reason: 'VmBooting', message: `VM ${facts.vm} boots` };
  if (!hasRun(pod)) await publish(pod, waitingStatus(pod, facts, booting), world);
  return done(undefined, BOOT_RECHECK_MS);
}

/** On the disk, and not left half-made by a crash. */
async function isWhole({ name, record }: PodVm, { runtime }: AgentWorld): Promise<boolean> {
  if (record?.state === 'making') return false;
  const seen = await runtime.onDisk(name);
  if (seen.kind === 'unknown') throw runtimeFailed(`tart get ${name}`, seen.reason);
  return seen.kind === 'present';
}

async function pulling({ pod, container, facts }: Start, percent: number, world: AgentWorld): Promise<Outcome> {
  const message = `image ${container.image}: ${inTens(percent)} % pulled`;
  await publish(pod, waitingStatus(pod, facts, { reason: 'PullingImage', message }), world);
  return wait({ port: 'tart', subject: container.image }, `the image to be on this Mac: ${message}`, PULL_RECHECK_MS);
}

async function makeClone({ pod, container, vm }: Start, base: Base, world: AgentWorld): Promise<void> {
  const { uid = '', namespace = 'default', name } = pod.metadata;
  world.events.normal(pod, 'CreatingVM', `Creating VM ${vm.name} from ${base.golden}`);
  const note = { vm: vm.name, use: 'pod' as const, image: container.image, podUid: uid, namespace, podName: name };
  try {
    const identity = await cloneVm(note, base, world.bases);
    if (!identity.renewed) world.events.warning(pod, 'IdentityRegenSkipped', identity.why);
  } finally {
    world.shelf.forget(uid);
  }
  noteCloned(pod, vm.name, base, world);
}

function noteCloned(pod: Pod, vm: string, base: Base, { counts, clock, moments }: AgentWorld): void {
  const pool = poolOf(pod);
  const path = base.cold === undefined ? 'warm' : 'cold';
  (base.cold === undefined ? counts.reused : counts.materialized).add({ pool });
  if (base.cold !== undefined) counts.coldStarts.add({ pool, reason: base.cold });
  const { askedMs } = moments.of(vm);
  if (askedMs !== undefined) counts.provisionWork.observe((clock.monotonic() - askedMs) / 1000, { pool, path });
}

/** Observed where the VM is started, so that neither a retry nor a VM that was found running skews it (agent-112). */
function noteStarted(pod: Pod, vm: string, { moments, clock, counts }: AgentWorld): void {
  const moment = moments.of(vm);
  moment.startedMs = clock.monotonic();
  moment.addressSeen = false;
  const createdMs = kubeTimeOr(pod.metadata.creationTimestamp, clock.now());
  if (!hasRun(pod)) counts.provisionDelay.observe(Math.max(0, clock.now() - createdMs) / 1000, { pool: poolOf(pod) });
}

/** As Kubernetes defaults it, where the API has not. */
function policyOf({ image, imagePullPolicy }: Container): PullPolicy {
  if (imagePullPolicy !== undefined) return imagePullPolicy;
  const tag = image.includes('@') ? undefined : /:([^/:]+)$/.exec(image)?.[1];
  return image.includes('@') || (tag !== undefined && tag !== 'latest') ? 'IfNotPresent' : 'Always';
}
