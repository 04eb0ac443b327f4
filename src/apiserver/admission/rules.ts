// Which requests something in admission is about: operations, kinds of objects, and labels.

import type { Json, JsonObject, Resource } from '../parts.ts';
import { selectsLabels } from '../request/label-selector.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt } from '../rules/json.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE';

interface Rule {
  readonly operations: readonly string[];
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** `pods`, `pods/status`, `*`, `pods/*`, each in two parts. */
  readonly resources: readonly (readonly [resource: string, subresource: string])[];
  readonly scope: string;
  /** Empty: any. */
  readonly names: readonly string[];
}

export interface MatchRules {
  readonly rules: readonly Rule[];
  readonly excluded: readonly Rule[];
  readonly takesEquivalents: boolean;
  /** Undefined: everything is selected. */
  readonly namespaces: JsonObject | undefined;
  readonly objects: JsonObject | undefined;
}

/** What a rule looks at. */
export interface Target {
  readonly resource: Resource;
  readonly subresource: string;
  readonly operation: Operation;
  /** Left out: whatever the name. */
  readonly name?: string;
}

/** `match` is a webhook, or the `matchConstraints` of a policy. */
export function matchRulesIn(match: JsonObject, rules: readonly Json[]): MatchRules {
  return {
    rules: rules.filter(isObject).map(ruleIn),
    excluded: listAt(match, 'excludeResourceRules').filter(isObject).map(ruleIn),
    takesEquivalents: match.matchPolicy !== 'Exact',
    namespaces: selectorIn(match, 'namespaceSelector'),
    objects: selectorIn(match, 'objectSelector'),
  };
}

function ruleIn(rule: JsonObject): Rule {
  return {
    operations: stringsAt(rule, 'operations'),
    groups: stringsAt(rule, 'apiGroups'),
    versions: stringsAt(rule, 'apiVersions'),
    resources: stringsAt(rule, 'resources').map(text => {
      const [resource = '', subresource = ''] = text.split('/');
      return [resource, subresource] as const;
    }),
    scope: stringAt(rule, 'scope') || '*',
    names: stringsAt(rule, 'resourceNames'),
  };
}

function selectorIn(match: JsonObject, key: string): JsonObject | undefined {
  const selector = objectAt(match, key);
  const isEmpty =
    Object.keys(objectAt(selector, 'matchLabels')).length === 0 && listAt(selector, 'matchExpressions').length === 0;
  return isEmpty ? undefined : selector;
}

/**
 * As which resource the target is matched: itself, or another version of it (`equivalents`, asked when needed).
 * Undefined: not at all.
 */
export function matchedAs(
  { rules, excluded, takesEquivalents }: MatchRules,
  target: Target,
  equivalents: () => readonly Resource[],
): Resource | undefined {
  if (excluded.some(rule => holds(rule, target))) return undefined;
  if (rules.some(rule => holds(rule, target))) return target.resource;
  if (!takesEquivalents || !rules.some(rule => concernsOperation(rule, target))) return undefined;
  return equivalents().find(resource => rules.some(rule => holds(rule, { ...target, resource })));
}

const takesName = ({ names }: Rule, { name }: Target): boolean =>
  names.length === 0 || name === undefined || names.includes(name);

const has = (values: readonly string[], value: string): boolean => values.includes('*') || values.includes(value);

const concernsOperation = ({ operations }: Rule, { operation }: Target): boolean => has(operations, operation);

function holds(rule: Rule, target: Target): boolean {
  const { resource, subresource } = target;
  return (
    concernsOperation(rule, target) &&
    has(rule.groups, resource.group) &&
    has(rule.versions, resource.version) &&
    takesName(rule, target) &&
    (rule.scope === '*' || (rule.scope === 'Namespaced') === resource.namespaced) &&
    rule.resources.some(
      ([name, part]) => (name === '*' || name === resource.plural) && (part === '*' || part === subresource),
    )
  );
}

/** What the selectors look at. */
export interface Labelled {
  /** Of the Namespace that the request is in or about; undefined: there is none. */
  readonly namespaceLabels: () => JsonObject | undefined;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

export function selects({ namespaces, objects }: MatchRules, labelled: Labelled): boolean {
  const labels = namespaces === undefined ? undefined : labelled.namespaceLabels();
  if (namespaces !== undefined && labels !== undefined && !selectsLabels(namespaces, labels)) return false;
  if (objects === undefined) return true;
  return [labelled.object, labelled.old].some(
    each => each !== undefined && selectsLabels(objects, objectAt(objectAt(each, 'metadata'), 'labels')),
  );
}
