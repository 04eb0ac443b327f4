// The Node of a Machine under repair, in its workload cluster: there, not there, out of reach for us, or not known.

import { seconds } from '../../base/clock.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Api } from '../../kube/api.ts';
import type { Node } from '../../kube/core/node.ts';
import { keyText, type ObjectKey } from '../../kube/object.ts';
import { type Wait, wait } from '../../kube/outcome.ts';
import type { MetalWorld } from '../world.ts';

const NODE_RECHECK_MS = seconds(5);

export type NodeView =
  | { readonly kind: 'found'; readonly node: Node; readonly api: Api }
  | { readonly kind: 'none' }
  /** The kubeconfig may not touch Nodes: clusters of old were set up so, and are repaired without it. */
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'unknown'; readonly wait: Wait };

export function nodeOf(machine: Machine, { workload }: Pick<MetalWorld, 'workload'>): NodeView {
  const cluster = clusterOf(machine);
  const view = workload.of(cluster);
  if (!view.known) {
    if (view.reason === 'Forbidden') return { kind: 'forbidden' };
    return {
      kind: 'unknown',
      wait: waitForNode(machine, `Cluster ${cluster.name} to be known: ${view.why}`, view.reason),
    };
  }
  const name = machine.status?.nodeRef?.name;
  const node = name === undefined ? undefined : view.nodes.get({ name });
  if (node === undefined || isAnothers(node, machine)) return { kind: 'none' };
  return { kind: 'found', node, api: view.api };
}

/** The name alone does not tell: another host may have registered under it (safe-9). */
function isAnothers(node: Node, machine: Machine): boolean {
  const [theirs, ours] = [node.spec?.providerID, machine.spec.providerID];
  return theirs !== undefined && theirs !== '' && ours !== undefined && theirs !== ours;
}

const clusterOf = ({ metadata, spec }: Machine): ObjectKey => ({
  namespace: metadata.namespace ?? '',
  name: spec.clusterName,
});

export function waitForNode(machine: Machine, what: string, reason: string): Wait {
  const subject = `Nodes of Cluster ${keyText(clusterOf(machine))}`;
  return wait({ port: 'workload cluster', subject }, what, NODE_RECHECK_MS, { reason });
}
