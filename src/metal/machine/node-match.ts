// Which Node stands on a machine's host, and under which provider id: decided on what is seen, without a write.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_UID_LABEL, metal3ProviderId } from '../../kinds/metal-wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { Node } from '../../kube/core/node.ts';
import { nodesLabelled, nodesNamed, nodesOfHost } from './nodes.ts';

/** How the Node is to be looked for. */
export interface NodeWish {
  readonly machine: Metal3Machine;
  readonly host: BareMetalHost;
  /** A cloud provider gives Nodes their ids: none is written. */
  readonly cloudProvider: boolean;
  /** Somebody makes bootstrap data for the machine: its Node will bear the label of the host's UID. */
  readonly isLabelled: boolean;
}

export type NodeMatch =
  /** The Node bears `id`, or is to be given it. */
  | { readonly kind: 'found'; readonly node: Node; readonly id: string; readonly isToBeGiven: boolean }
  /** The machine gets `id` at once: its Node will be known by its host name. */
  | { readonly kind: 'unseen'; readonly id: string; readonly reason: string; readonly what: string }
  | { readonly kind: 'held'; readonly reason: string; readonly what: string };

export function matchNode(wish: NodeWish, nodes: Informer<Node>): NodeMatch {
  const ids = idsOf(wish);
  const bearing = nodesOfHost(nodes, ids);
  if (bearing.length > 1) return notUnique(bearing, `their provider ids are all of BareMetalHost ${hostName(wish)}`);
  const [node] = bearing;
  const id = node?.spec?.providerID;
  if (node !== undefined && id !== undefined && ids.includes(id))
    return { kind: 'found', node, id, isToBeGiven: false };
  if (wish.cloudProvider) {
    return held('WaitingForCloudProvider', `the cloud provider to give a Node the id ${ids.at(-1)}`);
  }
  return byLabel(wish, nodes, ids);
}

/** In order of preference: what the machine has (after a move the host has another UID, metal-7.11), legacy, today's. */
function idsOf({ machine, host }: NodeWish): readonly string[] {
  const { namespace = '', name } = machine.metadata;
  const current = machine.spec?.providerID;
  return [
    ...(current === undefined ? [] : [current]),
    `metal3://${host.metadata.uid}`,
    metal3ProviderId(namespace, host.metadata.name, name),
  ];
}

function byLabel(wish: NodeWish, nodes: Informer<Node>, ids: readonly string[]): NodeMatch {
  const { uid = '' } = wish.host.metadata;
  const labelled = nodesLabelled(nodes, uid);
  if (labelled.length > 1) return notUnique(labelled, `all have the label ${HOST_UID_LABEL}=${uid}`);
  const [node] = labelled;
  if (node !== undefined) return given(node, idToGive(wish, ids));
  if (wish.isLabelled) return held('NodeNotFound', `a Node with the label ${HOST_UID_LABEL}=${uid}`);
  return byHostname(wish, nodes, idToGive(wish, ids));
}

const idToGive = ({ machine }: NodeWish, ids: readonly string[]): string =>
  machine.spec?.providerID ?? ids.at(-1) ?? '';

/** An API server never lets a provider id be exchanged. */
function given(node: Node, id: string): NodeMatch {
  const borne = node.spec?.providerID ?? '';
  if (borne === '' || borne === id) return { kind: 'found', node, id, isToBeGiven: borne === '' };
  return held('ProviderIDUnsupported', `Node ${node.metadata.name} to go: it has the provider id ${borne}, not ${id}`);
}

/** Nobody labels the Node: the machine counts as provisioned, and its Node is known by the host's name. */
function byHostname({ host }: NodeWish, nodes: Informer<Node>, id: string): NodeMatch {
  const hostname = host.status?.hardware?.hostname ?? '';
  const named = nodesNamed(nodes, hostname === '' ? [] : [hostname]);
  const [node] = named;
  const match = named.length > 1 ? notUnique(named, `all have the host name ${hostname}`) : undefined;
  const found = match ?? (node === undefined ? undefined : given(node, id));
  if (found === undefined) {
    const what = hostname === '' ? `the host name of BareMetalHost ${host.metadata.name}` : `a Node named ${hostname}`;
    return { kind: 'unseen', id, reason: 'NodeNotFound', what };
  }
  return found.kind === 'held' ? { ...found, kind: 'unseen', id } : found;
}

function notUnique(nodes: readonly Node[], why: string): NodeMatch & { readonly kind: 'held' } {
  const names = nodes.map(({ metadata }) => metadata.name).sort();
  return held('ProviderIDNotUnique', `only one of the Nodes ${names.join(', ')} to be left: ${why}`);
}

const held = (reason: string, what: string): NodeMatch & { readonly kind: 'held' } => ({ kind: 'held', reason, what });

const hostName = ({ host }: NodeWish): string => host.metadata.name;
