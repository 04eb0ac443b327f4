// What can be asked of a resource, path by path: the part of an OpenAPI document that both versions of the format share.

import { apiVersionOf } from '../../core.ts';
import type { Resource } from '../../parts.ts';
import { type Subresource, subresourcesOf } from '../resources.ts';
import { typeNameOf } from '../shapes.ts';
import { customListType, customType } from './custom.ts';

export type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
export type Action = 'list' | 'get' | 'put' | 'post' | 'patch' | 'delete' | 'deletecollection' | 'connect';

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly action: Action;
  /** Unique in a document: `readCoreV1NamespacedPod`. */
  readonly id: string;
  readonly kind: GroupVersionKind;
  /** The type of what is sent; absent when nothing is. */
  readonly body?: string;
  /** The type of what is answered; absent for plain text and streams. */
  readonly answer?: string;
  readonly isCustom: boolean;
}

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1';
const PATCH_TYPE = `${META}.Patch`;
const DELETE_OPTIONS = `${META}.DeleteOptions`;
const STATUS = `${META}.Status`;
export const WATCH_EVENT = `${META}.WatchEvent`;

/** Subresources that are streams to a node, not objects. */
const STREAMS: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy']);

export function operationsOf(resource: Resource): readonly Operation[] {
  const collection = collectionPath(resource);
  const everywhere = resource.namespaced && resource.verbs.includes('list') ? [listEverywhere(resource)] : [];
  const own = resource.verbs.flatMap(verb => operationFor(resource, verb, collection));
  const below = subresources(resource).flatMap(sub => subresourceOperations(resource, sub, collection));
  return [...everywhere, ...own, ...below];
}

function rootPath({ group, version }: Resource): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
}

function collectionPath(resource: Resource): string {
  const scope = resource.namespaced ? '/namespaces/{namespace}' : '';
  return `${rootPath(resource)}${scope}/${resource.plural}`;
}

const VERBS: Readonly<Record<string, { method: Method; action: Action; says: string; onItem: boolean }>> = {
  list: { method: 'get', action: 'list', says: 'list', onItem: false },
  create: { method: 'post', action: 'post', says: 'create', onItem: false },
  deletecollection: { method: 'delete', action: 'deletecollection', says: 'delete', onItem: false },
  get: { method: 'get', action: 'get', says: 'read', onItem: true },
  update: { method: 'put', action: 'put', says: 'replace', onItem: true },
  patch: { method: 'patch', action: 'patch', says: 'patch', onItem: true },
  delete: { method: 'delete', action: 'delete', says: 'delete', onItem: true },
};

function operationFor(resource: Resource, verb: string, collection: string): readonly Operation[] {
  const row = VERBS[verb];
  if (row === undefined) return [];
  const many = row.action === 'deletecollection' ? 'Collection' : '';
  return [
    {
      path: row.onItem ? `${collection}/{name}` : collection,
      method: row.method,
      action: row.action,
      id: `${row.says}${groupWord(resource)}${versionWord(resource)}${many}${scopeWord(resource)}${resource.kind}`,
      kind: kindOf(resource),
      ...bodyOf(row.action, typeOf(resource)),
      answer: answerOf(resource, row.action),
      isCustom: resource.origin === 'custom',
    },
  ];
}

function listEverywhere(resource: Resource): Operation {
  return {
    path: `${rootPath(resource)}/${resource.plural}`,
    method: 'get',
    action: 'list',
    id: `list${groupWord(resource)}${versionWord(resource)}${resource.kind}ForAllNamespaces`,
    kind: kindOf(resource),
    answer: listTypeOf(resource),
    isCustom: resource.origin === 'custom',
  };
}

function subresources(resource: Resource): readonly Subresource[] {
  if (resource.origin === 'builtin') return subresourcesOf(resource);
  const verbs = ['get', 'patch', 'update'];
  return resource.subresources.map(name =>
    name === 'scale'
      ? { name, apiVersion: 'autoscaling/v1', kind: 'Scale', verbs }
      : { name, apiVersion: apiVersionOf(resource), kind: resource.kind, verbs },
  );
}

function subresourceOperations(resource: Resource, sub: Subresource, collection: string): readonly Operation[] {
  const type = sub.kind === resource.kind ? typeOf(resource) : typeNameOf(sub.apiVersion, sub.kind);
  const slash = sub.apiVersion.indexOf('/');
  const kind = {
    group: slash < 0 ? '' : sub.apiVersion.slice(0, slash),
    version: sub.apiVersion.slice(slash + 1),
    kind: sub.kind,
  };
  const path = `${collection}/{name}/${sub.name}`;
  return sub.verbs.flatMap((verb): readonly Operation[] => {
    const row = VERBS[verb];
    if (row === undefined || type === undefined) return [];
    const isCustom = resource.origin === 'custom';
    const shared = { path, method: row.method, kind, isCustom, id: subresourceId(resource, sub, row) };
    if (STREAMS.has(sub.name)) return [{ ...shared, action: 'connect' }];
    const answer = sub.name === 'log' ? {} : { answer: type };
    return [{ ...shared, action: row.action, ...bodyOf(row.action, type), ...answer }];
  });
}

function subresourceId(resource: Resource, sub: Subresource, row: { method: Method; says: string }): string {
  const about = `${groupWord(resource)}${versionWord(resource)}`;
  const says = STREAMS.has(sub.name) ? `connect${about}${capital(row.method)}` : `${row.says}${about}`;
  return `${says}${scopeWord(resource)}${resource.kind}${capital(sub.name)}`;
}

function bodyOf(action: Action, type: string): { readonly body?: string } {
  if (action === 'post' || action === 'put') return { body: type };
  if (action === 'patch') return { body: PATCH_TYPE };
  return action === 'delete' || action === 'deletecollection' ? { body: DELETE_OPTIONS } : {};
}

function answerOf(resource: Resource, action: Action): string {
  if (action === 'list') return listTypeOf(resource);
  return action === 'delete' || action === 'deletecollection' ? STATUS : typeOf(resource);
}

function typeOf(resource: Resource): string {
  if (resource.origin === 'custom') return customType(resource);
  return typeNameOf(apiVersionOf(resource), resource.kind) ?? STATUS;
}

function listTypeOf(resource: Resource): string {
  if (resource.origin === 'custom') return customListType(resource);
  return typeNameOf(apiVersionOf(resource), resource.listKind) ?? STATUS;
}

const kindOf = ({ group, version, kind }: Resource): GroupVersionKind => ({ group, version, kind });

/** `RbacAuthorization` for rbac.authorization.k8s.io; `Core` for the group without a name. */
export function groupWord({ group }: Pick<Resource, 'group'>): string {
  if (group === '') return 'Core';
  return group
    .replace(/\.k8s\.io$/, '')
    .split(/[.-]/)
    .map(capital)
    .join('');
}

const versionWord = ({ version }: Resource): string => capital(version);

const scopeWord = ({ namespaced }: Resource): string => (namespaced ? 'Namespaced' : '');

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);
