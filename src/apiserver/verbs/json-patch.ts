// JSON patch (RFC 6902). A patch that does not fit the object is the client's error.

import jsonPatch, { type Operation } from 'fast-json-patch';
import { badRequest, unprocessable } from '../answer/status.ts';
import type { Json, JsonObject } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { notAnObject } from './normalize.ts';

/** More operations than this are refused, as by the real server. */
const MAX_OPERATIONS = 10_000;
const REJECTED = 'the server rejected our request due to an error in our request';

/** `object` with the operations applied in order. */
export function jsonPatched(object: JsonObject, operations: Json): JsonObject {
  if (!Array.isArray(operations)) {
    throw badRequest(`error decoding patch: ${notAnObject(operations, '[]handlers.jsonPatchOp')}`);
  }
  if (operations.length > MAX_OPERATIONS) {
    throw badRequest(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`);
  }
  const result = applied(object, operations);
  if (!isObject(result)) throw unprocessable(REJECTED);
  return result;
}

/** As the real server's library: replacing a key that an object does not have adds it. */
function lenient(document: unknown, operation: Operation): Operation {
  if (operation.op !== 'replace' || jsonPatch.getValueByPointer(document, operation.path) !== undefined) {
    return operation;
  }
  const parent = jsonPatch.getValueByPointer(document, operation.path.replace(/\/[^/]*$/, ''));
  return isObject(parent) ? { ...operation, op: 'add' } : operation;
}

/** Why it does not fit is not told, as by the real server. */
function applied(object: JsonObject, operations: readonly Json[]): unknown {
  try {
    const copy = structuredClone<unknown>(operations) as Operation[];
    let document = structuredClone<unknown>(object);
    for (const operation of copy) {
      document = jsonPatch.applyOperation(document, lenient(document, operation), true, true).newDocument;
    }
    return document;
  } catch {
    throw unprocessable(REJECTED);
  }
}
