// Which VM belongs to a Pod: new ones carry the Pod's UID, older ones keep the name they were made with (safe-26).

import { createHash } from 'node:crypto';
import { HOST_ID, VM_CLEANUP } from '../../kinds/wire.ts';
import type { Pod } from '../../kube/core/pod.ts';
import { annotationOf, hasFinalizer } from '../../kube/object.ts';
import type { VmRecord } from '../records.ts';

const UPSTREAM_LIMIT = 63;

/** Upstream's rule: `<namespace>-<name>`, long ones cut and told apart by a hash (agent-23). */
export function upstreamVmName(namespace: string, name: string): string {
  const whole = `${namespace}-${name}`;
  if (whole.length <= UPSTREAM_LIMIT) return whole;
  const hash = createHash('sha256').update(`${namespace}/${name}`).digest('hex').slice(0, 8);
  return `${whole.slice(0, UPSTREAM_LIMIT - 9)}-${hash}`;
}

/** `<namespace>-<name>-<uid>`, cut before the UID: two Pods of one name never share a VM. */
export function newVmName(pod: Pod): string {
  const { namespace = 'default', name, uid = '' } = pod.metadata;
  const readable = `${namespace}-${name}`.slice(0, UPSTREAM_LIMIT - uid.length - 1).replace(/-+$/, '');
  return `${readable}-${uid}`;
}

/** What is known of a Pod's VM before the disk is asked. */
export interface VmClaim {
  readonly vm: string;
  /** `adopt`: another agent made it, and it is only this Pod's if it is on this disk. */
  readonly by: 'record' | 'uid' | 'adopt';
}

/** The names under which this Pod's VM may be found, the surest first. */
export function vmClaims(pod: Pod, records: readonly VmRecord[]): readonly VmClaim[] {
  const { namespace = 'default', name, uid } = pod.metadata;
  const recorded = records.filter(record => record.use === 'pod' && record.podUid === uid);
  const adoptable = [containerVm(pod), ranElsewhere(pod) ? upstreamVmName(namespace, name) : undefined];
  const ofOthers = new Set(records.filter(record => record.podUid !== uid).map(record => record.vm));
  return [
    ...recorded.map(({ vm }): VmClaim => ({ vm, by: 'record' })),
    ...adoptable.flatMap((vm): VmClaim[] => (vm === undefined || ofOthers.has(vm) ? [] : [{ vm, by: 'adopt' }])),
    { vm: newVmName(pod), by: 'uid' },
  ];
}

/** `tart://<vm>` in the status. */
function containerVm(pod: Pod): string | undefined {
  const id = pod.status?.containerStatuses?.[0]?.containerID;
  return id?.startsWith('tart://') === true ? id.slice('tart://'.length) : undefined;
}

/** Upstream's agent took this Pod: its finalizer is there without our stamp. A Pod that nobody took has no VM to adopt. */
const ranElsewhere = (pod: Pod): boolean => hasFinalizer(pod, VM_CLEANUP) && annotationOf(pod, HOST_ID) === undefined;
