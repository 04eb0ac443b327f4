// What Deployments, ReplicaSets and DaemonSets must be.

import type { Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, objectAt, sameJson, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { selectorErrors } from './match-rules.ts';
import { canSelect, ownSelectorErrors, templateErrors, unaskable, unselectedErrors } from './selected-templates.ts';
import { abovePartErrors, amountOf, isSome, shareErrors, wholeErrors } from './shares.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

type Spec = JsonObject;

const fixedSelector = (spec: Spec, old: JsonObject | undefined): Errors =>
  old === undefined || sameJson(spec.selector, objectAt(old, 'spec').selector)
    ? NONE
    : [invalid('spec.selector', spec.selector ?? null, 'field is immutable')];

/** Deployments keep ReplicaSets, and have the same template. */
function selectedErrors(kind: string, spec: Spec): Errors {
  const { selector } = spec;
  const own = ownSelectorErrors(kind, spec);
  if (isObject(selector) && !canSelect(selector)) return [...own, ...unaskable(selector, 'invalid label selector')];
  return [...own, ...unselectedErrors(spec), ...templateErrors(spec, 'ReplicaSet')];
}

export function deploymentErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const spec = objectAt(object, 'spec');
  const [deadline, ready, path] = [spec.progressDeadlineSeconds, countAt(spec, 'minReadySeconds'), 'spec'];
  const isTooShort = typeof deadline === 'number' && deadline <= ready;
  return [
    ...nonNegativeErrors(path, spec, 'replicas'),
    ...selectedErrors('deployment', spec),
    ...strategyErrors(objectAt(spec, 'strategy')),
    ...nonNegativeErrors(path, spec, 'minReadySeconds'),
    ...nonNegativeErrors(path, spec, 'revisionHistoryLimit'),
    ...nonNegativeErrors(path, spec, 'progressDeadlineSeconds'),
    ...(isTooShort
      ? [invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')]
      : NONE),
    ...fixedSelector(spec, old),
  ];
}

export function replicaSetErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const spec = objectAt(object, 'spec');
  return [
    ...nonNegativeErrors('spec', spec, 'replicas'),
    ...nonNegativeErrors('spec', spec, 'minReadySeconds'),
    ...selectedErrors('replicaset', spec),
    ...fixedSelector(spec, old),
  ];
}

export function daemonSetErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const spec = objectAt(object, 'spec');
  const { selector } = spec;
  const canAsk = !isObject(selector) || canSelect(selector);
  const isEmpty = isObject(selector) && Object.keys(selector).length === 0;
  return [
    ...(isObject(selector) ? selectorErrors('spec.selector', selector) : NONE),
    ...(canAsk ? unselectedErrors(spec) : NONE),
    ...(isEmpty ? [invalid('spec.selector', selector, 'empty selector is invalid for daemonset')] : NONE),
    ...templateErrors(spec, 'DaemonSet'),
    ...nonNegativeErrors('spec', spec, 'minReadySeconds'),
    ...daemonStrategyErrors(objectAt(spec, 'updateStrategy')),
    ...nonNegativeErrors('spec', spec, 'revisionHistoryLimit'),
    ...fixedSelector(spec, old),
  ];
}

/** Of a Node's two Pods one must be there: surge and absence exclude each other, and one of them must be. */
function daemonStrategyErrors(strategy: JsonObject): Errors {
  const [type, rolling] = [textAt(strategy, 'type'), strategy.rollingUpdate ?? null];
  if (type === 'OnDelete') return NONE;
  const path = 'spec.updateStrategy';
  if (type !== 'RollingUpdate') {
    const shown = { Type: type, RollingUpdate: null };
    return [notSupported(path, shown, ['RollingUpdate', 'OnDelete'])];
  }
  return isObject(rolling) ? daemonRollingErrors(`${path}.rollingUpdate`, rolling) : NONE;
}

function daemonRollingErrors(path: string, { maxSurge = 0, maxUnavailable = 0 }: JsonObject): Errors {
  const [surge, absence] = [`${path}.maxSurge`, `${path}.maxUnavailable`];
  const [surges, absences] = [isSome(maxSurge), isSome(maxUnavailable)];
  return [
    ...wholeErrors(absence, maxUnavailable),
    ...wholeErrors(surge, maxSurge),
    ...(surges && absences ? [invalid(surge, maxSurge, 'may not be set when maxUnavailable is non-zero')] : NONE),
    ...(surges || absences ? NONE : [required(absence, 'cannot be 0 when maxSurge is 0')]),
  ];
}

function strategyErrors(strategy: JsonObject): Errors {
  const type = textAt(strategy, 'type');
  const rolling = strategy.rollingUpdate;
  const path = 'spec.strategy.rollingUpdate';
  if (type === 'Recreate') {
    return isObject(rolling) ? [forbidden(path, "may not be specified when strategy `type` is 'Recreate'")] : NONE;
  }
  if (type === 'RollingUpdate') return isObject(rolling) ? rollingErrors(path, rolling) : NONE;
  // Kubernetes shows the strategy as its own code has it.
  const shown = { Type: type, RollingUpdate: null };
  return [notSupported('spec.strategy', shown, ['Recreate', 'RollingUpdate'])];
}

function rollingErrors(path: string, rolling: JsonObject): Errors {
  const [unavailable, surge]: readonly [Json, Json] = [rolling.maxUnavailable ?? 0, rolling.maxSurge ?? 0];
  const isStill = amountOf(unavailable) === 0 && amountOf(surge) === 0;
  const at = `${path}.maxUnavailable`;
  return [
    ...shareErrors(at, unavailable),
    ...shareErrors(`${path}.maxSurge`, surge),
    ...(isStill ? [invalid(at, unavailable, 'may not be 0 when `maxSurge` is 0')] : NONE),
    ...abovePartErrors(at, unavailable),
  ];
}
