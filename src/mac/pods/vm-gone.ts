// Proves that the VM of a Pod is gone: a person's word, its host's record, or the cloud's answer (safe-4 to safe-6).

import type { Clock } from '../../base/clock.ts';
import type { Sighting } from '../../base/sighting.ts';
import { clusterUidOf } from '../../deletion/cluster.ts';
import type { AbsenceJournal } from '../../deletion/journal.ts';
import type { Prover } from '../../deletion/ledger.ts';
import { Absent, evidence, type NotProved, type Proof } from '../../deletion/proof.ts';
import { NODE_UID, VM_GONE } from '../../kinds/wire.ts';
import type { Api } from '../../kube/api.ts';
import { Node } from '../../kube/core/node.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { annotationOf } from '../../kube/object.ts';
import { freeingRecord, hostIdOf, type MachineHost, stampOf, vmOf } from './binding.ts';
import { endPod } from './end.ts';
import { hostNeverRecorded } from './unrecorded-host.ts';
import type { HostWitness, SeenHost } from './witness.ts';

export interface VmGoneWorld {
  readonly api: Api;
  readonly clock: Clock;
  readonly journal: AbsenceJournal;
  readonly witness: HostWitness;
  /** All Mac machines of all namespaces, read live and completely; throws when they cannot be (safe-3). */
  readonly machineHosts: () => Promise<readonly MachineHost[]>;
  /** UID of `kube-system` as read at the start: which cluster all this is about (safe-1). */
  readonly clusterUid: string;
}

export const vmGone: Prover<VmGoneWorld> = {
  name: 'vm-gone',
  subjectOf: vmOf,
  prove: (object, world) => proveVmGone(object as Pod, world),
  end: (object, world) => endPod(object as Pod, world),
  waysOut: object =>
    `Ways out: delete the machine of Node ${(object as Pod).spec.nodeName ?? '(none)'}, so that its host is released; ` +
    `or, if you know that the VM is gone: kubectl annotate pod -n ${object.metadata.namespace} ${object.metadata.name} ` +
    `${VM_GONE}=${object.metadata.uid}`,
};

async function proveVmGone(pod: Pod, world: VmGoneWorld): Promise<Proof> {
  const subject = vmOf(pod);
  if (annotationOf(pod, VM_GONE) === pod.metadata.uid) {
    const word = evidence(world.clock, `annotation ${VM_GONE}`, subject, 'gone');
    return Absent.byWord(subject, 'a person said that the VM is gone', word);
  }
  if ((await clusterUidOf(world.api)) !== world.clusterUid) {
    return refusal(
      pod,
      'OtherCluster',
      'answers from the cluster that this process started on; another one answers now',
    );
  }
  const contradiction = await stampContradicted(pod, world);
  if (contradiction !== undefined) return contradiction;
  const machines = await world.machineHosts();
  const hostId = hostIdOf(pod, machines);
  return hostId === undefined ? hostNeverRecorded(pod, machines, world) : hostRecorded(pod, hostId, machines, world);
}

/** The Node that the Pod was taken on is still there and is another host than the stamp says: somebody wrote over the stamp. */
async function stampContradicted(pod: Pod, { api }: VmGoneWorld): Promise<NotProved | undefined> {
  const [stamp, nodeUid] = [stampOf(pod), annotationOf(pod, NODE_UID)];
  const { nodeName } = pod.spec;
  if (stamp === undefined || nodeUid === undefined || nodeName === undefined) return undefined;
  const node = await api.find(Node, { name: nodeName });
  const providerId = node?.metadata.uid === nodeUid ? node.spec?.providerID : undefined;
  if (providerId === undefined || providerId === stamp) return undefined;
  return refusal(
    pod,
    'StampContradicted',
    `one answer about its host: the stamp says ${stamp}, its Node ${providerId}`,
  );
}

/** safe-4: the recorded release of that id, or its absence; still rented, unreachable or not asked refuses. */
async function hostRecorded(
  pod: Pod,
  hostId: string,
  machines: readonly MachineHost[],
  world: VmGoneWorld,
): Promise<Proof> {
  if (!world.witness.canSee(hostId)) {
    return refusal(pod, 'HostNotListable', `an answer about host ${hostId}, which no cloud of ours can list`);
  }
  const seen = await world.witness.host(hostId);
  return byRecord(pod, hostId, machines, { seen, clock: world.clock }) ?? byAbsence(pod, hostId, seen, world);
}

/** A record made after the Pod was bound, and one fresh answer that does not contradict it (safe-10, safe-11, safe-21). */
function byRecord(
  pod: Pod,
  hostId: string,
  machines: readonly MachineHost[],
  { seen, clock }: { seen: Sighting<SeenHost>; clock: Clock },
): Absent | undefined {
  const record = freeingRecord(pod, hostId, machines);
  if (record === undefined || seen.kind === 'unknown') return undefined;
  const backUnderItsName = seen.kind === 'present' && seen.value.name === pod.spec.nodeName;
  if (record.what === 'released' && backUnderItsName) return undefined;
  const answer = seen.kind === 'present' ? `there, named ${seen.value.name}` : 'absent';
  return Absent.byRecord(
    vmOf(pod),
    `host ${hostId}: ${record.what} recorded by ${record.by} at ${record.time}`,
    evidence(clock, 'cloud', hostId, answer),
  );
}

/** safe-2: two answers that the host is gone. */
function byAbsence(pod: Pod, hostId: string, seen: Sighting<SeenHost>, world: VmGoneWorld): Proof {
  const standing = world.journal.note(hostId, seen);
  switch (standing.kind) {
    case 'twice':
      return Absent.byTwoReads(vmOf(pod), `host ${hostId} is gone from the cloud`, standing.reads);
    case 'once':
      return {
        ...refusal(pod, 'HostAbsentOnce', `a second answer that host ${hostId} is gone`),
        recheckMs: standing.againInMs,
      };
    case 'no':
      return stillThere(pod, hostId, seen);
  }
}

function stillThere(pod: Pod, hostId: string, seen: Sighting<SeenHost>): NotProved {
  if (seen.kind !== 'present') {
    const why = seen.kind === 'unknown' ? seen.reason : 'absent';
    return refusal(pod, 'HostUnknown', `a clear answer about host ${hostId}: ${why}`);
  }
  const { name } = seen.value;
  return name === pod.spec.nodeName
    ? refusal(pod, 'HostStillRented', `the release of host ${hostId}, which is still rented as ${name}`)
    : refusal(
        pod,
        'HostHeldElsewhere',
        `a recorded release of host ${hostId}, or a clean start on it; it bears the name ${name} now`,
      );
}

function refusal(pod: Pod, reason: string, missing: string): NotProved {
  return { kind: 'unknown', subject: vmOf(pod), reason, missing };
}
