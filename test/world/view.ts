// What is stored now, read without a request: for conditions of a run and for oracles.

import type { Stored } from '../../src/apiserver/parts.ts';
import type { Node } from '../../src/kube/core/node.ts';
import type { Event } from '../../src/kube/core/other.ts';
import type { Pod } from '../../src/kube/core/pod.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { NS } from './names.ts';

export function viewOf(stored: Stored) {
  const all = <T extends KubeObject>(storage: string): readonly T[] =>
    stored.list(storage) as readonly unknown[] as T[];
  const one = <T extends KubeObject>(storage: string, namespace: string, name: string): T | undefined =>
    all<T>(storage).find(each => each.metadata.name === name && (each.metadata.namespace ?? '') === namespace);
  return {
    pods: (): readonly Pod[] => all('pods'),
    pod: (name: string): Pod | undefined => one('pods', NS, name),
    nodes: (): readonly Node[] => all('nodes'),
    node: (name: string): Node | undefined => one('nodes', '', name),
    macs: (): readonly MacMachine[] => all('scalewayapplesiliconmachines.infrastructure.cluster.x-k8s.io'),
    mac: (name: string, namespace = NS): MacMachine | undefined =>
      one('scalewayapplesiliconmachines.infrastructure.cluster.x-k8s.io', namespace, name),
    machines: (): readonly KubeObject[] => all('machines.cluster.x-k8s.io'),
    secrets: (): readonly KubeObject[] => all('secrets'),
    /** `reason: message` of the events about an object. */
    eventsOn: (name: string): readonly string[] =>
      all<Event>('events')
        .filter(each => each.involvedObject.name === name)
        .map(({ reason, message }) => `${reason}: ${message}`),
    runs: (name: string): boolean => one<Pod>('pods', NS, name)?.status?.phase === 'Running',
  };
}
