// Which host ran a Pod, and since when: by the agent's stamp, else by the machine that bore the Node's name (safe-4, safe-7).

import { millisOf } from '../../base/clock.ts';
import { HOST_ID } from '../../kinds/wire.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { annotationOf, type KubeObject } from '../../kube/object.ts';

/** What a Mac machine has on record about hosts; read from the object by the machine room. */
export interface MachineHost {
  readonly machine: KubeObject;
  /** The host behind it now. */
  readonly providerId: string | undefined;
  /** The recorded release of a host (safe-10). */
  readonly released: { readonly hostId: string; readonly time: string } | undefined;
  /** The recorded clean start on a host: the first bootstrap found no VM or removed all (safe-11). */
  readonly cleanStart: { readonly hostId: string; readonly time: string } | undefined;
}

/** What the agent's finalizer holds: the VM of this very Pod. */
export function vmOf(pod: KubeObject): string {
  return `VM of Pod ${pod.metadata.uid}`;
}

/** The stamp that the agent of the Pod's host put on it. */
export const stampOf = (pod: Pod): string | undefined => annotationOf(pod, HOST_ID);

/** When the Pod was bound to its Node: the PodScheduled time, else its creation (safe-15). NaN when neither is there. */
export function boundAtMs(pod: Pod): number {
  const scheduled = pod.status?.conditions?.find(each => each.type === 'PodScheduled' && each.status === 'True');
  return millisOf(scheduled?.lastTransitionTime ?? pod.metadata.creationTimestamp);
}

/** The id of the host that runs this Pod, or undefined when nobody recorded it (safe-4). */
export function hostIdOf(pod: Pod, machines: readonly MachineHost[]): string | undefined {
  const stamp = stampOf(pod);
  if (stamp !== undefined) return stamp;
  const named = machines.find(
    ({ machine }) =>
      machine.metadata.name === pod.spec.nodeName && millisOf(machine.metadata.creationTimestamp) <= boundAtMs(pod),
  );
  return named?.providerId ?? named?.released?.hostId;
}

export interface FreeingRecord {
  readonly what: 'released' | 'clean start';
  readonly time: string;
  /** `namespace/name` of the machine that has it on record. */
  readonly by: string;
}

/** A record that frees this Pod: a release of its host, or a clean start on it, made after the Pod was bound (del-11). */
export function freeingRecord(pod: Pod, hostId: string, machines: readonly MachineHost[]): FreeingRecord | undefined {
  const since = boundAtMs(pod);
  for (const { machine, released, cleanStart } of machines) {
    const by = `${machine.metadata.namespace ?? ''}/${machine.metadata.name}`;
    if (released?.hostId === hostId && millisOf(released.time) >= since) {
      return { what: 'released', time: released.time, by };
    }
    if (cleanStart?.hostId === hostId && millisOf(cleanStart.time) > since && isOfEarlierUse(pod, machine)) {
      return { what: 'clean start', time: cleanStart.time, by };
    }
  }
  return undefined;
}

/**
 * A machine's clean start ends the VMs of others, never those of its own agent: times alone do not tell the two apart, as
 * they come from different clocks and count whole seconds.
 */
function isOfEarlierUse(pod: Pod, machine: KubeObject): boolean {
  if (machine.metadata.name !== pod.spec.nodeName) return true;
  return millisOf(machine.metadata.creationTimestamp) > boundAtMs(pod);
}
