// The JSON patch of a webhook, and why one does not fit, in the words of the real server's library.

import jsonPatch, { type Operation } from 'fast-json-patch';
import type { Json, JsonObject } from '../parts.ts';
import { isObject, stringAt } from '../rules/json.ts';

/** The patch does not fit the object. */
export class PatchMisfit extends Error {}

/** The object that the operations make of this one. */
export function patchedBy(object: JsonObject, operations: Json): JsonObject {
  let document = structuredClone<unknown>(object);
  for (const operation of Array.isArray(operations) ? operations : []) {
    if (isObject(operation)) document = appliedTo(document, operation);
  }
  if (!isObject(document)) throw new PatchMisfit('the patch leaves no object');
  return document;
}

function appliedTo(document: unknown, operation: JsonObject): unknown {
  const path = stringAt(operation, 'path');
  try {
    const copy = structuredClone<unknown>(lenient(document, operation)) as Operation;
    return jsonPatch.applyOperation(document, copy, true, true).newDocument;
  } catch {
    throw new PatchMisfit(whyNot(stringAt(operation, 'op'), path, document));
  }
}

/** Replacing a key that an object does not have adds it there. */
function lenient(document: unknown, operation: JsonObject): JsonObject {
  const path = stringAt(operation, 'path');
  if (operation.op !== 'replace' || valueAt(document, path) !== undefined) return operation;
  const parent = valueAt(document, path.replace(/\/[^/]*$/, ''));
  return isObject(parent) ? { ...operation, op: 'add' } : operation;
}

function valueAt(document: unknown, path: string): unknown {
  try {
    return jsonPatch.getValueByPointer(document, path);
  } catch {
    return undefined;
  }
}

function whyNot(op: string, path: string, document: unknown): string {
  if (op === 'test') return `testing value ${path} failed: test failed`;
  const quoted = JSON.stringify(path);
  if (!['add', 'remove', 'replace', 'move', 'copy'].includes(op)) return `Unexpected kind: ${op}`;
  const parent = valueAt(document, path.replace(/\/[^/]*$/, ''));
  if (op === 'remove' && isObject(parent)) {
    const key = path.split('/').at(-1) ?? '';
    return `error in remove for path: '${path}': Unable to remove nonexistent key: ${key}: missing value`;
  }
  const missing = op === 'replace' && isObject(parent) ? 'key' : 'path';
  return `${op} operation does not apply: doc is missing ${missing}: ${quoted}: missing value`;
}
