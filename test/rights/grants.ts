// What deploy/ grants, down to one verb on one thing, and which of it a set of requests needs.

import { ruleAllows } from '../../src/apiserver/auth/rules.ts';
import type { Attributes } from '../../src/apiserver/parts.ts';
import { accountIdentity, type ManifestName, manifestsOf } from '../../src/fleet/manifests.ts';
import type { PolicyRule, Role, RoleBinding, Subject } from '../../src/kube/core/other.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Identity } from '../../src/kube/transport.ts';

/** One verb on one resource, with at most one name. */
export interface Grant {
  /** `macProvider: pippin-manager may get pods`. */
  readonly text: string;
  readonly rule: PolicyRule;
  /** Empty: everywhere. */
  readonly namespace: string;
  holds(who: Identity): boolean;
}

const FILES: readonly ManifestName[] = ['macProvider', 'agent', 'clusterApi', 'embedded', 'metal', 'ipam'];

/** Accounts of agents that have no certificate; the manager binds them when it sets their Macs up. */
const AGENT_ROLE = 'tart-kubelet';
const AGENT_ACCOUNT = /^system:serviceaccount:[^:]+:tart-kubelet-/;

/** Everything that the files grant. */
export function grantsOf(files: readonly ManifestName[] = FILES): readonly Grant[] {
  return files.flatMap(file => {
    const objects = manifestsOf(file);
    return objects.filter(isRole).flatMap(role => grantsOfRole(file, role, objects.filter(isBinding)));
  });
}

/** The grants without which one of these requests would be refused. */
export function neededFor(asked: readonly Attributes[], grants: readonly Grant[]): ReadonlySet<Grant> {
  const needed = new Set<Grant>();
  for (const ask of asked) {
    const [first, second] = grants.filter(grant => allows(grant, ask));
    if (first !== undefined && second === undefined) needed.add(first);
  }
  return needed;
}

const allows = ({ rule, namespace, holds }: Grant, ask: Attributes): boolean =>
  holds(ask.identity) && (namespace === '' || namespace === ask.namespace) && ruleAllows(rule, ask);

const isRole = (object: KubeObject): object is Role => object.kind === 'ClusterRole' || object.kind === 'Role';
const isBinding = (object: KubeObject): object is RoleBinding => object.kind.endsWith('RoleBinding');

function grantsOfRole(file: string, role: Role, bindings: readonly RoleBinding[]): readonly Grant[] {
  const { name, namespace = '' } = role.metadata;
  const holders = bindings
    .filter(({ roleRef, metadata }) => roleRef.name === name && (metadata.namespace ?? '') === namespace)
    .flatMap(({ subjects = [] }) => subjects);
  const holds = (who: Identity): boolean =>
    holders.some(subject => isSubject(subject, who)) || (name === AGENT_ROLE && AGENT_ACCOUNT.test(who.name));
  const where = namespace === '' ? '' : ` in ${namespace}`;
  return (role.rules ?? []).flatMap(atomsOf).map(rule => ({
    text: `${file}: ${name} may ${ruleText(rule)}${where}`,
    rule,
    namespace,
    holds,
  }));
}

function isSubject({ kind, namespace = '', name }: Subject, who: Identity): boolean {
  if (kind === 'ServiceAccount') return who.name === accountIdentity(namespace, name).name;
  return kind === 'Group' ? who.groups.includes(name) : who.name === name;
}

function atomsOf({ apiGroups = [], resources = [], verbs, resourceNames = [] }: PolicyRule): readonly PolicyRule[] {
  const names: readonly (readonly string[])[] = resourceNames.length === 0 ? [[]] : resourceNames.map(name => [name]);
  return apiGroups.flatMap(group =>
    resources.flatMap(resource =>
      verbs.flatMap(verb =>
        names.map(only => ({ apiGroups: [group], resources: [resource], verbs: [verb], resourceNames: only })),
      ),
    ),
  );
}

function ruleText({ apiGroups = [], resources = [], verbs, resourceNames = [] }: PolicyRule): string {
  const group = apiGroups[0] === '' ? '' : `.${apiGroups[0]}`;
  return [verbs[0], `${resources[0]}${group}`, ...resourceNames].join(' ');
}
