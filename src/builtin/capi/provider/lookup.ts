// Finds a provider's object: from the cache where its kind is watched, and live before it counts as absent.

import type { KubeWorld } from '../../../kube/controller.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import type { Kind } from '../../../kube/kind.ts';
import { resourceName } from '../../../kube/kind.ts';
import type { ObjectKey } from '../../../kube/object.ts';
import type { ProviderObject } from './object.ts';
import { groupOf, type ProviderReference, type Resolved, resolve } from './references.ts';

/** `noSuchKind`: no CRD of that kind, so no such object can be stored. */
export type Sought =
  | { readonly kind: 'found'; readonly object: ProviderObject; readonly as: Resolved }
  | { readonly kind: 'absent'; readonly as: Resolved }
  | { readonly kind: 'noSuchKind' };

export interface Where {
  readonly namespace: string;
  readonly world: KubeWorld;
  /** Kinds of providers' objects whose caches are kept. */
  readonly watched: readonly Kind[];
}

export async function lookUp(reference: ProviderReference, where: Where): Promise<Sought> {
  const as = resolve(reference, where.world.caches);
  if (as === undefined) return { kind: 'noSuchKind' };
  const key = keyIn(as, reference.name, where.namespace);
  const object = cachedObject(as, key, where) ?? (await where.world.api.find(as.kind, key));
  return object === undefined ? { kind: 'absent', as } : { kind: 'found', object, as };
}

/** Whether the kind is really gone, and not only unknown to our cache: read live, whole (safe-1, safe-3). */
export async function isKindGone(reference: ProviderReference, world: KubeWorld): Promise<boolean> {
  const { items } = await world.api.list(CustomResourceDefinition);
  const group = groupOf(reference);
  return !items.some(({ metadata, spec }) => metadata.name.endsWith(`.${group}`) && namesKind(spec, reference.kind));
}

function namesKind(spec: unknown, kind: string): boolean {
  const { names } = spec as { readonly names?: { readonly kind?: string } };
  return names?.kind === kind;
}

export function keyIn({ kind }: Resolved, name: string, namespace: string): ObjectKey {
  return kind.namespaced ? { namespace, name } : { name };
}

function cachedObject(as: Resolved, key: ObjectKey, where: Where): ProviderObject | undefined {
  if (!where.watched.some(kind => resourceName(kind) === resourceName(as.kind))) return undefined;
  return where.world.caches.of(as.kind).get(key);
}
