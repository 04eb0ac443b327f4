// JSON patch (RFC 6902) as the real server's library carries it out, and why an operation does not fit, in its words.

import type { Json, JsonObject } from '../parts.ts';
import { type Draft, isObject, jsonTypeName, sameJson, setKey } from '../rules/json.ts';

/** The patch does not fit the object. */
export class PatchMisfit extends Error {}

/** Of what the operations copy: a few of them could double a value again and again. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

const MISSING = 'missing value';

/** `object` with the operations applied in order; throws a PatchMisfit at the first that does not fit. */
export function patchedBy(object: JsonObject, operations: readonly Json[]): JsonObject {
  const patching = new Patching(object);
  for (const operation of operations) patching.apply(isObject(operation) ? operation : {});
  return patching.document;
}

type Holder = Draft | Json[];

/** What holds the last step of a path, and that step. */
type Place = readonly [Holder, string];

class Patching {
  document: Draft;
  #copiedBytes = 0;

  constructor(object: JsonObject) {
    this.document = structuredClone(object) as Draft;
  }

  apply(operation: JsonObject): void {
    const { op, value = null } = operation;
    switch (op) {
      case 'add':
        this.#add(pathIn(operation), structuredClone(value));
        break;
      case 'remove':
        this.#remove(pathIn(operation));
        break;
      case 'replace':
        this.#replace(pathIn(operation), structuredClone(value));
        break;
      case 'test':
        this.#test(pathIn(operation), value);
        break;
      case 'move':
        this.#move(fromIn(operation), operation);
        break;
      case 'copy':
        this.#copy(fromIn(operation), operation);
        break;
      default:
        throw new PatchMisfit(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
    }
  }

  #add(path: string, value: Json): void {
    const missing = `add operation does not apply: doc is missing path: ${JSON.stringify(path)}: ${MISSING}`;
    within(`error in add for path: '${path}'`, () => put(this.#placeOf(path, missing), value));
  }

  #remove(path: string): void {
    const missing = `remove operation does not apply: doc is missing path: ${JSON.stringify(path)}: ${MISSING}`;
    within(`error in remove for path: '${path}'`, () => takenOut(this.#placeOf(path, missing)));
  }

  /** Replacing a key that an object does not have adds it. */
  #replace(path: string, value: Json): void {
    if (path === '') {
      if (!isObject(value)) throw new PatchMisfit('replace operation value must be object or array: %!w(<nil>)');
      this.document = value as Draft;
      return;
    }
    const said = 'replace operation does not apply: doc is missing';
    const [holder, key] = this.#placeOf(path, `${said} path: ${path}: ${MISSING}`);
    if (!Array.isArray(holder)) {
      setKey(holder, key, value);
      return;
    }
    const index = indexIn(key, holder.length);
    if (typeof index === 'string') throw new PatchMisfit(`${said} key: ${path}: ${MISSING}`);
    holder[index] = value;
  }

  #test(path: string, value: Json): void {
    const missing = `test operation does not apply: is missing path: ${path}: ${MISSING}`;
    const found =
      path === ''
        ? this.document
        : within(`error in test for path: '${path}'`, () => valueIn(this.#placeOf(path, missing)));
    if (!sameJson(found, value)) throw new PatchMisfit(`testing value ${path} failed: test failed`);
  }

  #move(from: string, operation: JsonObject): void {
    const said = 'move operation does not apply: doc is missing';
    const place = this.#placeOf(from, `${said} from path: ${from}: ${MISSING}`);
    const value = within(`error in move for path: '${place[1]}'`, () => {
      const found = valueIn(place);
      takenOut(place);
      return found;
    });
    const path = pathIn(operation);
    const to = this.#placeOf(path, `${said} destination path: ${path}: ${MISSING}`);
    within(`error in move for path: '${path}'`, () => put(to, value));
  }

  #copy(from: string, operation: JsonObject): void {
    const said = 'copy operation does not apply: doc is missing';
    const place = this.#placeOf(from, `${said} from path: ${from}: ${MISSING}`);
    const value = within(`error in copy for from: '${from}'`, () => valueIn(place));
    const path = pathIn(operation);
    const to = this.#placeOf(path, `${said} destination path: ${path}: ${MISSING}`);
    const text = JSON.stringify(value);
    this.#copiedBytes += text.length;
    if (this.#copiedBytes > MAX_COPIED_BYTES) {
      throw new PatchMisfit(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copiedBytes}, exceeding the limit ${MAX_COPIED_BYTES}`,
      );
    }
    within('error while adding value during copy', () => put(to, JSON.parse(text) as Json));
  }

  /** What stands before the first slash counts for nothing. Throws what is given where there is no such place. */
  #placeOf(path: string, missing: string): Place {
    const steps = path.split('/').slice(1).map(unescaped);
    const key = steps.pop();
    if (key === undefined) throw new PatchMisfit(missing);
    let holder: Holder = this.document;
    for (const step of steps) {
      const next = nextIn(holder, step);
      if (typeof next !== 'object' || next === null) throw new PatchMisfit(missing);
      holder = next as Holder;
    }
    return [holder, key];
  }
}

/** What is wrong with a step; the operation says where. */
class Misplaced extends Error {}

/** Tells where a step was wrong. */
function within<T>(where: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof Misplaced ? new PatchMisfit(`${where}: ${error.message}`) : error;
  }
}

function pathIn({ op, path }: JsonObject): string {
  if (typeof path === 'string') return path;
  throw new PatchMisfit(`${op} operation failed to decode path: ${MISSING}`);
}

function fromIn({ op, from }: JsonObject): string {
  if (typeof from === 'string') return from;
  const why =
    from === undefined
      ? `operation, missing from field: ${MISSING}`
      : `json: cannot unmarshal ${jsonTypeName(from)} into Go value of type string`;
  throw new PatchMisfit(`${op} operation failed to decode from: ${why}`);
}

function put([holder, key]: Place, value: Json): void {
  if (!Array.isArray(holder)) {
    setKey(holder, key, value);
    return;
  }
  const index = key === '-' ? holder.length : indexIn(key, holder.length + 1);
  if (typeof index === 'string')
    throw new Misplaced(isNumber(key) ? index : `value was not a proper array index: '${key}': ${index}`);
  holder.splice(index, 0, value);
}

function takenOut([holder, key]: Place): void {
  if (!Array.isArray(holder)) {
    if (!Object.hasOwn(holder, key)) throw new Misplaced(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
    delete holder[key];
    return;
  }
  const index = indexIn(key, holder.length);
  if (typeof index === 'string') throw new Misplaced(index);
  holder.splice(index, 1);
}

/** A key that an object does not have reads as null. */
function valueIn([holder, key]: Place): Json {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, key) ? (holder[key] ?? null) : null;
  const index = indexIn(key, holder.length);
  if (typeof index === 'string') throw new Misplaced(index);
  return holder[index] ?? null;
}

function nextIn(holder: Holder, key: string): Json | undefined {
  if (!Array.isArray(holder)) return Object.hasOwn(holder, key) ? holder[key] : undefined;
  const index = indexIn(key, holder.length);
  return typeof index === 'string' ? undefined : holder[index];
}

const isNumber = (key: string): boolean => /^[-+]?\d+$/.test(key);

/** As Go reads numbers; those below zero count from the end. Else why it is none. */
function indexIn(key: string, length: number): number | string {
  if (!isNumber(key)) return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
  const index = Number(key) < 0 ? Number(key) + length : Number(key);
  return index >= 0 && index < length
    ? index
    : `Unable to access invalid index: ${Number(key)}: invalid index referenced`;
}

const unescaped = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
