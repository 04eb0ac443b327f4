// Namespace deletion: all content goes first, the conditions say what is in the way, then the namespace is let go.

import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { Namespace } from '../../kube/core/other.ts';
import { isDeleting, type KubeObject } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { mergeConditions } from '../conditions.ts';
import { unlessOvertaken } from '../overtaken.ts';
import type { Content } from '../served/content.ts';
import type { Discovery } from '../served/discovery.ts';
import { conditionsOf, isEmpty, type Seen } from './conditions.ts';
import { emptyNamespace } from './content.ts';

/** The entry of `spec.finalizers` that this controller holds. */
const HELD = 'kubernetes';

export interface NamespaceOptions {
  readonly discovery: Discovery;
  readonly content: (world: KubeWorld) => Content;
  readonly recheckMs: number;
}

export function namespaceDeletion(options: NamespaceOptions): KeyController<KubeWorld> {
  return {
    name: 'namespace',
    kind: Namespace,
    workers: 2,
    wakes: (world, wake) => {
      options.content(world).onChange(({ object, type }) => {
        const { namespace } = object.metadata;
        if (type !== 'deleted' || namespace === undefined) return;
        const cached = world.caches.of(Namespace).get({ name: namespace });
        if (cached !== undefined && isDeleting(cached)) wake({ name: namespace });
      });
    },
    async pass(key, _object, world) {
      const cached = world.caches.of(Namespace).get(key);
      if (cached === undefined || !isDeleting(cached)) return done();
      // Read live: a namespace of that name may have been made anew since.
      const namespace = await world.api.find(Namespace, key);
      if (namespace === undefined || !isDeleting(namespace) || isLetGo(namespace)) return done();
      return empty(namespace, world, options);
    },
  };
}

/** Somebody took all holds off: it is theirs to delete it once more, and any write now would remove it over its content. */
const isLetGo = ({ spec }: Namespace): boolean => (spec?.finalizers ?? []).length === 0;

async function empty(namespace: Namespace, world: KubeWorld, options: NamespaceOptions): Promise<Outcome> {
  const { name } = namespace.metadata;
  const seen = await emptyNamespace(name, world.api, options.discovery);
  const current = await writeConditions(namespace, seen, world);
  if (!isEmpty(seen)) {
    return wait({ port: 'namespace content', subject: name }, whatIsLeft(seen), options.recheckMs);
  }
  await finalize(current, world);
  return done();
}

function whatIsLeft({ undiscovered, failures, remaining }: Seen): string {
  if (undiscovered.length > 0) return `discovery of ${undiscovered.join(', ')}`;
  if (failures.length > 0) return `these to be deleted: ${failures.join(', ')}`;
  return `these to go: ${remaining.map(kind => `${kind.objects.length} ${kind.plural}`).join(', ')}`;
}

/** Writes only what changed: an unchanged blocker is not written once a pass. */
async function writeConditions(namespace: Namespace, seen: Seen, world: KubeWorld): Promise<Namespace> {
  const merged = mergeConditions(namespace.status?.conditions ?? [], conditionsOf(seen), world.clock.now());
  if (merged === undefined) return namespace;
  const body = { status: { conditions: merged } };
  return world.api.patch(Namespace, { name: namespace.metadata.name }, body, { subresource: 'status' });
}

/** Takes our entry off `spec.finalizers`; the API removes the namespace when the list is empty. */
async function finalize(namespace: Namespace, world: KubeWorld): Promise<void> {
  const finalizers = namespace.spec?.finalizers ?? [];
  if (!finalizers.includes(HELD)) return;
  const without: Namespace & KubeObject = {
    ...namespace,
    spec: { ...namespace.spec, finalizers: finalizers.filter(finalizer => finalizer !== HELD) },
  };
  await unlessOvertaken(() => world.api.update(Namespace, without, 'finalize'));
}
