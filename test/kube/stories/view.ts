// What the cluster holds now, by watches: for conditions that a scenario waits for.

import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import type { Caches } from '../../../src/kube/cache.ts';
import { Node } from '../../../src/kube/core/node.ts';
import { Event } from '../../../src/kube/core/other.ts';
import { Pod } from '../../../src/kube/core/pod.ts';
import { MacMachine } from '../../../src/mac/machine/mac-machine.ts';

export type View = Awaited<ReturnType<typeof viewOf>>;

/** Resolves once everything has been listed. */
export async function viewOf(caches: Caches) {
  const pods = caches.of(Pod);
  const nodes = caches.of(Node);
  const macs = caches.of(MacMachine);
  const machines = caches.of(Machine);
  const events = caches.of(Event);
  await Promise.all([pods, nodes, macs, machines, events].map(cache => cache.whenSynced()));
  return {
    pods: (namespace: string): readonly Pod[] => pods.list(namespace),
    pod: (namespace: string, name: string): Pod | undefined => pods.get({ namespace, name }),
    node: (name: string): Node | undefined => nodes.get({ name }),
    macs: (namespace: string): readonly MacMachine[] => macs.list(namespace),
    mac: (namespace: string, name: string): MacMachine | undefined => macs.get({ namespace, name }),
    machines: (namespace: string): readonly Machine[] => machines.list(namespace),
    /** `reason: message` of the events about an object. */
    eventsOn: (namespace: string, name: string): readonly string[] =>
      events
        .list(namespace)
        .filter(each => each.involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`),
  };
}
