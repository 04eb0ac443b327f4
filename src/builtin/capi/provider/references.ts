// Which kind a reference to a provider's object means, and by which contract the object speaks: its CRD's labels say so.

import type { Ref } from '../../../kube/api.ts';
import type { Caches } from '../../../kube/cache.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import { type Kind, kindOf, resourceName } from '../../../kube/kind.ts';
import type { KubeObject, ObjectKey } from '../../../kube/object.ts';
import type { Outside } from '../../../kube/outcome.ts';
import type { ProviderObject } from './object.ts';

/** A reference in either spelling: `apiGroup` of v1beta2, `apiVersion` of v1beta1. */
export interface ProviderReference {
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
}

export type Contract = 'v1beta1' | 'v1beta2';

export interface Resolved {
  readonly kind: Kind<ProviderObject>;
  readonly contract: Contract;
}

interface CrdSpec {
  readonly group: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly names: { readonly kind: string; readonly plural: string };
  readonly versions: readonly { readonly name: string; readonly served: boolean; readonly storage: boolean }[];
}

const CONTRACT_LABEL = 'cluster.x-k8s.io/';

export function groupOf(reference: Omit<ProviderReference, 'name'>): string {
  return reference.apiGroup ?? reference.apiVersion?.split('/')[0] ?? '';
}

/** Undefined when no CRD of this group and kind is there. */
export function resolve(reference: Omit<ProviderReference, 'name'>, caches: Caches): Resolved | undefined {
  const group = groupOf(reference);
  const crd = caches
    .of(CustomResourceDefinition)
    .list()
    .find(({ spec }) => isCrdSpec(spec) && spec.group === group && spec.names.kind === reference.kind);
  if (crd === undefined || !isCrdSpec(crd.spec)) return undefined;
  const { version, contract } = versionOf(crd, crd.spec, reference);
  const { plural, kind } = crd.spec.names;
  return { kind: kindOf<ProviderObject>(`${group}/${version}`, kind, plural, crd.spec.scope), contract };
}

/** The version that the newest contract names; where no label does, the reference's own, or the stored one. */
function versionOf(
  crd: KubeObject,
  spec: CrdSpec,
  reference: Omit<ProviderReference, 'name'>,
): { readonly version: string; readonly contract: Contract } {
  for (const contract of ['v1beta2', 'v1beta1'] as const) {
    const named = crd.metadata.labels?.[`${CONTRACT_LABEL}${contract}`]?.split('_') ?? [];
    const version = named
      .filter(name => spec.versions.some(candidate => candidate.name === name && candidate.served))
      .at(-1);
    if (version !== undefined) return { version, contract };
  }
  const asked = reference.apiVersion?.split('/')[1];
  const served = spec.versions.find(({ name, served }) => served && name === asked);
  const stored = spec.versions.find(({ storage }) => storage);
  return { version: (served ?? stored)?.name ?? 'v1', contract: 'v1beta1' };
}

function isCrdSpec(spec: unknown): spec is CrdSpec {
  return typeof spec === 'object' && spec !== null && 'group' in spec && 'names' in spec && 'versions' in spec;
}

/** What a wait for a provider's object waits on: the object where its kind is watched, else a thing outside. */
export function waitTarget(kind: Kind, key: ObjectKey, watched: readonly Kind[]): Ref | Outside {
  const isWatched = watched.some(candidate => resourceName(candidate) === resourceName(kind));
  if (isWatched) return { kind, ...key };
  return { port: 'provider', subject: `${kind.kind} ${key.name}` };
}
