// An object becomes a row: its resourceVersion is the revision, and it is turned into bytes once.

import type { JsonObject } from '../parts.ts';
import type { Row, StoreKey } from '../store.ts';

const encoder = new TextEncoder();

/** The row of `object` at `revision`. */
export function rowOf(key: StoreKey, object: JsonObject, revision: number): Row {
  const metadata = { ...(object.metadata as JsonObject), resourceVersion: String(revision) };
  const stamped: JsonObject = { ...object, metadata };
  const { apiVersion: _version, kind: _kind, ...rest } = stamped;
  const { storage, namespace, name } = key;
  return { storage, namespace, name, revision, object: stamped, body: encoder.encode(JSON.stringify(rest)) };
}
