// Keeps one VM behind each Pod that is bound to this Mac. Deletion comes first, and a Pod of another host is let be.

import { seconds } from '../../base/clock.ts';
import { VM_CLEANUP } from '../../kinds/wire.ts';
import type { KeyController } from '../../kube/controller.ts';
import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { hasFinalizer, isDeleting, type KubeObject } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { AgentWorld } from '../world.ts';
import { findVm, type PodVm } from './find-vm.ts';
import { keepVm } from './keep.ts';
import { ownershipOf } from './ownership.ts';
import { vmContainer } from './shape.ts';
import { replacedStatus } from './status.ts';
import { takeApart } from './take-apart.ts';
import { letGo, publish } from './writes.ts';

/** Many at once: one slow clone or stop delays no other Pod. Pulls do not happen in a pass at all. */
const WORKERS = 8;

export function podController(nodeName: string): KeyController<AgentWorld> {
  return {
    name: 'agent-pods',
    kind: Pod,
    selection: { fields: `spec.nodeName=${nodeName}` },
    workers: WORKERS,
    wakes: (world, wake) => world.waker.listen(wake),
    pass: (_key, object, world) => pass(object, world),
  };
}

async function pass(object: KubeObject | undefined, world: AgentWorld): Promise<Outcome> {
  // Gone from the API: what it may have left on the disk is the collector's.
  if (object === undefined) return done();
  const pod = object as Pod;
  const container = vmContainer(pod);
  if (container === undefined) return isDeleting(pod) && !hasFinalizer(pod, VM_CLEANUP) ? leave(pod, world) : done();

  const vm = await findVm(pod, world);
  const ownership = ownershipOf(pod, {
    hostId: world.self.hostId,
    hostIps: [world.self.hostIp],
    vmHere: isHere(vm),
    notedHere: vm.record?.podUid !== undefined && vm.record.podUid === pod.metadata.uid,
  });
  if (ownership === 'replaced') return refuse(pod, world);
  return world.locks.run(`vm ${vm.name}`, () =>
    isDeleting(pod) ? takeApart(pod, vm, world) : keepVm(pod, container, vm, world),
  );
}

/** Nothing of this Pod ever ran here, and nobody else on this Node would end its deletion. */
async function leave(pod: Pod, world: AgentWorld): Promise<Outcome> {
  await letGo(pod, world);
  return done();
}

const isHere = (vm: PodVm): boolean => vm.adopted || vm.record !== undefined;

/** Taken by another host of this Node's name: neither run nor released here (safe-8). The manager knows that host. */
async function refuse(pod: Pod, world: AgentWorld): Promise<Outcome> {
  if (isTerminal(pod)) return done();
  if (world.self.node === undefined) {
    return wait({ port: 'time', subject: 'Node' }, 'the Node to be registered as this host', seconds(1));
  }
  world.events.warning(pod, 'HostReplaced', 'Another host of this Node name took this Pod; its VM may still run there');
  await publish(pod, replacedStatus(pod), world);
  return done();
}
