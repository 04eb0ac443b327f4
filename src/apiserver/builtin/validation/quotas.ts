// What ResourceQuotas must be: amounts of what can be counted, in scopes that say something of it.

import type { Json, JsonObject } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, objectsAt, textAt } from '../json.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';
import { resourceNameErrors } from './resources.ts';
import type { Errors } from './texts.ts';

const COUNTED =
  /^(pods|services|replicationcontrollers|resourcequotas|secrets|configmaps|persistentvolumeclaims|services\.(nodeports|loadbalancers)|count\/.+|.+\.storageclass\.storage\.k8s\.io\/persistentvolumeclaims)$/;
const COMPUTE =
  /^((requests|limits)\.)?(cpu|memory|ephemeral-storage)$|^requests\.(storage|[^/]+\/.+)$|^(limits|requests)\.hugepages-|^hugepages-/;

export function quotaErrors(quota: JsonObject, old: JsonObject | undefined, part: string): Errors {
  const [spec, status] = [objectAt(quota, 'spec'), objectAt(quota, 'status')];
  if (part === 'status') {
    return [
      ...amountErrors('status.hard', objectAt(status, 'hard')),
      ...amountErrors('status.used', objectAt(status, 'used')),
    ];
  }
  const hard = objectAt(spec, 'hard');
  const names = Object.keys(hard);
  return [
    ...amountErrors('spec.hard', hard),
    ...scopeErrors(listAt(spec, 'scopes').map(String), names),
    ...(isObject(spec.scopeSelector) ? selectorErrors(spec.scopeSelector, names) : []),
    ...(old === undefined ? [] : movedErrors(spec, objectAt(old, 'spec'))),
  ];
}

const amountErrors = (path: string, amounts: JsonObject): Errors =>
  Object.entries(amounts).flatMap(([name, value]) => hardErrors(`${path}[${name}]`, name, String(value)));

function movedErrors(spec: JsonObject, before: JsonObject): Errors {
  const asSet = (each: JsonObject): string => JSON.stringify([...new Set(listAt(each, 'scopes').map(String))].sort());
  return asSet(spec) === asSet(before) ? [] : [invalid('spec.scopes', spec.scopes ?? null, 'field is immutable')];
}

function hardErrors(path: string, name: string, value: string): Errors {
  const isStandard = COUNTED.test(name) || COMPUTE.test(name);
  const nano = nanoOf(value) ?? 0n;
  const shown = canonicalQuantity(value) ?? value;
  return [
    ...resourceNameErrors(path, name),
    ...(isStandard || name.includes('/') ? [] : [invalid(path, name, 'must be a standard resource for quota')]),
    ...(nano < 0n ? [invalid(path, shown, 'must be greater than or equal to 0')] : []),
    ...(COUNTED.test(name) && nano % 1_000_000_000n !== 0n ? [invalid(path, shown, 'must be an integer')] : []),
  ];
}

const CONFLICTS = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

const SCOPES = new Set([
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'PriorityClass',
  'Terminating',
  'VolumeAttributesClass',
]);

function scopeErrors(scopes: readonly string[], hard: readonly string[]): Errors {
  const set = [...new Set(scopes)];
  const misplaced = set.filter(scope => SCOPES.has(scope) && isMisplaced(scope, hard));
  return [
    ...set.filter(scope => !SCOPES.has(scope)).map(() => invalid('spec.scopes', [...scopes], 'unsupported scope')),
    ...misplaced.map(() => invalid('spec.scopes', [...scopes], 'unsupported scope applied to resource')),
    ...(conflict(set) ? [invalid('spec.scopes', [...scopes], 'conflicting scopes')] : []),
  ];
}

const conflict = (scopes: readonly string[]): boolean =>
  CONFLICTS.some(pair => pair.every(scope => scopes.includes(scope)));

const OF_BEST_EFFORT = /^(count\/)?pods$/;
const OF_PODS = /^((count\/)?pods|((requests|limits)\.)?(cpu|memory|ephemeral-storage)|(requests\.)?hugepages-.*)$/;
const OF_CLAIMS = /^(.+\.storageclass\.storage\.k8s\.io\/)?((count\/)?persistentvolumeclaims|requests\.storage)$/;

/** Whether a scope says nothing of what is counted: without requests there is nothing to count but the Pods. */
function isMisplaced(scope: string, hard: readonly string[]): boolean {
  const counted = scope === 'BestEffort' ? OF_BEST_EFFORT : scope === 'VolumeAttributesClass' ? OF_CLAIMS : OF_PODS;
  return hard.some(name => !counted.test(name));
}

const WHOLE_SCOPES = new Set([
  'BestEffort',
  'CrossNamespacePodAffinity',
  'NotBestEffort',
  'NotTerminating',
  'Terminating',
]);
const EXISTS_ONLY =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function selectorErrors(selector: JsonObject, hard: readonly string[]): Errors {
  const path = 'spec.scopeSelector.matchExpressions';
  const expressions = objectsAt(selector, 'matchExpressions');
  const scopes = [...new Set(expressions.map(each => textAt(each, 'scopeName')))];
  return [
    ...expressions.flatMap(each => expressionErrors(path, each, { selector: expressions, hard })),
    // The real server has nothing to show here.
    ...(conflict(scopes) ? [invalid(path, null, 'conflicting scopes')] : []),
  ];
}

interface Among {
  readonly selector: readonly JsonObject[];
  readonly hard: readonly string[];
}

function expressionErrors(path: string, expression: JsonObject, { selector, hard }: Among): Errors {
  const [scope, operator] = [textAt(expression, 'scopeName'), textAt(expression, 'operator')];
  const isKnown = SCOPES.has(scope);
  // Kubernetes shows the selector as its own code has it.
  const shown = (): JsonObject => ({
    MatchExpressions: selector.map(each => ({
      ScopeName: textAt(each, 'scopeName'),
      Operator: textAt(each, 'operator'),
      Values: each.values ?? null,
    })),
  });
  return [
    ...(isKnown ? [] : [invalid(`${path}.scopeName`, scope, 'unsupported scope')]),
    ...(isKnown && isMisplaced(scope, hard) ? [invalid(path, shown(), 'unsupported scope applied to resource')] : []),
    ...(WHOLE_SCOPES.has(scope) && operator !== 'Exists' ? [invalid(`${path}.operator`, operator, EXISTS_ONLY)] : []),
    ...valueErrors(path, operator, listAt(expression, 'values')),
  ];
}

function valueErrors(path: string, operator: string, values: readonly Json[]): Errors {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length === 0 ? [required(`${path}.values`, why)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length > 0 ? [invalid(`${path}.values`, values, why)] : [];
    }
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
