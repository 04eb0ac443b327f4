// Objects of kinds of several versions, in the version that is asked for or stored; others are left as they are.

import { apiVersionOf, type Call, type Core } from '../core.ts';
import { storedForm } from '../objects/forms.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { rowOf } from '../store/serialise.ts';
import type { Row } from '../store.ts';
import { convertedByWebhook } from './conversion-review.ts';
import { isOutgrown, readToday } from './outgrown.ts';

const isOther = (resource: Resource, { apiVersion }: Pick<Row, 'apiVersion'>): boolean =>
  resource.conversion !== undefined && apiVersion !== apiVersionOf(resource);

/** The rows as the call's version shows them: at once, unless one of them must be converted. */
export function shownRows(call: Call, rows: readonly Row[]): readonly Row[] | Promise<readonly Row[]> {
  const { resource, core } = call;
  if (rows.some(row => isOther(resource, row))) return convertedRows(core, resource, rows);
  return rows.some(row => isOutgrown(resource, row)) ? rows.map(row => readToday(core, resource, row)) : rows;
}

async function convertedRows(core: Core, resource: Resource, rows: readonly Row[]): Promise<readonly Row[]> {
  const objects = await convertedObjects(
    core,
    resource,
    rows.map(row => row.object),
  );
  return rows.map((row, index) => {
    const object = objects[index];
    return object === undefined || !isOther(resource, row)
      ? readToday(core, resource, row)
      : rowOf(row, object, row.revision);
  });
}

export function shownRow(call: Call, row: Row): Row | Promise<Row> {
  if (!isOther(call.resource, row)) return readToday(call.core, call.resource, row);
  return convertedRows(call.core, call.resource, [row]).then(([shown = row]) => shown);
}

/** The object as it is stored: in the storage version. */
export function toStored({ core, resource }: Call, object: JsonObject): JsonObject | Promise<JsonObject> {
  const { conversion } = resource;
  if (conversion === undefined) return storedForm(object, resource);
  const stored = { ...conversion.stored, conversion };
  return convertedObjects(core, stored, [object]).then(([made = object]) => made);
}

/** Whether a write that changes nothing must be carried out all the same: it brings the object to today's schema. */
export function isOutdated({ core, resource }: Call, row: Row): boolean {
  const { conversion } = resource;
  if (conversion !== undefined && row.apiVersion !== apiVersionOf(conversion.stored)) return true;
  return readToday(core, conversion?.stored ?? resource, row) !== row;
}

/** Each object in the version of `target`; what is there already is not touched. */
export async function convertedObjects(
  core: Core,
  target: Resource,
  objects: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const version = apiVersionOf(target);
  const others = objects.filter(object => object.apiVersion !== version);
  if (others.length === 0) return objects;
  const webhook = target.conversion?.webhook;
  const made =
    webhook === undefined
      ? others.map(object => ({ ...object, apiVersion: version }))
      : await convertedByWebhook(core, webhook, others, version);
  const read = new Map(others.map((object, index) => [object, readAs(core, target, made[index] ?? object)]));
  return objects.map(object => read.get(object) ?? object);
}

/** With the defaults of its version, and without what that does not know. */
const readAs = ({ parts }: Core, target: Resource, object: JsonObject): JsonObject =>
  parts.customSchema?.normalize(target, object).object ?? object;
