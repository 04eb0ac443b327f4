// What a remediation is about: its Machine, Metal3Machine and host; or that one of them is gone, so that nothing is left to repair.

import { held } from '../../deletion/quiet-controller.ts';
import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { BareMetalHost as Host } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../kinds/generated/metal3-remediation.generated.ts';
import { isGone } from '../../kube/departed.ts';
import { isDeleting, keyOf, type ObjectKey } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { consumerText, isReservedFor } from '../host/consumer.ts';
import { cachedHost, recordedHost } from '../host/hosts.ts';
import { cachedMachine } from '../machine/machines.ts';
import type { MetalWorld } from '../world.ts';

export interface Whole {
  readonly kind: 'whole';
  readonly machine: Machine;
  readonly metal3Machine: Metal3Machine;
  readonly host: BareMetalHost;
}

/** There is nothing to repair any more. `machine`: it stays all the same. */
export interface Over {
  readonly kind: 'over';
  readonly why: string;
  readonly machine?: Machine;
}

/** `machine`: what is waited for is something behind it. */
export interface Unclear {
  readonly kind: 'unclear';
  readonly wait: Wait;
  readonly machine?: Machine;
}

/** Its Machine is there, and this process has yet to see it: not even a deletion knows what it owes. */
export interface Unseen {
  readonly kind: 'unseen';
  readonly wait: Wait;
}

export type Scene = Whole | Over | Unclear | Unseen;

/** Absence is proved, by an event or a live read: an empty cache is none (safe-1). Throws when nobody can tell. */
export async function sceneOf(remediation: Metal3Remediation, world: MetalWorld): Promise<Scene> {
  const { namespace = '' } = remediation.metadata;
  const [owner] = ownersOf(remediation, Machine);
  if (owner === undefined) {
    return unclear(
      held({ kind: Metal3Remediation, ...keyOf(remediation) }, 'NoMachine', 'a Machine to own this object'),
    );
  }
  const { name, uid } = owner;
  const ref = { kind: Machine, namespace, name, uid };
  const machine = world.caches.of(Machine).get(ref);
  if (machine === undefined || machine.metadata.uid !== uid) {
    if (await isGone(ref, world)) return over(`Machine ${name} is gone`);
    return { kind: 'unseen', wait: held(ref, 'MachineUnseen', `Machine ${name} to be seen`) };
  }
  return isDeleting(machine) ? over(`Machine ${name} is being deleted`) : behind(machine, world);
}

async function behind(machine: Machine, world: MetalWorld): Promise<Scene> {
  const { namespace = '' } = machine.metadata;
  const { kind, name } = machine.spec.infrastructureRef;
  if (kind !== Metal3Machine.kind) {
    const what = `Machine ${machine.metadata.name} to have a Metal3Machine, not ${kind} ${name}`;
    return unclear(held({ kind: Machine, ...keyOf(machine) }, 'NoMetal3Machine', what), machine);
  }
  const ref = { kind: Metal3Machine, namespace, name };
  const metal3Machine = cachedMachine(ref, world);
  if (metal3Machine === undefined) {
    if (await isGone(ref, world)) return over(`Metal3Machine ${name} is gone`, machine);
    return unclear(held(ref, 'Metal3MachineUnseen', `Metal3Machine ${name} to be seen`), machine);
  }
  if (isDeleting(metal3Machine)) return over(`Metal3Machine ${name} is being deleted`, machine);
  const key = recordedHost(metal3Machine);
  if (key === undefined) return unclear(held(ref, 'NoHost', `Metal3Machine ${name} to have a host`), machine);
  return hostBehind(key, { machine, metal3Machine }, world);
}

async function hostBehind(
  key: ObjectKey,
  whose: Pick<Whole, 'machine' | 'metal3Machine'>,
  world: MetalWorld,
): Promise<Scene> {
  const { machine, metal3Machine } = whose;
  const ref = { kind: Host, ...key };
  const host = cachedHost(key, world);
  if (host === undefined) {
    if (await isGone(ref, world)) return over(`BareMetalHost ${key.name} is gone`, machine);
    return unclear(held(ref, 'HostUnseen', `BareMetalHost ${key.name} to be seen`), machine);
  }
  // Another's host is not switched off (metal-S24); one that nobody uses yet is about to be this machine's.
  if (isReservedFor(host, metal3Machine)) return { kind: 'whole', machine, metal3Machine, host };
  if (host.spec?.consumerRef !== undefined)
    return over(`BareMetalHost ${key.name} is used by ${consumerText(host)}`, machine);
  const what = `BareMetalHost ${key.name} to be taken for Metal3Machine ${metal3Machine.metadata.name}`;
  return unclear(held(ref, 'HostNotTaken', what), machine);
}

const over = (why: string, machine?: Machine): Over => ({
  kind: 'over',
  why,
  ...(machine === undefined ? {} : { machine }),
});

const unclear = (wait: Wait, machine?: Machine): Unclear => ({
  kind: 'unclear',
  wait,
  ...(machine === undefined ? {} : { machine }),
});
