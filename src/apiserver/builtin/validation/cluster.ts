// What Leases, roles and bindings must be.

import type { JsonObject } from '../../parts.ts';
import { invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, sameJson, textAt } from '../json.ts';
import { type Errors, nonNegativeErrors, subdomainErrors } from './texts.ts';

export function leaseErrors(lease: JsonObject): Errors {
  const spec = objectAt(lease, 'spec');
  const seconds = numberAt(spec, 'leaseDurationSeconds');
  const isTooShort = seconds !== undefined && seconds <= 0;
  return [
    ...(isTooShort ? [invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')] : []),
    ...nonNegativeErrors('spec', spec, 'leaseTransitions'),
  ];
}

export function roleErrors(role: JsonObject): Errors {
  const isNamespaced = role.kind === 'Role';
  const gathered = aggregationErrors(role);
  const own = objectsAt(role, 'rules').flatMap((rule, index) => {
    const path = `rules[${index}]`;
    const verbs =
      listAt(rule, 'verbs').length === 0 ? [required(`${path}.verbs`, 'verbs must contain at least one value')] : [];
    return [...verbs, ...targetErrors(path, rule, isNamespaced ? 'namespaced' : 'cluster')];
  });
  return [...own, ...gathered];
}

function aggregationErrors({ aggregationRule }: JsonObject): Errors {
  if (!isObject(aggregationRule) || listAt(aggregationRule, 'clusterRoleSelectors').length > 0) return [];
  const why = 'at least one clusterRoleSelector required if aggregationRule is non-nil';
  return [required('aggregationRule.clusterRoleSelectors', why)];
}

function targetErrors(path: string, rule: JsonObject, scope: 'namespaced' | 'cluster'): Errors {
  const urls = listAt(rule, 'nonResourceURLs');
  const [groups, resources] = [listAt(rule, 'apiGroups').length, listAt(rule, 'resources').length];
  if (urls.length > 0) {
    if (scope === 'namespaced') {
      return [invalid(`${path}.nonResourceURLs`, urls, 'namespaced rules cannot apply to non-resource URLs')];
    }
    const isMixed = groups > 0 || resources > 0 || listAt(rule, 'resourceNames').length > 0;
    const why = 'rules cannot apply to both regular resources and non-resource URLs';
    return isMixed ? [invalid(`${path}.nonResourceURLs`, urls, why)] : [];
  }
  return [
    ...(groups === 0 ? [required(`${path}.apiGroups`, 'resource rules must supply at least one api group')] : []),
    ...(resources === 0 ? [required(`${path}.resources`, 'resource rules must supply at least one resource')] : []),
  ];
}

const RBAC = 'rbac.authorization.k8s.io';

export function bindingErrors(binding: JsonObject, old: JsonObject | undefined): Errors {
  const role = objectAt(binding, 'roleRef');
  const kinds = binding.kind === 'RoleBinding' ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const [group, kind, name] = [textAt(role, 'apiGroup'), textAt(role, 'kind'), textAt(role, 'name')];
  const isMoved = old !== undefined && !sameJson(role, objectAt(old, 'roleRef'));
  const shown = { APIGroup: group, Kind: kind, Name: name };
  return [
    ...(group === RBAC ? [] : [notSupported('roleRef.apiGroup', group, [RBAC])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...(name === '' ? [required('roleRef.name')] : []),
    ...objectsAt(binding, 'subjects').flatMap((subject, index) => subjectErrors(`subjects[${index}]`, subject)),
    ...(isMoved ? [invalid('roleRef', shown, 'cannot change roleRef')] : []),
  ];
}

function subjectErrors(path: string, subject: JsonObject): Errors {
  const [kind, group] = [textAt(subject, 'kind'), textAt(subject, 'apiGroup')];
  const name = textAt(subject, 'name');
  const named = name === '' ? [required(`${path}.name`)] : [];
  if (kind === 'ServiceAccount') {
    const account = name === '' ? named : subdomainErrors(`${path}.name`, name);
    return group === '' ? account : [...account, notSupported(`${path}.apiGroup`, group, [''])];
  }
  if (kind === 'User' || kind === 'Group') {
    return group === RBAC ? named : [...named, notSupported(`${path}.apiGroup`, group, [RBAC])];
  }
  return [...named, notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group'])];
}
