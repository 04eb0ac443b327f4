// The provider id of a machine: its own and its Node's are made the same, in the workload cluster that the Node is in.

import { seconds } from '../../base/clock.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import type { Step } from '../../kube/controller.ts';
import { Node } from '../../kube/core/node.ts';
import { keyOf, keyText, type ObjectKey } from '../../kube/object.ts';
import { type Change, done, type Outcome, wait } from '../../kube/outcome.ts';
import type { WorkloadView } from '../workload/port.ts';
import type { MetalWorld } from '../world.ts';
import { isProvisionedMachine } from './machines.ts';
import { matchNode, type NodeMatch, type NodeWish } from './node-match.ts';
import { isWait, reservedHost } from './own-host.ts';
import { isMissing, RECHECK_MS, surroundingsOf } from './surroundings.ts';

/** By then a connection that has only just begun is there, or worth telling of. */
const AGAIN_MS = seconds(10);

export const NODE_READY = 'KubernetesNodeReady';

export const nodeIdentity: Step<Metal3Machine, MetalWorld> = {
  condition: NODE_READY,
  async run(machine, world) {
    const around = surroundingsOf(machine, world);
    if (isMissing(around)) return around;
    const host = reservedHost(machine, world);
    if (isWait(host)) return host;
    const cluster = keyOf(around.cluster);
    const view = world.workload.of(cluster);
    if (!view.known) return unknown(view, machine, cluster);
    const isLabelled = around.machine.spec.bootstrap.configRef !== undefined;
    const cloudProvider = around.metal3Cluster.spec?.cloudProviderEnabled === true;
    const wish = { machine, host, cloudProvider, isLabelled };
    return settle(matchNode(wish, view.nodes), wish, { view, cluster, owner: around.machine });
  },
};

/** A dead API is no answer: it delays a provider id, and takes none away. */
function unknown(
  { reason, why, isNew }: WorkloadView & { known: false },
  machine: Metal3Machine,
  cluster: ObjectKey,
): Outcome {
  if (isProvisionedMachine(machine)) return done(undefined, RECHECK_MS);
  const what = `the workload cluster ${cluster.name} to be known: ${why}`;
  const on = { port: 'workload cluster', subject: keyText(cluster) };
  return isNew ? wait(on, what, AGAIN_MS, { reason, unsaid: isNew }) : wait(on, what, RECHECK_MS, { reason });
}

interface Found {
  readonly view: WorkloadView & { known: true };
  readonly cluster: ObjectKey;
  readonly owner: Machine;
}

async function settle(match: NodeMatch, wish: NodeWish, { view, cluster, owner }: Found): Promise<Outcome> {
  if (match.kind === 'found') {
    if (match.isToBeGiven) await giveId(match.node, match.id, view);
    return done(provisioned(match.id));
  }
  // Its Node was seen before and is not looked for again, as upstream has it: a Machine keeps its nodeRef.
  if (match.reason === 'NodeNotFound' && isProvisionedMachine(wish.machine) && owner.status?.nodeRef !== undefined) {
    return done();
  }
  const change = match.kind === 'unseen' ? { change: provisioned(match.id) } : {};
  const on = { port: 'workload cluster', subject: keyText(cluster) };
  return wait(on, match.what, RECHECK_MS, { reason: match.reason, ...change });
}

const provisioned = (providerID: string): Change => ({
  spec: { providerID },
  status: { initialization: { provisioned: true } },
});

/** Locked: two machines that see the same Node without an id would both give it theirs. */
async function giveId(node: Node, providerID: string, { api }: WorkloadView & { known: true }): Promise<void> {
  const { uid, resourceVersion } = node.metadata;
  await api.patch(Node, keyOf(node), { metadata: { uid, resourceVersion }, spec: { providerID } });
}
