// The rows of the resource table: what discovery of the real server says of each served resource.

import type { GoShapes } from './table-wire.ts';

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind: GroupVersionKind;
    readonly verbs: readonly string[];
  }[];
}

/** `APIGroupDiscoveryList` of apidiscovery.k8s.io/v2. */
export interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
  }[];
}

export interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly {
    readonly name: string;
    readonly apiVersion: string;
    readonly kind: string;
    readonly verbs: readonly string[];
  }[];
  /** The OpenAPI name of its type. */
  readonly type: string;
}

export function resourceRows(list: DiscoveryList, shapes: GoShapes): readonly ResourceRow[] {
  return list.items.flatMap(({ metadata, versions }) =>
    versions.flatMap(({ version, resources }) =>
      resources.map(resource => rowOf(metadata.name ?? '', version, resource, shapes)),
    ),
  );
}

function rowOf(group: string, version: string, resource: DiscoveredResource, shapes: GoShapes): ResourceRow {
  const kind = resource.responseKind.kind;
  const type = shapes.kinds[`${group}/${version}/${kind}`];
  if (type === undefined) throw new Error(`no Go type for ${group}/${version} ${kind}`);
  const { shortNames, categories, subresources } = resource;
  return {
    group,
    version,
    kind,
    plural: resource.resource,
    singular: resource.singularResource,
    namespaced: resource.scope === 'Namespaced',
    verbs: resource.verbs,
    ...(shortNames === undefined ? {} : { shortNames }),
    ...(categories === undefined ? {} : { categories }),
    ...(subresources === undefined
      ? {}
      : { subresources: subresources.map(sub => subresourceOf(sub, group, version)) }),
    type,
  };
}

function subresourceOf(
  sub: NonNullable<DiscoveredResource['subresources']>[number],
  group: string,
  version: string,
): NonNullable<ResourceRow['subresources']>[number] {
  // An empty group and version stand for those of the resource.
  const own = sub.responseKind.version === '';
  const kindGroup = own ? group : sub.responseKind.group;
  const kindVersion = own ? version : sub.responseKind.version;
  const apiVersion = kindGroup === '' ? kindVersion : `${kindGroup}/${kindVersion}`;
  return { name: sub.subresource, apiVersion, kind: sub.responseKind.kind, verbs: sub.verbs };
}
