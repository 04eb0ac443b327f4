// What Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs and disruption budgets must be.

import type { Json, JsonObject } from '../../parts.ts';
import { selectsLabels } from '../../request/label-selector.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, objectAt, sameJson, textAt } from '../json.ts';
import { podTemplateErrors } from './pod-template.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

export function workloadErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const [spec, before] = [objectAt(object, 'spec'), old === undefined ? undefined : objectAt(old, 'spec')];
  return [
    ...nonNegativeErrors('spec', spec, 'replicas'),
    ...nonNegativeErrors('spec', spec, 'minReadySeconds'),
    ...selectorErrors(textAt(object, 'kind').toLowerCase(), spec),
    ...(object.kind === 'DaemonSet' ? daemonStrategyErrors(objectAt(spec, 'updateStrategy')) : []),
    ...templateErrors(spec),
    ...(object.kind === 'Deployment' ? deploymentErrors(spec) : []),
    ...(object.kind === 'StatefulSet' ? statefulErrors(spec) : []),
    ...(before !== undefined && object.kind !== 'StatefulSet' && !sameJson(spec.selector, before.selector)
      ? [invalid('spec.selector', spec.selector ?? null, 'field is immutable')]
      : []),
  ];
}

/** The words of one kind: `deployment`, `replicaset`. */
function selectorErrors(kind: string, spec: JsonObject): Errors {
  const templateMeta = objectAt(objectAt(spec, 'template'), 'metadata');
  const labels = objectAt(templateMeta, 'labels');
  const misses = [
    invalid(
      'spec.template.metadata.labels',
      templateMeta.labels ?? null,
      '`selector` does not match template `labels`',
    ),
  ];
  const { selector } = spec;
  if (!isObject(selector)) return [required('spec.selector'), ...misses];
  const isEmpty = Object.keys(selector).length === 0;
  if (isEmpty) return [invalid('spec.selector', selector, `empty selector is invalid for ${kind}`)];
  return selectsLabels(selector, labels) ? [] : misses;
}

/** Pods that must run for ever restart always. */
export function templateErrors(spec: JsonObject): Errors {
  const template = objectAt(spec, 'template');
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy');
  const restarts = policy === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', policy, ['Always'])];
  return [...podTemplateErrors('spec.template', template), ...restarts];
}

function statefulErrors(spec: JsonObject): Errors {
  const [policy, strategy] = [textAt(spec, 'podManagementPolicy'), objectAt(spec, 'updateStrategy')];
  const type = textAt(strategy, 'type');
  const shown = { Type: type, RollingUpdate: null };
  return [
    ...(['OrderedReady', 'Parallel'].includes(policy)
      ? []
      : [invalid('spec.podManagementPolicy', policy, "must be 'OrderedReady' or 'Parallel'")]),
    ...(['RollingUpdate', 'OnDelete'].includes(type)
      ? []
      : [invalid('spec.updateStrategy', shown, "must be 'RollingUpdate' or 'OnDelete'")]),
  ];
}

/** Of a Node's two Pods one must be there: surge and absence exclude each other, and one of them must be. */
function daemonStrategyErrors(strategy: JsonObject): Errors {
  const [type, rolling] = [textAt(strategy, 'type'), strategy.rollingUpdate ?? null];
  if (type === 'OnDelete') return [];
  const path = 'spec.updateStrategy';
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: null };
    return [notSupported(path, shown, ['RollingUpdate', 'OnDelete'])];
  }
  return isObject(rolling) ? daemonRollingErrors(`${path}.rollingUpdate`, rolling) : [];
}

function daemonRollingErrors(path: string, { maxSurge = 0, maxUnavailable = 0 }: JsonObject): Errors {
  const [surge, absence] = [`${path}.maxSurge`, `${path}.maxUnavailable`];
  const [surges, absences] = [isSome(maxSurge), isSome(maxUnavailable)];
  return [
    ...wholeErrors(absence, maxUnavailable),
    ...wholeErrors(surge, maxSurge),
    ...(surges && absences ? [invalid(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(surges || absences ? [] : [required(absence, 'cannot be 0 when maxSurge is 0')]),
  ];
}

/** What is no number is none. */
const isSome = (value: Json): boolean => Math.abs(amountOf(value)) > 0;

function deploymentErrors(spec: JsonObject): Errors {
  const [deadline, ready] = [spec.progressDeadlineSeconds, countAt(spec, 'minReadySeconds')];
  const isTooShort = typeof deadline === 'number' && deadline <= ready;
  return [
    ...strategyErrors(objectAt(spec, 'strategy')),
    ...nonNegativeErrors('spec', spec, 'revisionHistoryLimit'),
    ...(isTooShort ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')] : []),
  ];
}

function strategyErrors(strategy: JsonObject): Errors {
  const type = textAt(strategy, 'type');
  const rolling = strategy.rollingUpdate;
  const path = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate') {
    return isObject(rolling) ? [forbidden(path, "may not be specified when strategy `type` is 'Recreate'")] : [];
  }
  if (type === 'RollingUpdate') return isObject(rolling) ? rollingErrors(path, rolling) : [];
  // Kubernetes shows the strategy as its own code has it.
  const shown = { Type: type, RollingUpdate: null };
  return [notSupported('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
}

function rollingErrors(path: string, rolling: JsonObject): Errors {
  const [unavailable, surge] = [rolling.maxUnavailable ?? 0, rolling.maxSurge ?? 0];
  const isStill = amountOf(unavailable) === 0 && amountOf(surge) === 0;
  const at = `${path}.maxUnavailable`;
  return [
    ...shareErrors(at, unavailable),
    ...shareErrors(`${path}.maxSurge`, surge),
    ...(isStill ? [invalid(at, unavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...(isPercent(unavailable) && amountOf(unavailable) > 100
      ? [invalid(at, unavailable, 'must not be greater than 100%')]
      : []),
  ];
}

const isPercent = (value: Json): value is string => typeof value === 'string';

const amountOf = (value: Json): number => (isPercent(value) ? Number(value.replace('%', '')) : Number(value));

/** A count, or a share of the whole. */
function shareErrors(path: string, value: Json): Errors {
  if (isPercent(value) && !/^[0-9]+%$/.test(value)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return [invalid(path, value, why)];
  }
  const isNegative = typeof value === 'number' && value < 0;
  return isNegative ? [invalid(path, value, 'must be greater than or equal to 0')] : [];
}

const POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];

/** A share that is not above the whole. */
function wholeErrors(path: string, value: Json): Errors {
  const wrong = shareErrors(path, value);
  if (wrong.length > 0 || !isPercent(value) || amountOf(value) <= 100) return wrong;
  return [invalid(path, value, 'must not be greater than 100%')];
}

export function budgetErrors(object: JsonObject): Errors {
  const spec = objectAt(object, 'spec');
  const { minAvailable, maxUnavailable, selector = null } = spec;
  const shares = [
    ['minAvailable', minAvailable],
    ['maxUnavailable', maxUnavailable],
  ] as const;
  const policy = textAt(spec, 'unhealthyPodEvictionPolicy');
  const wrong = [
    ...shares.flatMap(([key, value]) => (value === undefined ? [] : wholeErrors(`spec.${key}`, value))),
    ...(policy === '' || POLICIES.includes(policy)
      ? []
      : [notSupported('spec.unhealthyPodEvictionPolicy', policy, POLICIES)]),
  ];
  if (minAvailable === undefined || maxUnavailable === undefined) return wrong;
  const shown = {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  };
  return [invalid('spec', shown, 'minAvailable and maxUnavailable cannot be both set'), ...wrong];
}
