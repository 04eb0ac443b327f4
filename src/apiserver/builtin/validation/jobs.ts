// What Jobs and CronJobs must be.

import type { JsonObject } from '../../parts.ts';
import { selectsLabels } from '../../request/label-selector.ts';
import { invalid, notSupported, required, tooLong } from '../../schema/field-errors.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { NONE, supportedErrors } from './fields.ts';
import { failurePolicyErrors, successPolicyErrors } from './job-policies.ts';
import { selectorErrors } from './match-rules.ts';
import { podTemplateErrors } from './pod-template.ts';
import { scheduleErrors, zoneErrors } from './schedules.ts';
import { canSelect, unselectedErrors } from './selected-templates.ts';
import { type Errors, labelErrors, nonNegativeErrors, subdomainErrors } from './texts.ts';

const MAX_CRON_NAME = 52;
const MAX_MANAGER = 63;
const MANY = 100_000;
const MOST_OF_MANY = 10_000;
const PATH = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;
const PATH_TEXT = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

const LABELS = ['controller-uid', 'job-name', 'batch.kubernetes.io/controller-uid', 'batch.kubernetes.io/job-name'];

export function jobErrors(object: JsonObject): Errors {
  const [spec, metadata] = [objectAt(object, 'spec'), objectAt(object, 'metadata')];
  const { selector } = spec;
  return [
    ...(spec.manualSelector === true || !isObject(selector) ? NONE : madeErrors(metadata, spec, selector)),
    ...jobSpecErrors('spec', spec),
    ...chosenErrors(spec),
    ...hostErrors(textAt(metadata, 'name'), spec),
  ];
}

/** Who does not choose is given one before. */
function chosenErrors(spec: JsonObject): Errors {
  const { selector } = spec;
  if (!isObject(selector)) {
    return spec.manualSelector === true ? [required('spec.selector'), ...unselectedErrors(spec)] : NONE;
  }
  return [...selectorErrors('spec.selector', selector), ...(canSelect(selector) ? unselectedErrors(spec) : NONE)];
}

/** Who did not choose finds the Pods by the Job's own name and UID. */
function madeErrors(metadata: JsonObject, spec: JsonObject, selector: JsonObject): Errors {
  const labels = objectAt(objectAt(objectAt(spec, 'template'), 'metadata'), 'labels');
  const wanted = Object.fromEntries(
    LABELS.map(key => [key, textAt(metadata, key.endsWith('uid') ? 'uid' : 'name')] as const),
  );
  const isMade = !canSelect(selector) || selectsLabels(selector, wanted);
  return [
    ...LABELS.flatMap(key => {
      const [path, must] = [`spec.template.metadata.labels[${key}]`, `must be '${wanted[key]}'`];
      if (labels[key] === undefined) return [required(path, must)];
      return labels[key] === wanted[key] ? NONE : [invalid(path, labels, must)];
    }),
    ...(isMade ? NONE : [invalid('spec.selector', selector, '`selector` not auto-generated')]),
  ];
}

/** Pods of an indexed Job are called after it and their index. */
function hostErrors(name: string, spec: JsonObject): Errors {
  const completions = numberAt(spec, 'completions') ?? 0;
  if (spec.completionMode !== 'Indexed' || completions <= 0) return NONE;
  const host = `${name}-${completions - 1}`;
  const why = `will not able to create pod with invalid DNS label: ${host}`;
  return labelErrors('', host).length === 0 ? NONE : [invalid('metadata.name', name, why)];
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
  'backoffLimitPerIndex',
  'maxFailedIndexes',
] as const;

