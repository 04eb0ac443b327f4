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
