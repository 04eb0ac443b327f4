// Nobody grants more than they hold: checked when a role or a binding is written.

import { isDeepStrictEqual } from 'node:util';
import type { PolicyRule } from '../../kube/core/other.ts';
import { forbidden, notFound } from '../answer/status.ts';
import type { Admission, Authorizer, JsonObject } from '../parts.ts';
import { listAt, objectAt, textAt } from './fields.ts';
import { type AdmissionCall, operationOf, unchanged } from './operation.ts';
import type { RbacSnapshot } from './rbac-snapshot.ts';
import { quoted } from './refusal.ts';
import { missingRules, rulesOf } from './rules.ts';

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const ROLES = ['roles', 'clusterroles'];
const BINDINGS = ['rolebindings', 'clusterrolebindings'];

interface EscalationWorld {
  readonly authorize: Authorizer;
  readonly snapshot: () => RbacSnapshot;
}

/**
 * Runs after the other admission, on the object as it is to be stored. `system:masters` passes; so does who holds the
 * verb `escalate` on the role, or `bind` on the role that a binding names.
 */
export function noEscalation(world: EscalationWorld): Admission {
  return call => {
    const { attributes, object } = call;
    if (attributes.group !== RBAC_GROUP || object === undefined || operationOf(call) === 'DELETE')
      return unchanged(object);
    if (attributes.identity.groups.includes('system:masters') || changesOwnersOnly(call)) return unchanged(object);
    if (ROLES.includes(attributes.resource)) return admitRole(world, call, object);
    return BINDINGS.includes(attributes.resource) ? admitBinding(world, call, object) : unchanged(object);
  };
}

function admitRole(world: EscalationWorld, call: AdmissionCall, role: JsonObject): ReturnType<Admission> {
  if (world.authorize({ ...call.attributes, verb: 'escalate', version: '*' }).allowed) return unchanged(role);

  const confirmed = confirm(world, call, rulesOf(role));
  if ('refused' in confirmed || (!hasSelectors(role) && !hasSelectors(call.old))) return confirmed;
  // What a role will aggregate is not known now: only who may do everything may choose by labels, and so may escalate.
  return refuse(call, role, 'must have cluster-admin privileges to use the aggregationRule');
}

const hasSelectors = (role: JsonObject | undefined): boolean =>
  listAt(role, 'aggregationRule', 'clusterRoleSelectors').length > 0;

function admitBinding(world: EscalationWorld, call: AdmissionCall, binding: JsonObject): ReturnType<Admission> {
  const { namespace } = call.attributes;
  const roleRef = objectAt(binding, 'roleRef') ?? {};
  const isClusterRole = textAt(roleRef, 'kind') === 'ClusterRole';
  const resource = isClusterRole ? 'clusterroles' : 'roles';
  const name = textAt(roleRef, 'name');
  const bind = { verb: 'bind', version: '*', group: textAt(roleRef, 'apiGroup'), resource, name };
  if (world.authorize({ ...call.attributes, ...bind }).allowed) return unchanged(binding);

  const rules = world.snapshot().rulesOfRef(roleRef, namespace);
  if (rules === undefined)
    // As the real server: the role's name under the binding's resource.
    return { refused: notFound({ group: RBAC_GROUP, resource: call.attributes.resource, name }).status };
  return confirm(world, call, rules);
}

function confirm(world: EscalationWorld, call: AdmissionCall, wanted: readonly PolicyRule[]): ReturnType<Admission> {
  const missing = missingRules(heldBy(world, call), wanted);
  if (missing.length === 0) return unchanged(call.object);

  const { name, groups } = call.attributes.identity;
  const listed = [...new Set(compact(missing).map(ruleText))].sort().join('\n');
  const who = `user ${quoted(name)} (groups=[${groups.map(quoted).join(' ')}])`;
  return refuse(call, call.object, `${who} is attempting to grant RBAC permissions not currently held:\n${listed}`);
}

const heldBy = ({ snapshot }: EscalationWorld, { attributes }: AdmissionCall): readonly PolicyRule[] =>
  snapshot()
    .grantsOf(attributes.identity, attributes.namespace)
    .flatMap(grant => grant.rules ?? []);

function refuse(call: AdmissionCall, object: JsonObject | undefined, why: string): ReturnType<Admission> {
  const { resource, name } = call.attributes;
  return {
    refused: forbidden({ group: RBAC_GROUP, resource, name: name || textAt(object, 'metadata', 'name') }, why).status,
  };
}

/** The garbage collector only changes who owns an object and what holds it. */
function changesOwnersOnly({ object, old }: AdmissionCall): boolean {
  return old !== undefined && object !== undefined && isDeepStrictEqual(exceptOwners(object), exceptOwners(old));
}

function exceptOwners(object: JsonObject): unknown {
  const {
    ownerReferences: _owners,
    finalizers: _holders,
    managedFields: _fields,
    ...metadata
  } = objectAt(object, 'metadata') ?? {};
  return { ...object, metadata };
}

/** Verbs on the same resource (and name) become one line; paths stay as they are. */
function compact(atoms: readonly PolicyRule[]): readonly PolicyRule[] {
  const paths = atoms.filter(atom => atom.nonResourceURLs !== undefined);
  // Not by Map.groupBy: `pippin/testing` runs on Node 20 too, which has none.
  const byResource = new Map<string, PolicyRule[]>();
  for (const atom of atoms.filter(({ nonResourceURLs }) => nonResourceURLs === undefined)) {
    const key = JSON.stringify([atom.apiGroups, atom.resources, atom.resourceNames]);
    const same = byResource.get(key);
    if (same === undefined) byResource.set(key, [atom]);
    else same.push(atom);
  }
  const merged = [...byResource.values()].map(same => ({ ...same[0], verbs: same.flatMap(atom => atom.verbs) }));
  return [...paths, ...merged];
}

/** As kube-apiserver prints a rule: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
function ruleText(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = parts.filter(([, values]) => values !== undefined && values.length > 0);
  return `{${shown.map(([name, values]) => `${name}:[${(values ?? []).map(quoted).join(' ')}]`).join(', ')}}`;
}
