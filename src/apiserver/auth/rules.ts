// What one RBAC rule allows, and whether some rules cover others.

import type { PolicyRule } from '../../kube/core/other.ts';
import type { Attributes, JsonObject } from '../parts.ts';
import { listAt, textsAt } from './fields.ts';
import { targetName } from './target.ts';

/** The rules of a stored Role or ClusterRole. */
export function rulesOf(role: JsonObject): readonly PolicyRule[] {
  return listAt(role, 'rules').map(rule => ({
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    resourceNames: textsAt(rule, 'resourceNames'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
  }));
}

/** Whether this rule alone allows the request. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!hasOrAll(rule.verbs, attributes.verb)) return false;
  if (attributes.resource === '') return (rule.nonResourceURLs ?? []).some(url => urlCovers(url, attributes.path));

  return (
    hasOrAll(rule.apiGroups, attributes.group) && resourceAllowed(rule, attributes) && nameAllowed(rule, attributes)
  );
}

const hasOrAll = (values: readonly string[] | undefined, wanted: string): boolean =>
  values !== undefined && (values.includes(wanted) || values.includes('*'));

function resourceAllowed(rule: PolicyRule, { resource, subresource }: Attributes): boolean {
  const wanted = subresource === '' ? resource : `${resource}/${subresource}`;
  if (hasOrAll(rule.resources, wanted)) return true;
  return subresource !== '' && (rule.resources?.includes(`*/${subresource}`) ?? false);
}

function nameAllowed(rule: PolicyRule, attributes: Attributes): boolean {
  const names = rule.resourceNames ?? [];
  return names.length === 0 || names.includes(targetName(attributes));
}

/** `/healthz/*` covers everything below it, `*` everything. */
function urlCovers(pattern: string, path: string): boolean {
  if (pattern === '*' || pattern === path) return true;
  return pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, ''));
}

/** The parts of `wanted` that `held` does not cover, each down to one verb on one thing. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(atoms).filter(atom => !held.some(rule => coversAtom(rule, atom)));
}

/** One verb on one resource (with at most one name), or one verb on one path. */
function atoms(rule: PolicyRule): PolicyRule[] {
  const names = rule.resourceNames ?? [];
  const onResources = (rule.apiGroups ?? []).flatMap(group =>
    (rule.resources ?? []).flatMap(resource =>
      rule.verbs.flatMap(verb => {
        const one = { apiGroups: [group], resources: [resource], verbs: [verb] };
        return names.length === 0 ? [one] : names.map(name => ({ ...one, resourceNames: [name] }));
      }),
    ),
  );
  const onPaths = (rule.nonResourceURLs ?? []).flatMap(url =>
    rule.verbs.map(verb => ({ nonResourceURLs: [url], verbs: [verb] })),
  );
  return [...onResources, ...onPaths];
}

/** Both halves are asked: an atom leaves one of them empty, and nothing covers nothing. */
function coversAtom(held: PolicyRule, atom: PolicyRule): boolean {
  return (
    atom.verbs.every(verb => hasOrAll(held.verbs, verb)) &&
    (atom.apiGroups ?? []).every(group => hasOrAll(held.apiGroups, group)) &&
    (atom.resources ?? []).every(resource => coversResource(held, resource)) &&
    (atom.nonResourceURLs ?? []).every(url => (held.nonResourceURLs ?? []).some(pattern => urlCovers(pattern, url))) &&
    coversName(held.resourceNames ?? [], atom.resourceNames ?? [])
  );
}

function coversResource(held: PolicyRule, resource: string): boolean {
  if (hasOrAll(held.resources, resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && (held.resources?.includes(`*/${resource.slice(slash + 1)}`) ?? false);
}

function coversName(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every(name => held.includes(name));
}
