// When a container starts again, and what it takes to give it other resources.

import type { Json, JsonObject } from '../../parts.ts';
import { duplicate, invalid, notSupported, required, tooMany } from '../../schema/field-errors.ts';
import { isObject, listAt, objectsAt, textAt } from '../json.ts';
import { type Check, type Checks, fieldErrors, NONE, supportedErrors, within } from './fields.ts';
import type { ContainerView } from './pod-view.ts';
import type { Errors } from './texts.ts';

const POLICIES = ['Always', 'Never', 'OnFailure'];
const ACTIONS = ['Restart', 'RestartAllContainers'];
const OPERATORS = ['In', 'NotIn'];
const MAX_RULES = 20;
const MAX_CODES = 255;

const NEEDS_POLICY = 'must specify restartPolicy when restart rules are used';

const CHECKS: Checks<ContainerView> = [
  ['restartPolicy', within(...POLICIES)],
  ['restartPolicyRules', rulesErrors],
];

export const restartErrors = (path: string, container: JsonObject, view: ContainerView): Errors =>
  fieldErrors(CHECKS, path, container, view);

function rulesErrors(path: string, _: Json, { container, path: of }: ContainerView): Errors {
  const rules = objectsAt(container, 'restartPolicyRules');
  const isLost = container.restartPolicy === undefined && rules.length > 0;
  return [
    ...(isLost ? [required(`${of}.restartPolicy`, NEEDS_POLICY)] : NONE),
    ...(rules.length > MAX_RULES ? [tooMany(path, rules.length, MAX_RULES)] : NONE),
    ...rules.flatMap((rule, index) => ruleErrors(`${path}[${index}]`, rule)),
  ];
}

function ruleErrors(path: string, { action = '', exitCodes }: JsonObject): Errors {
  const done = supportedErrors(`${path}.action`, action, ACTIONS);
  const at = `${path}.exitCodes`;
  if (!isObject(exitCodes)) return [...done, required(at, 'must be specified')];
  const codes = listAt(exitCodes, 'values').length;
  return [
    ...done,
    ...supportedErrors(`${at}.operator`, textAt(exitCodes, 'operator'), OPERATORS),
    ...(codes > MAX_CODES ? [tooMany(`${at}.values`, codes, MAX_CODES)] : NONE),
  ];
}

const RESIZED = ['cpu', 'memory'];
const RESIZES = ['NotRequired', 'RestartContainer'];

export const resizeErrors: Check<ContainerView> = (path, _, { container, pod }) => {
  const seen = new Set<string>();
  return objectsAt(container, 'resizePolicy').flatMap((each, index) => {
    const [resource, policy] = [textAt(each, 'resourceName'), textAt(each, 'restartPolicy')];
    const isTwice = seen.has(resource);
    seen.add(resource);
    const isLost = pod.spec.restartPolicy === 'Never' && policy !== 'NotRequired';
    const why = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
    return [
      ...(isTwice ? [duplicate(`${path}[${index}]`, resource)] : NONE),
      ...knownErrors(path, resource, RESIZED),
      ...knownErrors(path, policy, RESIZES),
      ...(isLost ? [invalid(path, policy, why)] : NONE),
    ];
  });
};

function knownErrors(path: string, value: string, values: readonly string[]): Errors {
  if (value === '') return [required(path)];
  return values.includes(value) ? NONE : [notSupported(path, value, values)];
}
