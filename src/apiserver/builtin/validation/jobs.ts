// What Jobs and CronJobs must be.

import type { JsonObject } from '../../parts.ts';
import { invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, numberAt, objectAt, objectsAt, textAt } from '../json.ts';
import { podTemplateErrors } from './pod-template.ts';
import { type Errors, nonNegativeErrors } from './texts.ts';

const MAX_CRON_NAME = 52;

export function jobErrors(object: JsonObject): Errors {
  return jobSpecErrors('spec', objectAt(object, 'spec'));
}

const COUNTS = [
  'parallelism',
  'completions',
  'activeDeadlineSeconds',
  'backoffLimit',
  'ttlSecondsAfterFinished',
] as const;

/** Pods of a Job end. */
function jobSpecErrors(path: string, spec: JsonObject): Errors {
  const template = objectAt(spec, 'template');
  const ends = ['OnFailure', 'Never'].includes(textAt(objectAt(template, 'spec'), 'restartPolicy'));
  return [
    ...COUNTS.flatMap(key => nonNegativeErrors(path, spec, key)),
    ...completionErrors(path, spec),
    ...chosen(`${path}.podReplacementPolicy`, textAt(spec, 'podReplacementPolicy'), ['Failed', 'TerminatingOrFailed']),
    ...failurePolicyErrors(`${path}.podFailurePolicy`, objectAt(spec, 'podFailurePolicy')),
    ...podTemplateErrors(`${path}.template`, template),
    ...(ends ? [] : [required(`${path}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"')]),
  ];
}

function completionErrors(path: string, spec: JsonObject): Errors {
  const mode = textAt(spec, 'completionMode');
  if (mode !== 'Indexed') return chosen(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']);
  const why = 'when completion mode is Indexed';
  return numberAt(spec, 'completions') === undefined ? [required(`${path}.completions`, why)] : [];
}

function failurePolicyErrors(path: string, policy: JsonObject): Errors {
  return objectsAt(policy, 'rules').flatMap((rule, index) => {
    const codes = objectAt(rule, 'onExitCodes');
    const at = `${path}.rules[${index}].onExitCodes.values`;
    if (codes.operator !== 'In') return [];
    return listAt(codes, 'values').flatMap((value, place) =>
      value === 0 ? [invalid(`${at}[${place}]`, value, 'must not be 0 for the In operator')] : [],
    );
  });
}

const chosen = (path: string, value: string, allowed: readonly string[]): Errors =>
  value === '' || allowed.includes(value) ? [] : [notSupported(path, value, allowed)];

export function cronJobErrors(object: JsonObject): Errors {
  const spec = objectAt(object, 'spec');
  const name = textAt(objectAt(object, 'metadata'), 'name');
  const jobs = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
  const long = `must be no more than ${MAX_CRON_NAME} characters`;
  return [
    ...scheduleErrors(textAt(spec, 'schedule')),
    ...nonNegativeErrors('spec', spec, 'startingDeadlineSeconds'),
    ...zoneErrors(spec.timeZone),
    ...chosen('spec.concurrencyPolicy', textAt(spec, 'concurrencyPolicy'), ['Allow', 'Forbid', 'Replace']),
    ...(isObject(spec.jobTemplate) ? jobSpecErrors('spec.jobTemplate.spec', jobs) : []),
    ...nonNegativeErrors('spec', spec, 'successfulJobsHistoryLimit'),
    ...nonNegativeErrors('spec', spec, 'failedJobsHistoryLimit'),
    ...(name.length > MAX_CRON_NAME ? [invalid('metadata.name', name, long)] : []),
  ];
}

const NAMED = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly|every \S+)$/;

function scheduleErrors(schedule: string): Errors {
  const wrong = (why: string): Errors => [invalid('spec.schedule', schedule, why)];
  if (schedule === '') return [required('spec.schedule')];
  if (schedule.includes('TZ')) return wrong('cannot use TZ or CRON_TZ in schedule, use timeZone field instead');
  if (NAMED.test(schedule)) return [];
  if (schedule.startsWith('@')) return wrong(`unrecognized descriptor: ${schedule}`);
  const fields = schedule.trim().split(/\s+/);
  return fields.length === 5 ? [] : wrong(`expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`);
}

function zoneErrors(zone: JsonObject[string] | undefined): Errors {
  if (typeof zone !== 'string') return [];
  if (zone === '') return [invalid('spec.timeZone', zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local') {
    return [
      invalid(
        'spec.timeZone',
        zone,
        'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
      ),
    ];
  }
  return isZone(zone) ? [] : [invalid('spec.timeZone', zone, `unknown time zone ${zone}`)];
}

/** As this runtime's copy of the time zone database knows them. */
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
