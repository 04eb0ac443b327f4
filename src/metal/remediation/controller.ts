// Repairs an unhealthy Metal3Machine by a reboot of its host, and holds on to nothing once there is nothing to repair.

import { minutes } from '../../base/clock.ts';
import { held, type QuietController, type Subject } from '../../deletion/quiet-controller.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { METAL3_REMEDIATION_FINALIZER } from '../../kinds/metal-wire.ts';
import { refTo } from '../../kube/api.ts';
import { noteDepartures } from '../../kube/departed.ts';
import { takeOff } from '../../kube/finalizers.ts';
import { hasFinalizer } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { MetalWorld } from '../world.ts';
import { handToOwner } from './hand-over.ts';
import { pauseOf } from './pause.ts';
import { begin, running, waiting } from './phases.ts';
import { type Over, sceneOf, type Whole } from './scene.ts';
import { settle } from './settle.ts';
import { forget } from './unfence.ts';
import { ofCluster, ofHost, ofMachine, ofMetal3Machine } from './wakes.ts';

/** Nothing more happens to it: it waits for whoever made it. */
const FINAL_RECHECK_MS = minutes(10);

type Repaired = Subject<Metal3Remediation>;

export const metal3Remediation: QuietController<Metal3Remediation, MetalWorld> = {
  name: 'metal3-remediation',
  kind: Metal3Remediation,
  condition: 'Remediated',
  wokenBy: [
    { kind: Machine, keysFor: ofMachine },
    { kind: Metal3Machine, keysFor: ofMetal3Machine },
    { kind: BareMetalHost, keysFor: ofHost },
    { kind: Cluster, keysFor: ({ metadata }, world) => ofCluster(metadata, world) },
  ],
  reads: [Machine, Metal3Machine, BareMetalHost, Cluster],
  wakes(world, wake) {
    noteDepartures(Machine, world);
    world.workload.onChange(cluster => {
      for (const key of ofCluster(cluster, world)) wake(key);
    });
  },
  pausedBy: pauseOf,
  keep,
  takeApart,
};

async function keep(subject: Repaired, world: MetalWorld): Promise<Outcome> {
  const scene = await sceneOf(subject.object, world);
  if (scene.kind === 'unclear' || scene.kind === 'unseen') return scene.wait;
  if (scene.kind === 'over') return conclude(subject, scene, world);
  const { host, machine } = scene;
  if (isFinal(subject.object)) return conclude(subject, { why: finalWords(subject.object, scene), machine }, world);
  // Somebody wants it off: to switch it on is not for us.
  if (host.spec?.online !== true) return done({ status: { phase: 'Failed' } });
  if (subject.object.spec?.strategy?.type !== 'Reboot') {
    const what = 'spec.strategy.type to be Reboot, the only strategy there is';
    return held(refTo(Metal3Remediation, subject.object), 'StrategyUnknown', what);
  }
  return inPhase(subject, scene, world);
}

function inPhase(subject: Repaired, scene: Whole, world: MetalWorld): Promise<Outcome> {
  const { phase } = subject.object.status ?? {};
  if (phase === undefined) return begin(subject, world);
  return phase === 'Running' ? running(subject, scene, world) : waiting(subject, scene, world);
}

const isFinal = ({ status }: Metal3Remediation): boolean =>
  status?.phase === 'Failed' || status?.phase === 'Deleting machine';

const finalWords = ({ status }: Metal3Remediation, { host, machine }: Whole): string =>
  status?.phase === 'Failed'
    ? `BareMetalHost ${host.metadata.name} was to be off (spec.online), so that it was not switched on`
    : `Machine ${machine.metadata.name} is to be replaced by its owner`;

/** A Machine that stays, but has lost what could be rebooted, is handed to its owner (metal-B5). */
async function conclude(
  subject: Repaired,
  { why, machine }: Pick<Over, 'why' | 'machine'>,
  world: MetalWorld,
): Promise<Outcome> {
  const held = await settle(subject.object, machine, world);
  if (held !== undefined) return held;
  if (hasFinalizer(subject.object, METAL3_REMEDIATION_FINALIZER)) await forget(subject, world);
  const isLost = machine !== undefined && !isFinal(subject.object);
  if (isLost) await handToOwner(machine, why, world);
  return wait(
    refTo(Metal3Remediation, subject.object),
    `whoever made this object to delete it: ${why}`,
    FINAL_RECHECK_MS,
    {
      reason: 'NothingToRepair',
      ...(isLost ? { change: { status: { phase: 'Deleting machine' } } } : {}),
    },
  );
}

/** Neither Cluster nor Machine, Metal3Machine or host need exist (metal-i, metal-7.20). */
async function takeApart(subject: Repaired, world: MetalWorld): Promise<Outcome> {
  if (!hasFinalizer(subject.object, METAL3_REMEDIATION_FINALIZER)) return done();
  const scene = await sceneOf(subject.object, world);
  if (scene.kind === 'unseen') return scene.wait;
  const held = await settle(subject.object, scene.machine, world);
  if (held !== undefined) return held;
  await takeOff(world.api, Metal3Remediation, subject.object, METAL3_REMEDIATION_FINALIZER);
  return done();
}
