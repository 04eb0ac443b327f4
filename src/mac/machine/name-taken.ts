// Whose a name is: Nodes, claim names and role bindings are cluster-wide, machines are not (safe-9).

import { millisOf } from '../../base/clock.ts';
import type { Api } from '../../kube/api.ts';
import { MacMachine, namespaceOf, providerIdOf } from './mac-machine.ts';

/**
 * The machine of another namespace that has this machine's name, if that one comes first; read live.
 * First is who has a host; else the older one; else the one whose namespace sorts first.
 */
export async function holderOfName(machine: MacMachine, api: Api): Promise<MacMachine | undefined> {
  const others = await othersNamed(machine, api);
  return others.find(other => comesBefore(other, machine));
}

/** Whether another machine has this name, whichever came first. */
export async function hasNamesake(machine: MacMachine, api: Api): Promise<boolean> {
  return (await othersNamed(machine, api)).length > 0;
}

async function othersNamed(machine: MacMachine, api: Api): Promise<readonly MacMachine[]> {
  const { items } = await api.list(MacMachine, { fields: `metadata.name=${machine.metadata.name}` });
  return items.filter(each => each.metadata.uid !== machine.metadata.uid);
}

function comesBefore(one: MacMachine, other: MacMachine): boolean {
  const [oneHas, otherHas] = [providerIdOf(one) !== undefined, providerIdOf(other) !== undefined];
  if (oneHas !== otherHas) return oneHas;
  const apartMs = millisOf(one.metadata.creationTimestamp) - millisOf(other.metadata.creationTimestamp);
  return apartMs === 0 ? namespaceOf(one) < namespaceOf(other) : apartMs < 0;
}
