// When CronJobs run: five fields with numbers, names, ranges and steps, or a word for them.

import type { Json } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS: readonly Field[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const WORDS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);
const EVERY = '@every ';
const DURATION = /^[-+]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))*)$/;
const MOST = 2n ** 63n;

/** Undefined: it is one. */
type Problem = string | undefined;

export function scheduleErrors(path: string, schedule: string): Errors {
  if (schedule === '') return [required(path)];
  const problem = scheduleProblem(schedule);
  const zone = 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
  return [
    ...(problem === undefined ? NONE : [invalid(path, schedule, problem)]),
    ...(schedule.includes('TZ') ? [invalid(path, schedule, zone)] : NONE),
  ];
}

function scheduleProblem(schedule: string): Problem {
  const [, zone, rest] = /^(?:CRON_)?TZ=(\S*) ?(.*)$/.exec(schedule) ?? [];
  if (zone !== undefined && !isZone(zone)) return `provided bad location ${zone}: unknown time zone ${zone}`;
  const said = zone === undefined ? schedule : (rest ?? '').trim();
  if (said.startsWith('@')) return wordProblem(said);
  const fields = said.split(/\s+/).filter(field => field !== '');
  if (fields.length !== FIELDS.length) {
    return `expected exactly ${FIELDS.length} fields, found ${fields.length}: [${fields.join(' ')}]`;
  }
  return firstOf(fields, (field, index) => fieldProblem(field, FIELDS[index]));
}

function firstOf<T>(all: readonly T[], problemOf: (each: T, index: number) => Problem): Problem {
  for (const [index, each] of all.entries()) {
    const problem = problemOf(each, index);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function wordProblem(word: string): Problem {
  if (WORDS.has(word)) return undefined;
  if (!word.startsWith(EVERY)) return `unrecognized descriptor: ${word}`;
  const duration = word.slice(EVERY.length);
  if (DURATION.test(duration)) return undefined;
  const isNumber = /^[-+]?(\d+(\.\d*)?|\.\d+)$/.test(duration);
  const why = isNumber ? 'missing unit in duration' : 'invalid duration';
  return `failed to parse duration ${word}: time: ${why} ${JSON.stringify(duration)}`;
}

function fieldProblem(field: string, bounds: Field | undefined): Problem {
  if (bounds === undefined) return undefined;
  const ranges = field.split(',').filter(range => range !== '');
  return firstOf(ranges, range => rangeProblem(range, bounds));
}

function rangeProblem(range: string, bounds: Field): Problem {
  const [span = '', step, ...more] = range.split('/');
  const limits = span.split('-');
  const ends = endsOf(range, limits, bounds);
  if (typeof ends === 'string') return ends;
  const stride = step === undefined ? 1 : numberOf(step);
  if (typeof stride === 'string') return stride;
  if (more.length > 0) return `too many slashes: ${range}`;
  // From a number with a step on: up to the end.
  const [start, end] = [ends[0], step !== undefined && limits.length === 1 ? bounds.max : ends[1]];
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${range}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${range}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  return stride === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function endsOf(
  range: string,
  [low = '', high, ...more]: readonly string[],
  bounds: Field,
): readonly [number, number] | string {
  if (low === '*' || low === '?') return [bounds.min, bounds.max];
  const start = numberOrName(low, bounds);
  if (typeof start === 'string') return start;
  if (high === undefined) return [start, start];
  if (more.length > 0) return `too many hyphens: ${range}`;
  const end = numberOrName(high, bounds);
  return typeof end === 'string' ? end : [start, end];
}

function numberOrName(text: string, { names }: Field): number | string {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  return named >= 0 ? named : numberOf(text);
}

/** A text is what is wrong with it. */
function numberOf(text: string): number | string {
  const failed = `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: `;
  if (!/^[-+]?\d+$/.test(text)) return `${failed}invalid syntax`;
  if (BigInt(text.replace('+', '')) >= MOST) return `${failed}value out of range`;
  const value = Number(text);
  return value < 0 ? `negative number (${value}) not allowed: ${text}` : value;
}

export function zoneErrors(path: string, zone: Json | undefined): Errors {
  if (typeof zone !== 'string') return NONE;
  if (zone === '') return [invalid(path, zone, 'timeZone must be nil or non-empty string')];
  if (zone.toLowerCase() === 'local') {
    const why = 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones';
    return [invalid(path, zone, why)];
  }
  return isZone(zone) ? NONE : [invalid(path, zone, `unknown time zone ${zone}`)];
}

/** As this runtime's copy of the time zone database knows them. */
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
