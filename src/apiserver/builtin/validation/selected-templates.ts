// What whoever keeps Pods must be: it selects, strictly, the Pods that it makes, and they run for ever.

import type { JsonObject } from '../../parts.ts';
import { labelValueProblems } from '../../request/label-rules.ts';
import { selectsLabels } from '../../request/label-selector.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { selectorErrors } from './match-rules.ts';
import { podTemplateErrors } from './pod-template.ts';
import { type Errors, qualifiedNameErrors } from './texts.ts';

const LABELS = 'spec.template.metadata.labels';

const isEmpty = (selector: JsonObject): boolean =>
  ['matchLabels', 'matchExpressions'].every(key => Object.keys(selector[key] ?? {}).length === 0);

/** `kind` in small letters: `deployment`, `replicaset`. */
export function ownSelectorErrors(kind: string, { selector }: JsonObject): Errors {
  if (!isObject(selector)) return [required('spec.selector')];
  const empty = `empty selector is invalid for ${kind}`;
  return [
    ...selectorErrors('spec.selector', selector),
    ...(isEmpty(selector) ? [invalid('spec.selector', selector, empty)] : NONE),
  ];
}

/** Whether it can be asked at all. Labels that are no labels are found here, too. */
export const canSelect = (selector: JsonObject): boolean =>
  selectorErrors('', selector).length === 0 &&
  Object.entries(objectAt(selector, 'matchLabels')).every(
    ([key, value]) => qualifiedNameErrors('', key).length === 0 && labelValueProblems(String(value)).length === 0,
  );

/** That it does not select its own Pods. */
export function unselectedErrors({ selector, template }: JsonObject): Errors {
  const { labels } = objectAt(isObject(template) ? template : {}, 'metadata');
  const isSelected = isObject(selector) && selectsLabels(selector, isObject(labels) ? labels : {});
  return isSelected ? NONE : [invalid(LABELS, labels ?? null, '`selector` does not match template `labels`')];
}

/** Pods that must run for ever restart always, and have no deadline; `kind` as the real server words it. */
export function templateErrors(spec: JsonObject, kind: string): Errors {
  const template = objectAt(spec, 'template');
  return [...podTemplateErrors('spec.template', template), ...endlessErrors(template, kind)];
}

export function endlessErrors(template: JsonObject, kind: string): Errors {
  const [path, spec] = ['spec.template.spec', objectAt(template, 'spec')];
  const policy = textAt(spec, 'restartPolicy');
  const why = `activeDeadlineSeconds in ${kind} is not Supported`;
  return [
    ...(policy === 'Always' ? NONE : [notSupported(`${path}.restartPolicy`, policy, ['Always'])]),
    ...(spec.activeDeadlineSeconds === undefined ? NONE : [forbidden(`${path}.activeDeadlineSeconds`, why)]),
  ];
}

export const unaskable = (selector: JsonObject, why: string): Errors => [invalid('spec.selector', selector, why)];
