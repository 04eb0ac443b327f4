// What must exist after every start: the four namespaces, and what the parts bring (RBAC roles and bindings).

import { kubeTime } from '../base/clock.ts';
import { apiVersionOf, type Core } from './core.ts';
import { isCounted } from './objects/strategy.ts';
import type { JsonObject, Resource } from './parts.ts';
import { objectAt, stringAt, withMeta, without } from './rules/json.ts';

/** kube-system's UID identifies the cluster (safe-1). */
const NAMESPACES = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

/** All at once: a store commits together what it is given together. */
export async function bootstrap(core: Core): Promise<void> {
  const objects = [...NAMESPACES.map(namespaceNamed), ...(core.parts.bootstrapObjects ?? [])];
  await Promise.all(objects.map(object => ensure(core, object)));
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

/** Creates the object unless one of its name is there. */
async function ensure(core: Core, object: JsonObject): Promise<void> {
  const resource = core.registry.all().find(candidate => isOf(candidate, object));
  if (resource === undefined) return;
  const metadata = objectAt(object, 'metadata');
  const key = {
    storage: resource.storageName,
    namespace: stringAt(metadata, 'namespace'),
    name: stringAt(metadata, 'name'),
  };
  if (core.store.get(key) !== undefined) return;
  const filled = withMeta(object, {
    uid: core.random.uuid(),
    creationTimestamp: kubeTime(core.clock.now()),
    generation: isCounted(resource) ? 1 : undefined,
  });
  await core.store.write({ ...key, expected: 0, object: ownedByServer(core, resource, filled) });
}

/** The server's mark on what it writes by itself: whoever changes the object later leaves theirs beside it. */
function ownedByServer({ parts, clock }: Core, resource: Resource, object: JsonObject): JsonObject {
  const time = kubeTime(clock.now());
  // The rest of a Namespace is what any of them begins with.
  const after = resource.storageName === 'namespaces' ? without(object, 'spec', 'status') : without(object, 'status');
  const how = { resource, before: undefined, after, manager: 'kube-apiserver', subresource: '', time };
  const { managedFields } = objectAt(parts.fieldOwnership?.track(how) ?? {}, 'metadata');
  return withMeta(object, { managedFields });
}

const isOf = (resource: Resource, object: JsonObject): boolean =>
  resource.kind === object.kind && apiVersionOf(resource) === object.apiVersion;
