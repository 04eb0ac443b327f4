// What must hold whatever fails, judged from the models alone: who still runs what, and what was erased how often.

import type { ScalewayModel } from '../../sim/scaleway/model.ts';
import { MAC_MACHINE_FINALIZER, parseAppleSiliconProviderId, VM_CLEANUP } from '../../src/kinds/wire.ts';
import { hasFinalizer, type KubeObject } from '../../src/kube/object.ts';
import { isMachineObject } from '../world/machine-object.ts';
import type { Macs } from '../world/macs.ts';

export interface Models {
  readonly cloud: ScalewayModel;
  readonly macs: Macs;
}

/** Told of every write that changed an object: what a finalizer protected must be gone when it goes. */
export function judgeRelease(before: KubeObject, after: KubeObject | undefined, models: Models): string | undefined {
  const lost = (finalizer: string): boolean =>
    hasFinalizer(before, finalizer) && (after === undefined || !hasFinalizer(after, finalizer));
  if (lost(VM_CLEANUP)) return judgePod(before, models);
  if (lost(MAC_MACHINE_FINALIZER) && isMachineObject(before)) return judgeMachine(before, models);
  return undefined;
}

/** No VM of the Pod runs, or is left on a disk, anywhere. */
function judgePod(pod: KubeObject, { macs }: Models): string | undefined {
  const { uid, namespace, name } = pod.metadata;
  const names = [uid ?? '', `${namespace}-${name}`];
  const left = macs.vms().find(({ vm }) => names.some(each => vm === each || (each !== '' && vm.includes(each))));
  return left === undefined
    ? undefined
    : `the finalizer of Pod ${name} went while VM ${left.vm} was on ${left.serverId}`;
}

/** The machine's host was erased and bears no claim any more, is gone, or never was. */
function judgeMachine(machine: KubeObject & { spec?: { providerID?: string } }, { cloud }: Models): string | undefined {
  const { name } = machine.metadata;
  const id = parseAppleSiliconProviderId(machine.spec?.providerID)?.serverId;
  const server = cloud.state.servers.find(each => each.id === id || each.name === name);
  if (server === undefined) return undefined;
  if (server.name === name) return `the finalizer of machine ${name} went while ${server.id} bore its name`;
  return server.wipes > 0 ? undefined : `the finalizer of machine ${name} went and ${server.id} was never erased`;
}
