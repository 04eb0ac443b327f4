// Whether a host runs with what was rendered under the name of a Data: as long as it does, nothing of it goes (metal-h1).

import { held } from '../../deletion/quiet-controller.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { refTo } from '../../kube/api.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isDeleting, type KubeObject, keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';
import { ownersOf } from '../../kube/owners.ts';
import { hostInUse, type MachineRef, remedyWithout } from '../host/in-use.ts';

const BY_DATA = 'metal.rendered-data';

type Cached = Pick<KubeWorld, 'caches'>;
type Rendered = Metal3Machine | Metal3DataClaim;

/** The Data that a machine or a claim has noted as its own. */
export function notedData({ metadata, status }: Rendered): ObjectKey | undefined {
  const name = status?.renderedData?.name ?? '';
  return name === '' ? undefined : { namespace: metadata.namespace ?? '', name };
}

function notedIn<T extends Rendered>(informer: Informer<T>, data: ObjectKey): readonly T[] {
  informer.index(BY_DATA, object => {
    const key = notedData(object);
    return key === undefined ? [] : [keyText(key)];
  });
  return informer.by(BY_DATA, keyText(data));
}

/** The machine that a claim or a Data is for: by UID, or by the claim's name, which is the machine's. */
function machineOf(object: KubeObject, name: string): MachineRef {
  const { namespace = '' } = object.metadata;
  const [owner] = ownersOf(object, Metal3Machine);
  return owner === undefined ? { namespace, name } : { namespace, name: owner.name, uid: owner.uid };
}

/**
 * Asked of a Data whose Claim is gone: the wait for its host, or for its machine, which makes the Claim again; undefined
 * when nobody uses it. A machine that has noted another Data does not use this one.
 */
export function whileUsed(data: Metal3Data, world: Cached): Wait | undefined {
  const ref = machineOf(data, data.spec?.claim?.name ?? '');
  const machine = presentMachine(ref, world);
  const noted = machine === undefined ? undefined : notedData(machine);
  if (noted !== undefined && noted.name !== data.metadata.name) return undefined;
  const used = hostInUse(ref, world);
  const claim = `Metal3DataClaim ${data.spec?.claim?.name ?? ''}, whose data this is, was removed by force`;
  if (used !== undefined) {
    const how = machine === undefined ? remedyWithout(ref.name) : claim;
    return held(refTo(BareMetalHost, used.host), 'HostInUse', `${used.left}: ${how}`);
  }
  if (machine === undefined || noted === undefined || isDeleting(machine)) return undefined;
  return held(
    refTo(Metal3Machine, machine),
    'MachineUsesIt',
    `Metal3Machine ${ref.name} to make its claim again: ${claim}`,
  );
}

function presentMachine({ uid, ...key }: MachineRef, { caches }: Cached): Metal3Machine | undefined {
  const machine = caches.of(Metal3Machine).get(key);
  return uid === undefined || machine?.metadata.uid === uid ? machine : undefined;
}

/** Who runs with what was rendered under this name, whatever has become of the Data: its leases are theirs. */
export function isNameUsed(data: ObjectKey, world: Cached): boolean {
  const machines = notedIn(world.caches.of(Metal3Machine), data);
  if (machines.some(machine => !isDeleting(machine) || hostInUse(refTo(Metal3Machine, machine), world) !== undefined)) {
    return true;
  }
  const claims = notedIn(world.caches.of(Metal3DataClaim), data);
  return claims.some(claim => hostInUse(machineOf(claim, claim.metadata.name), world) !== undefined);
}

/** Whether a Data stands in for one of its name that its own machine runs with (metal-S11). */
export function isSuccessor(data: Metal3Data, world: Cached): boolean {
  const [owner] = ownersOf(data, Metal3Machine);
  return notedIn(world.caches.of(Metal3Machine), keyOf(data)).some(({ metadata }) => metadata.uid === owner?.uid);
}
