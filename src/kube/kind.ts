// A kind: its wire names, and the TypeScript type that travels with them.

import type { KubeObject, ObjectKey } from './object.ts';

/** `T` is only a type: nothing of it exists at run time. */
export interface Kind<T extends KubeObject = KubeObject> {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Reads ask for metadata alone: what else there is never reaches this process (secrets). */
  readonly metadataOnly?: true;
  readonly __type?: T;
}

/** Declares a kind: `kindOf<Lease>('coordination.k8s.io/v1', 'Lease', 'leases', 'Namespaced')`. */
export function kindOf<T extends KubeObject>(
  apiVersion: string,
  kind: string,
  plural: string,
  scope: 'Namespaced' | 'Cluster',
): Kind<T> {
  const slash = apiVersion.indexOf('/');
  return {
    group: slash < 0 ? '' : apiVersion.slice(0, slash),
    version: apiVersion.slice(slash + 1),
    kind,
    plural,
    namespaced: scope === 'Namespaced',
  };
}

/** The same kind, of which only metadata is read: for gets, lists, watches and caches. */
export const metadataOf = ({ group, version, kind, plural, namespaced }: Kind): Kind => ({
  group,
  version,
  kind,
  plural,
  namespaced,
  metadataOnly: true,
});

const METADATA = 'as=PartialObjectMetadata';

/** What a read or watch of objects of this kind accepts. */
export const acceptedFor = ({ metadataOnly }: Kind): string =>
  metadataOnly ? `application/json;${METADATA};g=meta.k8s.io;v=v1` : 'application/json';

/** What a list of this kind accepts. */
export const acceptedForList = ({ metadataOnly }: Kind): string =>
  metadataOnly ? `application/json;${METADATA}List;g=meta.k8s.io;v=v1` : 'application/json';

/** `v1` or `group/version`, as objects carry it. */
export const apiVersionOf = (kind: Kind): string =>
  kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;

/** `pods` or `machines.cluster.x-k8s.io`: how Status details and RBAC name it. */
export const resourceName = (kind: Kind): string => (kind.group === '' ? kind.plural : `${kind.plural}.${kind.group}`);

/** The request path of a collection (no name) or an object; `subresource` is its last segment. */
export function pathOf(kind: Kind, key: Partial<ObjectKey> = {}, subresource?: string): string {
  const root = kind.group === '' ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const scope =
    kind.namespaced && key.namespace !== undefined ? `/namespaces/${encodeURIComponent(key.namespace)}` : '';
  const name = key.name === undefined ? '' : `/${encodeURIComponent(key.name)}`;
  const sub = subresource === undefined ? '' : `/${subresource}`;
  return `${root}${scope}/${kind.plural}${name}${sub}`;
}
