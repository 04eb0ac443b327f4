// Objects that were stored before their kind's schema changed: read with the defaults and without the fields of today (api-35).

import { apiVersionOf, type Core } from '../core.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { sameJson } from '../rules/json.ts';
import { rowOf } from '../store/serialise.ts';
import type { Row } from '../store.ts';

/** A row read once by a schema need not be read by it again. */
const known = new WeakMap<Row, { readonly schema: JsonObject; readonly row: Row }>();

/** Whether another schema than today's may have read the row. What a deleted row is stamped with is no time of writing. */
export const isOutgrown = ({ schemaSince }: Resource, row: Row, type = ''): boolean =>
  schemaSince !== undefined && (row.revision < schemaSince || type === 'DELETED');

/** The row as the schema of its version reads it today; the same row where that changes nothing. */
export function readToday({ parts }: Core, resource: Resource, row: Row, type?: string): Row {
  if (!isOutgrown(resource, row, type) || row.apiVersion !== apiVersionOf(resource)) return row;
  const { schema } = resource;
  const before = known.get(row);
  if (before?.schema === schema) return before.row;
  const object = parts.customSchema?.normalize(resource, row.object).object ?? row.object;
  const today = sameJson(object, row.object) ? row : rowOf(row, object, row.revision);
  known.set(row, { schema, row: today });
  return today;
}
