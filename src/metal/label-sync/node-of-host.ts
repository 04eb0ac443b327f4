// From a host to its Node: over its Metal3Machine, its Machine and its Cluster. What is missing is waited for by name.

import { seconds } from '../../base/clock.ts';
import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Cluster } from '../../kinds/generated/metal3-cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { isDeleting, type KubeObject, keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { machineUsing } from '../host/consumer.ts';
import { cachedMachine, clusterOfMachine, metal3ClusterOf, ownerMachine } from '../machine/machines.ts';
import type { MetalWorld } from '../world.ts';

export const RECHECK_MS = seconds(30);

export interface HostInUse {
  readonly cluster: ObjectKey;
  readonly metal3Cluster: Metal3Cluster;
  readonly nodeName: string;
}

/** What stands between a host and its Node, or the outcome where there is none (yet). */
export function hostInUse(host: BareMetalHost, world: MetalWorld): HostInUse | Outcome {
  const consumer = machineUsing(host);
  if (consumer === undefined || isDeleting(host) || isBeingMoved(host)) return done();
  const on = { kind: Metal3Machine, ...consumer };
  const metal3Machine = cachedMachine(consumer, world);
  if (metal3Machine === undefined) return wait(on, `Metal3Machine ${consumer.name}`, RECHECK_MS);
  if (isDeleting(metal3Machine)) return done();
  const cluster = clusterOfMachine(metal3Machine, world);
  if (cluster === undefined) return wait(on, `the Cluster of Metal3Machine ${consumer.name}`, RECHECK_MS);
  const paused = pauseOfAny([host, metal3Machine], cluster);
  if (paused !== undefined) return wait({ kind: Cluster, ...keyOf(cluster) }, paused, RECHECK_MS, { reason: 'Paused' });
  return withNode(metal3Machine, cluster, world);
}

export const isOutcome = (found: HostInUse | Outcome): found is Outcome => 'kind' in found;

function pauseOfAny(objects: readonly KubeObject[], cluster: Cluster): string | undefined {
  const paused = objects.find(object => pausedBy(object, cluster) !== undefined || isBeingMoved(object));
  return paused === undefined ? undefined : `${paused.kind} ${paused.metadata.name} to be paused no more`;
}

function withNode(metal3Machine: Metal3Machine, cluster: Cluster, world: MetalWorld): HostInUse | Outcome {
  const { namespace = '', name } = metal3Machine.metadata;
  const metal3Cluster = metal3ClusterOf(cluster, world);
  if (metal3Cluster === undefined) {
    const what = `the Metal3Cluster of Cluster ${keyText(keyOf(cluster))}`;
    return wait({ kind: Cluster, ...keyOf(cluster) }, what, RECHECK_MS);
  }
  const machine = ownerMachine(metal3Machine, world);
  if (machine === undefined)
    return wait({ kind: Machine, namespace, name }, `a Machine to own Metal3Machine ${name}`, RECHECK_MS);
  const nodeName = machine.status?.nodeRef?.name;
  if (nodeName === undefined) {
    const what = `Machine ${machine.metadata.name} to have a Node`;
    return wait({ kind: Machine, ...keyOf(machine) }, what, RECHECK_MS);
  }
  return { cluster: keyOf(cluster), metal3Cluster, nodeName };
}
