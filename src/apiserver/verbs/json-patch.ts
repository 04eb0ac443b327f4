// JSON patches (RFC 6902) that clients send: what is one, and the refusal of one that does not fit.

import { badRequest, tooLarge, unprocessable } from '../answer/status.ts';
import type { Json, JsonObject } from '../parts.ts';
import { isObject, jsonTypeName } from '../rules/json.ts';
import type { WriteOptions } from './options.ts';
import { PatchMisfit, patchedBy } from './patching.ts';

/** More operations than this are refused, as by the real server. */
const MAX_OPERATIONS = 10_000;
const REJECTED = 'the server rejected our request due to an error in our request';

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
  try {
    return patchedBy(object, operations);
  } catch (error) {
    throw error instanceof PatchMisfit ? unprocessable(REJECTED) : error;
  }
}
