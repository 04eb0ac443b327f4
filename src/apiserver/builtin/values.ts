// Reads single values as Go does: what is refused, what is rewritten to its canonical form, what zero looks like.

import { kubeMicroTime, kubeTime, millisOf } from '../../base/clock.ts';
import { remembered } from '../../base/remembered.ts';
import type { Json } from '../parts.ts';
import { goTimeProblem } from '../rules/go-time.ts';
import { isList, isObject } from './json.ts';
import { canonicalQuantity, QUANTITY_FORMAT } from './quantity.ts';
import type { PlainScalar } from './shapes.ts';
import { Malformed, type Trail } from './trail.ts';

export function zeroScalar(kind: PlainScalar): Json {
  return ZEROS[kind] ?? null;
}

const ZEROS: Readonly<Partial<Record<PlainScalar, Json>>> = {
  string: '',
  bool: false,
  int32: 0,
  int64: 0,
  float64: 0,
  quantity: '0',
  intorstring: 0,
};

export const readScalar = (kind: PlainScalar, value: Json, trail: Trail): Json => readers[kind](value, trail);

const readers: Readonly<Record<PlainScalar, (value: Json, trail: Trail) => Json>> = {
  string: (value, trail) => (typeof value === 'string' ? value : trail.wrongType(value, { kind: 'string' })),
  bool: (value, trail) => (typeof value === 'boolean' ? value : trail.wrongType(value, { kind: 'bool' })),
  int32: (value, trail) => readInteger('int32', value, trail),
  int64: (value, trail) => readInteger('int64', value, trail),
  float64: (value, trail) => (typeof value === 'number' ? value : trail.wrongType(value, { kind: 'float64' })),
  bytes: readBytes,
  time: (value, trail) => readTime(value, trail, 'time'),
  microtime: (value, trail) => readTime(value, trail, 'microtime'),
  quantity: readQuantity,
  intorstring: readIntOrString,
  raw: value => value,
};

function readInteger(kind: 'int32' | 'int64', value: Json, trail: Trail): Json {
  if (typeof value !== 'number') return trail.wrongType(value, { kind });
  const limit = kind === 'int32' ? 2 ** 31 : 2 ** 63;
  const fits = Number.isInteger(value) && value >= -limit && value < limit;
  return fits ? value : trail.cannotRead(`number ${value}`, kind);
}

function readBytes(value: Json, trail: Trail): Json {
  if (typeof value !== 'string') return trail.wrongType(value, { kind: 'bytes' });
  const text = value.replaceAll(/[\r\n]/g, '');
  const wrong = firstIllegalBase64(text);
  if (wrong >= 0) throw new Malformed(`illegal base64 data at input byte ${wrong}`);
  return text;
}

/** The position that Go's decoder complains about; -1 when the text is well formed. */
function firstIllegalBase64(text: string): number {
  const body = /^[A-Za-z0-9+/]*/.exec(text)?.[0].length ?? 0;
  const padding = text.slice(body);
  const isWhole = (padding === '' && body % 4 === 0) || (/^==?$/.test(padding) && text.length % 4 === 0);
  if (isWhole) return -1;
  if (padding === '') return body - (body % 4);
  // One sign of padding where two belong: what is missing is missed at the end.
  return padding === '=' && body % 4 === 2 ? text.length : body;
}

function readTime(value: Json, trail: Trail, kind: 'time' | 'microtime'): Json {
  if (typeof value !== 'string') return trail.wrongType(value, { kind: 'string' });
  const { problem, time } = TIMES[kind](value);
  if (problem !== undefined) throw new Malformed(problem);
  return time;
}

interface TimeRead {
  readonly problem?: string;
  readonly time: string;
}

/** All objects that are written within a second bear the same few times. */
const TIMES = {
  time: remembered(value => timeRead(value, 'time')),
  microtime: remembered(value => timeRead(value, 'microtime')),
} as const;

function timeRead(value: string, kind: 'time' | 'microtime'): TimeRead {
  const problem = goTimeProblem(value, kind);
  if (problem !== undefined) return { problem, time: '' };
  const text = value.replace(',', '.');
  const ms = millisOf(text);
  if (Number.isNaN(ms)) return { problem: `parsing time ${JSON.stringify(value)}: out of range`, time: '' };
  return { time: kind === 'time' ? kubeTime(ms) : readMicroTime(ms, text) };
}

/** Microseconds are finer than the clock's milliseconds: they are taken from the text. */
function readMicroTime(ms: number, text: string): string {
  const micros = (/\.(\d{1,6})/.exec(text)?.[1] ?? '').padEnd(6, '0');
  return kubeMicroTime(ms).replace(/\.\d{6}Z$/, `.${micros}Z`);
}

function readQuantity(value: Json): Json {
  const canonical = isObject(value) || isList(value) ? undefined : canonicalQuantity(String(value).trim());
  if (canonical === undefined) throw new Malformed(QUANTITY_FORMAT);
  return canonical;
}

function readIntOrString(value: Json, trail: Trail): Json {
  if (typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value))) return value;
  return trail.wrongType(value, { kind: 'int32' });
}
