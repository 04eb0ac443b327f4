// Nodes of a workload cluster, found by what ties them to a host: provider id, label of the host's UID, host name.

import { HOST_UID_LABEL } from '../../kinds/metal-wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { Node } from '../../kube/core/node.ts';
import { labelOf } from '../../kube/object.ts';

const BY_PROVIDER_ID = 'metal.provider-id';
const BY_PROVIDER_HOST = 'metal.provider-host';
const BY_HOST_UID = 'metal.host-uid';
const BY_HOSTNAME = 'metal.hostname';

const HOSTNAME_LABEL = 'kubernetes.io/hostname';

function indexed(nodes: Informer<Node>): Informer<Node> {
  nodes.index(BY_PROVIDER_ID, ({ spec }) => given(spec?.providerID));
  nodes.index(BY_PROVIDER_HOST, ({ spec }) => given(hostPartOf(spec?.providerID)));
  nodes.index(BY_HOST_UID, node => given(labelOf(node, HOST_UID_LABEL)));
  nodes.index(BY_HOSTNAME, node => given(labelOf(node, HOSTNAME_LABEL)));
  return nodes;
}

const given = (text: string | undefined): readonly string[] => (text === undefined || text === '' ? [] : [text]);

/** `metal3://<namespace>/<host>/` of an id in today's form. */
const hostPartOf = (id: string | undefined): string | undefined => /^metal3:\/\/[^/]+\/[^/]+\//.exec(id ?? '')?.[0];

/** Nodes that bear one of these ids, or any id of the host that the last of them names. */
export function nodesOfHost(nodes: Informer<Node>, ids: readonly string[]): readonly Node[] {
  const found = [
    ...ids.flatMap(id => indexed(nodes).by(BY_PROVIDER_ID, id)),
    ...given(hostPartOf(ids.at(-1))).flatMap(part => indexed(nodes).by(BY_PROVIDER_HOST, part)),
  ];
  return [...new Map(found.map(node => [node.metadata.name, node])).values()];
}

export const nodesLabelled = (nodes: Informer<Node>, hostUid: string): readonly Node[] =>
  indexed(nodes).by(BY_HOST_UID, hostUid);

export const nodesNamed = (nodes: Informer<Node>, hostnames: readonly string[]): readonly Node[] => [
  ...new Map(
    hostnames.flatMap(name => indexed(nodes).by(BY_HOSTNAME, name)).map(node => [node.metadata.name, node]),
  ).values(),
];
