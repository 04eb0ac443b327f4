// Finds the VM of a Pod: noted by us, adopted from the agent before us, or still to be made (safe-26).

import type { Pod } from '../../kube/core/pod.ts';
import type { VmRecord } from '../records.ts';
import { runtimeFailed } from '../vm-errors.ts';
import type { AgentWorld } from '../world.ts';
import { vmClaims } from './name.ts';

export interface PodVm {
  readonly name: string;
  readonly record: VmRecord | undefined;
  /** Made by another agent and found on this disk. */
  readonly adopted: boolean;
}

export async function findVm(pod: Pod, { records, runtime }: AgentWorld): Promise<PodVm> {
  const all = await records.vms();
  const recordOf = (vm: string): VmRecord | undefined => all.find(record => record.vm === vm);
  for (const { vm, by } of vmClaims(pod, all)) {
    if (by !== 'adopt') return { name: vm, record: recordOf(vm), adopted: false };
    const seen = await runtime.onDisk(vm);
    if (seen.kind === 'unknown') throw runtimeFailed(`tart get ${vm}`, seen.reason);
    if (seen.kind === 'present') return { name: vm, record: undefined, adopted: true };
  }
  return { name: '', record: undefined, adopted: false };
}

/** Notes an adopted VM as this Pod's. */
export async function noteAdopted(pod: Pod, vm: string, { records, log }: AgentWorld): Promise<void> {
  const { uid = '', namespace = 'default', name } = pod.metadata;
  log.info('found a VM that was made for this Pod before', { vm, pod: `${namespace}/${name}` });
  const image = pod.spec.containers[0]?.image ?? '';
  await records.putVm({ vm, use: 'pod', image, podUid: uid, namespace, podName: name, state: 'made' });
}
