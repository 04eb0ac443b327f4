// Discovery: what kubectl and client libraries ask first, in the old form per group and in the aggregated one.

import type { JsonObject, Resource } from './parts.ts';
import type { Registry } from './registry.ts';

/** `/api`: the versions of the core group. */
export function coreVersions(registry: Registry, serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: [...(registry.groups().get('') ?? [])],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}

/** `/apis`: all named groups. */
export function groupList(registry: Registry): JsonObject {
  const groups = namedGroups(registry).map(([name, versions]) => groupOf(name, versions));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/apis/<group>`; undefined when it is not served. */
export function group(registry: Registry, name: string): JsonObject | undefined {
  const versions = registry.groups().get(name);
  if (versions === undefined || name === '') return undefined;
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(name, versions) };
}

/** `/api/v1`, `/apis/<group>/<version>`; undefined when it is not served. */
export function resourceList(registry: Registry, name: string, version: string): JsonObject | undefined {
  if (!(registry.groups().get(name) ?? []).includes(version)) return undefined;
  const resources = registry.of(name, version).toSorted(byPlural).flatMap(listed);
  const groupVersion = name === '' ? version : `${name}/${version}`;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources };
}

/** The aggregated form: the core group (`/api`) or all named ones (`/apis`) in one document. */
export function aggregated(registry: Registry, core: boolean, version: string): JsonObject {
  const groups = core ? [['', registry.groups().get('') ?? []] as const] : namedGroups(registry);
  const items = groups.map(([name, versions]) => ({
    metadata: { ...(name === '' ? {} : { name }), creationTimestamp: null },
    versions: versions.map(v => ({
      version: v,
      resources: registry
        .of(name, v)
        .toSorted(byPlural)
        .map(resource => aggregatedResource(resource)),
      freshness: 'Current',
    })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
}

function namedGroups(registry: Registry): readonly (readonly [string, readonly string[]])[] {
  return [...registry.groups()].filter(([name]) => name !== '');
}

const byPlural = (a: Resource, b: Resource): number => (a.plural < b.plural ? -1 : 1);

function groupOf(name: string, versions: readonly string[]): JsonObject {
  const listedVersions = versions.map(version => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: listedVersions, preferredVersion: listedVersions[0] ?? null };
}

/** The resource and its subresources, as lines of a list. */
function listed(resource: Resource): readonly JsonObject[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  const own = {
    name: plural,
    singularName: singular,
    namespaced,
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
  };
  const subs = resource.subresources.map(sub => ({
    name: `${plural}/${sub}`,
    singularName: '',
    namespaced,
    ...gvkOf(resource, sub),
    verbs: [...verbsOf(sub)],
  }));
  return [own, ...subs];
}

function aggregatedResource(resource: Resource): JsonObject {
  const { group: g, version, kind, plural, singular, namespaced, verbs, shortNames, categories } = resource;
  const subresources = resource.subresources.map(sub => {
    const other = subresourceKind(resource, sub);
    return {
      subresource: sub,
      responseKind: { group: other.group, version: other.version, kind: other.kind },
      verbs: [...verbsOf(sub)],
    };
  });
  return {
    resource: plural,
    responseKind: { group: g, version, kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Subresources that speak another kind than their resource. */
const OTHER_KINDS: Readonly<Record<string, GroupVersionKind>> = {
  scale: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
  eviction: { group: 'policy', version: 'v1', kind: 'Eviction' },
  binding: { group: '', version: 'v1', kind: 'Binding' },
  token: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
  exec: { group: '', version: 'v1', kind: 'PodExecOptions' },
  attach: { group: '', version: 'v1', kind: 'PodAttachOptions' },
  portforward: { group: '', version: 'v1', kind: 'PodPortForwardOptions' },
};

function subresourceKind({ group: g, version, kind }: Resource, sub: string): GroupVersionKind {
  return OTHER_KINDS[sub] ?? { group: g, version, kind };
}

function gvkOf(resource: Resource, sub: string): JsonObject {
  const { group: g, version, kind } = subresourceKind(resource, sub);
  const same = kind === resource.kind && g === resource.group;
  return same ? { kind } : { ...(g === '' ? {} : { group: g }), version, kind };
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  binding: ['create'],
  eviction: ['create'],
  token: ['create'],
  exec: ['create', 'get'],
  attach: ['create', 'get'],
  portforward: ['create', 'get'],
  proxy: ['create', 'delete', 'get', 'patch', 'update'],
  log: ['get'],
  finalize: ['update'],
};

const verbsOf = (sub: string): readonly string[] => VERBS[sub] ?? ['get', 'patch', 'update'];