/** Pods of a Job end. */
function jobSpecErrors(path: string, spec: JsonObject): Errors {
  const template = objectAt(spec, 'template');
  const { maxFailedIndexes, backoffLimitPerIndex, managedBy, podFailurePolicy, successPolicy } = spec;
  const isUnlimited = maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined;
  return [
    ...COUNTS.flatMap(key => nonNegativeErrors(path, spec, key)),
    ...(isUnlimited ? [required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified')] : NONE),
    ...(typeof managedBy === 'string' ? managerErrors(`${path}.managedBy`, managedBy) : NONE),
    ...completionErrors(path, spec),
    ...(isObject(podFailurePolicy) ? failurePolicyErrors(`${path}.podFailurePolicy`, podFailurePolicy, spec) : NONE),
    ...(isObject(successPolicy) ? successErrors(`${path}.successPolicy`, successPolicy, spec) : NONE),
    ...replacementErrors(`${path}.podReplacementPolicy`, spec),
    ...podTemplateErrors(`${path}.template`, template),
    ...restartErrors(`${path}.template.spec.restartPolicy`, template, spec),
  ];
}

/** `example.com/name`. */
function managerErrors(path: string, manager: string): Errors {
  if (manager === '') return [required(path)];
  const at = manager.indexOf('/');
  const [host, rest] = [manager.slice(0, Math.max(at, 0)), manager.slice(at + 1)];
  const long = manager.length > MAX_MANAGER ? [tooLong(path, MAX_MANAGER)] : NONE;
  if (at < 1 || rest === '') {
    return [invalid(path, manager, 'must be a domain-prefixed path (such as "acme.io/foo")'), ...long];
  }
  return [...subdomainErrors(path, host), ...(PATH.test(rest) ? NONE : [invalid(path, rest, PATH_TEXT)]), ...long];
}

function completionErrors(path: string, spec: JsonObject): Errors {
  const { completionMode: mode } = spec;
  const known = mode === undefined ? NONE : supportedErrors(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']);
  if (mode === 'Indexed') return indexedErrors(path, spec);
  if (mode !== undefined && mode !== 'NonIndexed') return known;
  return ['backoffLimitPerIndex', 'maxFailedIndexes'].flatMap(key =>
    spec[key] === undefined ? NONE : [invalid(`${path}.${key}`, spec[key] ?? null, 'requires indexed completion mode')],
  );
}

function indexedErrors(path: string, spec: JsonObject): Errors {
  const [completions, parallelism] = [numberAt(spec, 'completions'), numberAt(spec, 'parallelism') ?? 0];
  const failed = numberAt(spec, 'maxFailedIndexes');
  const above = (key: string, value: number | undefined, most: number, why = ''): Errors => {
    if (value === undefined || value <= most) return NONE;
    return [invalid(`${path}.${key}`, value, `must be less than or equal to ${why === '' ? most : why}`)];
  };
  const isMany = completions !== undefined && completions > MANY && spec.backoffLimitPerIndex !== undefined;
  const many = `${MOST_OF_MANY} when completions are above ${MANY} and used with backoff limit per index`;
  const needed = `must be specified when completions is above ${MANY}`;
  return [
    ...(completions === undefined ? [required(`${path}.completions`, 'when completion mode is Indexed')] : NONE),
    ...above('parallelism', parallelism, MANY, `${MANY} when completion mode is Indexed`),
    ...(completions === undefined ? NONE : above('maxFailedIndexes', failed, completions, 'completions')),
    ...above('maxFailedIndexes', failed, MANY),
    ...(isMany && failed === undefined ? [required(`${path}.maxFailedIndexes`, needed)] : NONE),
    ...(isMany ? above('parallelism', parallelism, MOST_OF_MANY, many) : NONE),
    ...(isMany ? above('maxFailedIndexes', failed, MOST_OF_MANY, many) : NONE),
  ];
}

function successErrors(path: string, policy: JsonObject, spec: JsonObject): Errors {
  if (spec.completionMode === 'Indexed') return successPolicyErrors(path, policy, spec);
  // As the real server's own code has it.
  const Rules = objectsAt(policy, 'rules').map(({ succeededIndexes = null, succeededCount = null }) => ({
    SucceededIndexes: succeededIndexes,
    SucceededCount: succeededCount,
  }));
  return [invalid(path, { Rules }, 'requires indexed completion mode')];
}

function replacementErrors(path: string, { podReplacementPolicy: policy, podFailurePolicy }: JsonObject): Errors {
  if (policy === undefined) return NONE;
  return supportedErrors(path, policy, isObject(podFailurePolicy) ? ['Failed'] : ['Failed', 'TerminatingOrFailed']);
}

function restartErrors(path: string, template: JsonObject, { podFailurePolicy }: JsonObject): Errors {
  const policy = textAt(objectAt(template, 'spec'), 'restartPolicy');
  if (policy === '' || policy === 'Always') return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== 'OnFailure' && policy !== 'Never') return [notSupported(path, policy, ['OnFailure', 'Never'])];
  const why = 'only "Never" is supported when podFailurePolicy is specified';
  return isObject(podFailurePolicy) && policy !== 'Never' ? [invalid(path, policy, why)] : NONE;
}

export function cronJobErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const spec = objectAt(object, 'spec');
  const name = textAt(objectAt(object, 'metadata'), 'name');
  const { concurrencyPolicy: policy, jobTemplate } = spec;
  const isLong = old === undefined && name.length > MAX_CRON_NAME;
  return [
    ...scheduleErrors('spec.schedule', textAt(spec, 'schedule')),
    ...nonNegativeErrors('spec', spec, 'startingDeadlineSeconds'),
    ...zoneErrors('spec.timeZone', spec.timeZone),
    ...(policy === undefined
      ? NONE
      : supportedErrors('spec.concurrencyPolicy', policy, ['Allow', 'Forbid', 'Replace'])),
    ...(isObject(jobTemplate) ? jobTemplateErrors('spec.jobTemplate.spec', objectAt(jobTemplate, 'spec')) : NONE),
    ...nonNegativeErrors('spec', spec, 'successfulJobsHistoryLimit'),
    ...nonNegativeErrors('spec', spec, 'failedJobsHistoryLimit'),
    ...(isLong ? [invalid('metadata.name', name, `must be no more than ${MAX_CRON_NAME} characters`)] : NONE),
  ];
}

/** Each Job that is made finds its own Pods. */
function jobTemplateErrors(path: string, spec: JsonObject): Errors {
  const { selector = null } = spec;
  return [
    ...jobSpecErrors(path, spec),
    ...(isObject(selector) ? [invalid(`${path}.selector`, selector, '`selector` will be auto-generated')] : NONE),
    ...(spec.manualSelector === true ? [notSupported(`${path}.manualSelector`, true, ['nil', 'false'])] : NONE),
  ];
}
