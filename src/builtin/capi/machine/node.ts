// The Node of a Machine: the one with the host's provider id. The reference, once made, is kept as evidence.

import { seconds } from '../../../base/clock.ts';
import type { Machine } from '../../../kinds/generated/machine.generated.ts';
import type { Api } from '../../../kube/api.ts';
import type { Informer } from '../../../kube/cache.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { isReady, Node } from '../../../kube/core/node.ts';
import { annotationOf, controllerOf, keyOf } from '../../../kube/object.ts';
import { type Change, done, type Outcome, wait } from '../../../kube/outcome.ts';
import { unlessOvertaken } from '../../overtaken.ts';
import { NODE_CLUSTER_NAME, NODE_CLUSTER_NAMESPACE, NODE_MACHINE, NODE_OWNER_KIND, NODE_OWNER_NAME } from '../names.ts';
import { type NodesThere, nodesFor } from './node-source.ts';
import type { MachineOptions } from './world.ts';

/** By then a connection that has only just begun is there, or worth telling of. */
const AGAIN_MS = seconds(10);

const BY_PROVIDER_ID = 'capi.node.providerID';

export function node(options: MachineOptions): Step<Machine, KubeWorld> {
  return {
    condition: 'NodeHealthy',
    run: async (machine, world) => {
      const there = nodesFor(machine, world, options.nodesElsewhere);
      if (!there.known) return unknown(machine, there, options);
      const found = nodeOf(machine, there.nodes);
      if (found === undefined) return missing(machine, options);
      await annotate(found, machine, there.api);
      const change = { status: { nodeRef: referenceTo(found), nodeInfo: textsOf(found.status?.nodeInfo ?? {}) } };
      if (isReady(found)) return done(change);
      return notReady(found, change, options);
    },
  };
}

/** Newer Nodes tell more than texts (how much they swap, for one), which a Machine has no place for. */
const textsOf = (info: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(info).filter(([, value]) => typeof value === 'string'));

/** By provider id only: a Node of the same name may be another host's (safe-9). */
export function nodeOf(machine: Machine, nodes: Informer<Node>): Node | undefined {
  const providerId = machine.spec.providerID ?? '';
  if (providerId === '') return undefined;
  nodes.index(BY_PROVIDER_ID, candidate =>
    candidate.spec?.providerID === undefined ? [] : [candidate.spec.providerID],
  );
  const candidates = nodes.by(BY_PROVIDER_ID, providerId);
  return candidates.find(candidate => candidate.metadata.name === machine.status?.nodeRef?.name) ?? candidates[0];
}

function unknown(machine: Machine, { reason, why, isNew }: Unknown, { recheckMs }: MachineOptions): Outcome {
  const { clusterName } = machine.spec;
  const on = { port: 'workload cluster', subject: clusterName };
  const what = `the API of Cluster ${clusterName}: ${why}`;
  return isNew ? wait(on, what, AGAIN_MS, { reason, unsaid: isNew }) : wait(on, what, recheckMs, { reason });
}

type Unknown = Extract<NodesThere, { known: false }>;

function missing(machine: Machine, options: MachineOptions): Outcome {
  const { nodeRef } = machine.status ?? {};
  if (nodeRef !== undefined) {
    const on = { kind: Node, name: nodeRef.name };
    const lost = `Node ${nodeRef.name}, which was deleted while the Machine exists`;
    return wait(on, lost, options.recheckMs, { reason: 'NodeDeleted' });
  }
  const on = { kind: Node, name: machine.metadata.name };
  const what = `a Node with spec.providerID ${machine.spec.providerID ?? ''}`;
  return wait(on, what, options.recheckMs, { reason: 'NodeDoesNotExist' });
}

function notReady(found: Node, change: Change, options: MachineOptions): Outcome {
  const { name } = found.metadata;
  const ready = found.status?.conditions?.find(condition => condition.type === 'Ready');
  const why = ready?.message === undefined || ready.message === '' ? '' : `: ${ready.message}`;
  return wait({ kind: Node, name }, `Node ${name} to be ready${why}`, options.recheckMs, {
    reason: ready?.status === 'Unknown' ? 'NodeConditionsUnknown' : 'NodeNotReady',
    change,
  });
}

function referenceTo({ metadata }: Node): Readonly<Record<string, unknown>> {
  return { name: metadata.name, kind: 'Node', apiVersion: 'v1', uid: metadata.uid };
}

/** Says on the Node whose it is, for people and for those who look from the Node's side. */
async function annotate(found: Node, machine: Machine, api: Api): Promise<void> {
  const owner = controllerOf(machine);
  const wanted: Readonly<Record<string, string>> = {
    [NODE_CLUSTER_NAME]: machine.spec.clusterName,
    [NODE_CLUSTER_NAMESPACE]: machine.metadata.namespace ?? '',
    [NODE_MACHINE]: machine.metadata.name,
    ...(owner === undefined ? {} : { [NODE_OWNER_KIND]: owner.kind, [NODE_OWNER_NAME]: owner.name }),
  };
  if (Object.entries(wanted).every(([key, value]) => annotationOf(found, key) === value)) return;
  const { uid } = found.metadata;
  const body = { metadata: { uid, annotations: wanted } };
  await unlessOvertaken(() => api.patch(Node, keyOf(found), body));
}
