// JSON patch (RFC 6902) as the real server's library carries it out. A patch that does not fit is the client's error.

import { badRequest, tooLarge, unprocessable } from '../answer/status.ts';
import type { Json, JsonObject } from '../parts.ts';
import { type Draft, isObject, jsonTypeName, sameJson, setKey } from '../rules/json.ts';
import type { WriteOptions } from './options.ts';

/** More operations than this are refused, as by the real server. */
const MAX_OPERATIONS = 10_000;
const REJECTED = 'the server rejected our request due to an error in our request';

/** Of what the operations copy: a few of them could double a value again and again. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

const TEXTS = ['op', 'from', 'path'] as const;
const FIELDS: ReadonlySet<string> = new Set([...TEXTS, 'value']);

/** The operations of a patch, refused when they are none. Null is one without operations. */
export function jsonPatchOf(value: Json, { fieldValidation }: Pick<WriteOptions, 'fieldValidation'>): readonly Json[] {
  const problem = problemOf(value, fieldValidation === 'Ignore' ? LOOSE : STRICT);
  if (problem !== undefined) throw badRequest(problem);
  const operations = Array.isArray(value) ? (value as readonly Json[]) : [];
  if (operations.length > MAX_OPERATIONS) {
    const told = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`;
    throw tooLarge(`Request entity too large: ${told}`);
  }
  return operations;
}

/** What a list, and what each operation in it, is read into; who looks for unknown fields reads more closely. */
interface Reading {
  readonly prefix: string;
  readonly list: string;
  readonly operation: string;
  readonly texts: readonly string[];
}

const STRICT: Reading = {
  prefix: 'error decoding patch: ',
  list: '[]handlers.jsonPatchOp',
  operation: 'handlers.jsonPatchOp',
  texts: TEXTS,
};
const LOOSE: Reading = { prefix: '', list: 'jsonpatch.Patch', operation: 'jsonpatch.Operation', texts: [] };

function problemOf(value: Json, { prefix, list, operation, texts }: Reading): string | undefined {
  const cannot = (found: Json | undefined, into: string): string =>
    `${prefix}json: cannot unmarshal ${jsonTypeName(found)} into Go ${into}`;
  if (value === null) return undefined;
  if (!Array.isArray(value)) return cannot(value, `value of type ${list}`);
  for (const each of value as readonly Json[]) {
    if (each === null) continue;
    if (!isObject(each)) return cannot(each, `value of type ${operation}`);
    const odd = texts.find(key => typeof (each[key] ?? '') !== 'string');
    if (odd !== undefined) return cannot(each[odd], `struct field jsonPatchOp.${odd} of type string`);
  }
  return undefined;
}

/** `[0].colour`: fields that no operation has. */
export const unknownInPatch = (operations: readonly Json[]): readonly string[] =>
  operations.flatMap((operation, index) =>
    (isObject(operation) ? Object.keys(operation) : []).filter(key => !FIELDS.has(key)).map(key => `[${index}].${key}`),
  );

/** `object` with the operations applied in order. Why one does not fit is not told, as by the real server. */
export function jsonPatched(object: JsonObject, operations: readonly Json[]): JsonObject {
  const patching = new Patching(object);
  for (const operation of operations) {
    if (!isObject(operation) || !patching.apply(operation)) throw unprocessable(REJECTED);
  }
  return patching.document;
}

type Holder = Draft | Json[];

class Patching {
  document: Draft;
  #copiedBytes = 0;

  constructor(object: JsonObject) {
    this.document = structuredClone(object) as Draft;
  }

  /** False: it does not fit. */
  apply({ op, path, from, value = null }: JsonObject): boolean {
    if (typeof path !== 'string') return false;
    if (op === 'add') return this.#add(path, structuredClone(value));
    if (op === 'remove') return this.#remove(path);
    if (op === 'replace') return this.#replace(path, structuredClone(value));
    if (op === 'test') return this.#test(path, value);
    if (typeof from !== 'string') return false;
    if (op === 'move') return this.#move(from, path);
    return op === 'copy' && this.#copy(from, path);
  }

  #add(path: string, value: Json): boolean {
    const place = this.#placeOf(path);
    if (place === undefined) return false;
    const [holder, key] = place;
    if (!Array.isArray(holder)) return written(holder, key, value);
    const index = key === '-' ? holder.length : indexIn(key, holder.length + 1);
    if (index === undefined) return false;
    holder.splice(index, 0, value);
    return true;
  }

  #remove(path: string): boolean {
    const place = this.#placeOf(path);
    if (place === undefined) return false;
    const [holder, key] = place;
    if (!Array.isArray(holder)) return Object.hasOwn(holder, key) && delete holder[key];
    const index = indexIn(key, holder.length);
    if (index === undefined) return false;
    holder.splice(index, 1);
    return true;
  }

  /** Replacing a key that an object does not have adds it. */
  #replace(path: string, value: Json): boolean {
    if (path === '' && isObject(value)) {
      this.document = value as Draft;
      return true;
    }
    const place = this.#placeOf(path);
    if (place === undefined) return false;
    const [holder, key] = place;
    if (!Array.isArray(holder)) return written(holder, key, value);
    const index = indexIn(key, holder.length);
    if (index === undefined) return false;
    holder[index] = value;
    return true;
  }

  #test(path: string, value: Json): boolean {
    const found = this.#valueAt(path);
    return found !== undefined && sameJson(found, value);
  }

  #move(from: string, path: string): boolean {
    const value = this.#valueAt(from);
    return value !== undefined && this.#remove(from) && this.#add(path, value);
  }

  #copy(from: string, path: string): boolean {
    const value = this.#valueAt(from);
    if (value === undefined) return false;
    const text = JSON.stringify(value);
    this.#copiedBytes += text.length;
    return this.#copiedBytes <= MAX_COPIED_BYTES && this.#add(path, JSON.parse(text) as Json);
  }

  /** A key that an object does not have reads as null; undefined: there is no such place. */
  #valueAt(path: string): Json | undefined {
    const place = this.#placeOf(path);
    return place === undefined ? undefined : valueIn(...place);
  }

  /** What holds the last step of the path, and that step. What stands before the first slash counts for nothing. */
  #placeOf(path: string): readonly [Holder, string] | undefined {
    const steps = path.split('/').slice(1).map(unescaped);
    const key = steps.pop();
    if (key === undefined) return undefined;
    let holder: Holder = this.document;
    for (const step of steps) {
      const next = valueIn(holder, step);
      if (typeof next !== 'object' || next === null) return undefined;
      holder = next as Holder;
    }
    return [holder, key];
  }
}

function valueIn(holder: Holder, key: string): Json | undefined {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, key) ? holder[key] : null;
  const index = indexIn(key, holder.length);
  return index === undefined ? undefined : holder[index];
}

function written(holder: Draft, key: string, value: Json): true {
  setKey(holder, key, value);
  return true;
}

/** As Go reads numbers; those below zero count from the end. */
function indexIn(key: string, length: number): number | undefined {
  if (!/^[-+]?\d+$/.test(key)) return undefined;
  const index = Number(key) < 0 ? Number(key) + length : Number(key);
  return index >= 0 && index < length ? index : undefined;
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
