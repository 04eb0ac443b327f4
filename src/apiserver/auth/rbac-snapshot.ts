// Who holds which rules, indexed by subject: rebuilt when a role or a binding has changed, never in between.

import type { PolicyRule } from '../../kube/core/other.ts';
import type { Identity } from '../../kube/transport.ts';
import type { Json, JsonObject, Stored } from '../parts.ts';
import { effectiveRules } from './aggregation.ts';
import { listAt, objectAt, textAt } from './fields.ts';
import { quoted } from './refusal.ts';
import { rulesOf } from './rules.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const ROLES = `roles.${RBAC_GROUP}`;
const CLUSTER_ROLES = `clusterroles.${RBAC_GROUP}`;
const ROLE_BINDINGS = `rolebindings.${RBAC_GROUP}`;
const CLUSTER_ROLE_BINDINGS = `clusterrolebindings.${RBAC_GROUP}`;
const STORES = [ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS];

/** What one binding gives to one subject. */
export interface Grant {
  /** Undefined when the role that the binding names does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** How answers name it: `ClusterRoleBinding "x" of ClusterRole "y" to Group "z"`; for a missing role what is missing. */
  readonly source: string;
}

/** All grants at one moment. */
export interface RbacSnapshot {
  /** Cluster-wide grants first, then those of the namespace (empty: cluster scope only). */
  grantsOf(identity: Identity, namespace: string): readonly Grant[];
  /** The rules of the role that a binding refers to; undefined when there is none. */
  rulesOfRef(roleRef: JsonObject, namespace: string): readonly PolicyRule[] | undefined;
}

/** Subject key and namespace (empty: everywhere) to grants. */
type Index = Map<string, Map<string, Grant[]>>;

/**
 * The current snapshot on each call. With `Stored.revision` it is built once per change of a role or binding; without
 * it, on every call.
 */
export function rbacSnapshots(stored: Stored): () => RbacSnapshot {
  let current: RbacSnapshot | undefined;
  let builtAt: string | undefined;
  return () => {
    const now = stored.revision === undefined ? undefined : STORES.map(name => stored.revision?.(name)).join();
    if (current === undefined || now === undefined || now !== builtAt) {
      current = build(stored);
      builtAt = now;
    }
    return current;
  };
}

function build(stored: Stored): RbacSnapshot {
  const clusterRoles = stored.list(CLUSTER_ROLES);
  const resolved = new Map<string, readonly PolicyRule[]>();
  const clusterRules = (name: string): readonly PolicyRule[] | undefined => {
    const role = stored.get(CLUSTER_ROLES, '', name);
    if (role === undefined) return undefined;
    const rules = resolved.get(name) ?? effectiveRules(role, clusterRoles);
    resolved.set(name, rules);
    return rules;
  };
  const rulesOfRef: RbacSnapshot['rulesOfRef'] = (roleRef, namespace) => {
    const name = textAt(roleRef, 'name');
    if (textAt(roleRef, 'kind') === 'ClusterRole') return clusterRules(name);
    const role = namespace === '' ? undefined : stored.get(ROLES, namespace, name);
    return role === undefined ? undefined : rulesOf(role);
  };

  const index: Index = new Map();
  for (const binding of stored.list(CLUSTER_ROLE_BINDINGS)) enter(index, binding, '', rulesOfRef);
  for (const binding of stored.list(ROLE_BINDINGS)) {
    enter(index, binding, textAt(binding, 'metadata', 'namespace'), rulesOfRef);
  }
  return { rulesOfRef, grantsOf: (identity, namespace) => grantsIn(index, identity, namespace) };
}

function enter(index: Index, binding: JsonObject, namespace: string, rulesOfRef: RbacSnapshot['rulesOfRef']): void {
  const roleRef = objectAt(binding, 'roleRef') ?? {};
  const rules = rulesOfRef(roleRef, namespace);
  for (const subject of listAt(binding, 'subjects')) {
    const key = subjectKey(subject, namespace);
    const perNamespace = index.get(key) ?? new Map<string, Grant[]>();
    index.set(key, perNamespace);
    const grants = perNamespace.get(namespace) ?? [];
    perNamespace.set(namespace, grants);
    const source = rules === undefined ? missingRole(roleRef) : sourceOf(binding, subject, namespace);
    grants.push({ rules, source });
  }
}

/** A service account is the user of that name. */
function subjectKey(subject: Json, namespace: string): string {
  const name = textAt(subject, 'name');
  switch (textAt(subject, 'kind')) {
    case 'Group':
      return `group ${name}`;
    case 'ServiceAccount':
      return `user system:serviceaccount:${textAt(subject, 'namespace') || namespace}:${name}`;
    default:
      return `user ${name}`;
  }
}

function grantsIn(index: Index, identity: Identity, namespace: string): readonly Grant[] {
  const mine = [`user ${identity.name}`, ...identity.groups.map(group => `group ${group}`)].flatMap(key => {
    const found = index.get(key);
    return found === undefined ? [] : [found];
  });
  const everywhere = mine.flatMap(grants => grants.get('') ?? []);
  return namespace === '' ? everywhere : [...everywhere, ...mine.flatMap(grants => grants.get(namespace) ?? [])];
}

function missingRole(roleRef: JsonObject): string {
  const resource = textAt(roleRef, 'kind') === 'ClusterRole' ? 'clusterrole' : 'role';
  return `${resource}.${RBAC_GROUP} ${quoted(textAt(roleRef, 'name'))} not found`;
}

/** kube-apiserver puts a name before its namespace here; so do we. */
function sourceOf(binding: JsonObject, subject: Json, namespace: string): string {
  const name = textAt(binding, 'metadata', 'name');
  const bindingText =
    namespace === '' ? `ClusterRoleBinding ${quoted(name)}` : `RoleBinding ${quoted(`${name}/${namespace}`)}`;
  const role = `${textAt(binding, 'roleRef', 'kind')} ${quoted(textAt(binding, 'roleRef', 'name'))}`;
  return `${bindingText} of ${role} to ${subjectText(subject, namespace)}`;
}

function subjectText(subject: Json, namespace: string): string {
  const kind = textAt(subject, 'kind');
  const name = textAt(subject, 'name');
  if (kind !== 'ServiceAccount') return `${kind} ${quoted(name)}`;
  return `${kind} ${quoted(`${name}/${textAt(subject, 'namespace') || namespace}`)}`;
}
