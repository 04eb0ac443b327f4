// Formats that a definition names and nobody knows: no restriction, so whoever names one anew is warned.

import type { Json, JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, stringAt } from '../../rules/json.ts';
import { isFormatOf } from '../formats.ts';

/** A sentence for each format of the definition's schemas that is not known, and was not there before. */
export function formatWarnings(crd: JsonObject, old: JsonObject | undefined): readonly string[] {
  const found = unknownFormats(crd);
  if (found.size === 0) return [];
  const before = old === undefined ? new Set() : unknownFormats(old);
  return [...found]
    .filter(format => !before.has(format))
    .map(format => `unrecognized format ${JSON.stringify(format)}`);
}

function unknownFormats(crd: JsonObject): ReadonlySet<string> {
  const versions = listAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
  return new Set(versions.flatMap(version => formatsIn(objectAt(version, 'schema').openAPIV3Schema)));
}

function formatsIn(schema: Json | undefined): readonly string[] {
  if (!isObject(schema)) return [];
  const [type, format] = [stringAt(schema, 'type'), stringAt(schema, 'format')];
  const properties = objectAt(schema, 'properties');
  const below = [
    schema.items,
    schema.additionalProperties,
    ...Object.keys(properties)
      .sort()
      .map(key => properties[key]),
  ];
  return [...(format === '' || isFormatOf(type, format) ? [] : [format]), ...below.flatMap(formatsIn)];
}
