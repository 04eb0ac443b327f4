// What must exist after every start: the four namespaces, an APIService for each group version, and what the parts bring.

import { standingApiServices } from './api-services.ts';
import type { Core } from './core.ts';
import { createdByServer } from './created-by-server.ts';
import { keepAddresses } from './objects/service-addresses.ts';
import type { JsonObject } from './parts.ts';

/** kube-system's UID identifies the cluster (safe-1). */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** All at once: a store commits together what it is given together. */
export async function bootstrap(core: Core): Promise<void> {
  const objects = [
    ...NAMESPACES.map(namespaceNamed),
    ...standingApiServices(core),
    ...(core.parts.bootstrapObjects ?? []),
  ];
  await Promise.all([...objects.map(object => createdByServer(core, object)), keepAddresses(core)]);
}

function namespaceNamed(name: string): JsonObject {
  const label = { 'kubernetes.io/metadata.name': name };
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: label },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}
