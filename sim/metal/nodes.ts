// The Nodes that a simulated host registers in its workload cluster when it has booted, odd ones included.

import type { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { HOST_UID_LABEL, metal3ProviderId } from '../../src/kinds/metal-wire.ts';
import type { Node } from '../../src/kube/core/node.ts';
import type { NodeQuirk } from './quirks.ts';

export function nodesOf(host: BareMetalHost, quirk: NodeQuirk = 'usual'): readonly Node[] {
  const hostname = host.status?.hardware?.hostname ?? host.metadata.name;
  switch (quirk) {
    case 'never':
      return [];
    case 'wrong hostname':
      return [nodeOf(host, `not-${hostname}`)];
    case 'no uuid label':
      return [withoutUid(nodeOf(host, hostname))];
    case 'provider id set':
      return [{ ...nodeOf(host, hostname), spec: { providerID: providerIdOf(host) } }];
    case 'two alike':
      return [nodeOf(host, hostname), nodeOf(host, `${hostname}-twin`)];
    default:
      return [nodeOf(host, hostname)];
  }
}

const providerIdOf = ({ metadata: { namespace = '', name }, spec }: BareMetalHost): string =>
  metal3ProviderId(namespace, name, spec?.consumerRef?.name ?? '');

function nodeOf(host: BareMetalHost, name: string): Node {
  const labels = { 'kubernetes.io/hostname': name, [HOST_UID_LABEL]: host.metadata.uid ?? '' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}

function withoutUid(node: Node): Node {
  const { [HOST_UID_LABEL]: _, ...labels } = node.metadata.labels ?? {};
  return { ...node, metadata: { ...node.metadata, labels } };
}
