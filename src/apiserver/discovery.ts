// Discovery: what kubectl and client libraries ask first, in the old form per group and in the aggregated one.

import { createHash } from 'node:crypto';
import { type Subresource, subresourcesOf } from './builtin/index.ts';
import { apiVersionOf } from './core.ts';
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
  // The core group's list has no apiVersion on the real server either.
  const apiVersion = name === '' ? {} : { apiVersion: 'v1' };
  return { kind: 'APIResourceList', ...apiVersion, groupVersion, resources };
}

/** The aggregated form: the core group (`/api`) or all named ones (`/apis`) in one document. */
export function aggregated(registry: Registry, root: '/api' | '/apis', version: string): JsonObject {
  const groups = root === '/api' ? [['', registry.groups().get('') ?? []] as const] : namedGroups(registry);
  const items = groups.map(([name, versions]) => ({
    metadata: name === '' ? {} : { name },
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
    ...(!verbs.includes('create') || resource.virtual === true
      ? {}
      : { storageVersionHash: storageVersionHash(resource) }),
  };
  const subs = subresources(resource).map(sub => ({
    name: `${plural}/${sub.name}`,
    singularName: '',
    namespaced,
    ...kindUnlessOwn(resource, sub),
    verbs: [...sub.verbs],
  }));
  return [own, ...subs];
}

/** What the real server keeps in another version than it serves. */
const KEPT_AS: Readonly<Record<string, string>> = {
  'events.k8s.io/v1/Event': '/v1/Event',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy':
    'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding':
    'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicyBinding',
  'apiextensions.k8s.io/v1/CustomResourceDefinition': 'apiextensions.k8s.io/v1beta1/CustomResourceDefinition',
};

/** Eight bytes that change when the stored version does: clients compare them and nothing else. */
function storageVersionHash(resource: Resource): string {
  const version = resource.storageVersion ?? resource.version;
  const own = `${resource.group}/${version}/${resource.kind}`;
  const stored = KEPT_AS[own] ?? own;
  return createHash('sha256').update(stored).digest().subarray(0, 8).toString('base64');
}

function aggregatedResource(resource: Resource): JsonObject {
  const { kind, plural, singular, namespaced, verbs, shortNames, categories } = resource;
  const subs = subresources(resource).map(sub => ({
    subresource: sub.name,
    responseKind: { ...responseVersion(resource, sub.apiVersion), kind: sub.kind },
    verbs: [...sub.verbs],
  }));
  return {
    resource: plural,
    responseKind: { ...responseVersion(resource, apiVersionOf(resource)), kind },
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(subs.length === 0 ? {} : { subresources: subs }),
  };
}

/** Built-in kinds of their own group version leave it out, as on the real server. */
function responseVersion(resource: Resource, apiVersion: string): JsonObject {
  const isOwn = resource.origin === 'builtin' && apiVersion === apiVersionOf(resource);
  return isOwn ? { group: '', version: '' } : { ...groupVersionOf(apiVersion) };
}

/** Those of built-in kinds stand in the tables; custom resources have at most status and scale. */
function subresources(resource: Resource): readonly Subresource[] {
  if (resource.origin === 'builtin') return subresourcesOf(resource);
  const verbs = ['get', 'patch', 'update'];
  return resource.subresources.map(name =>
    name === 'scale'
      ? { name, apiVersion: 'autoscaling/v1', kind: 'Scale', verbs }
      : { name, apiVersion: apiVersionOf(resource), kind: resource.kind, verbs },
  );
}

function groupVersionOf(apiVersion: string): { readonly group: string; readonly version: string } {
  const slash = apiVersion.indexOf('/');
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** The old form names group and version only where they are not the resource's. */
function kindUnlessOwn(resource: Resource, sub: Subresource): JsonObject {
  if (sub.apiVersion === apiVersionOf(resource)) return { kind: sub.kind };
  const { group: g, version } = groupVersionOf(sub.apiVersion);
  return { ...(g === '' ? {} : { group: g }), version, kind: sub.kind };
}
