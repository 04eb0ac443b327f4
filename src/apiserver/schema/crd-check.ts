// Checks a CustomResourceDefinition when it is written: its names, its schemas, and what it shows of its objects.

import type { CrdCheck, FieldError, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, sameJson, stringAt } from '../rules/json.ts';
import { defaultErrors, rootDefaultErrors } from './crd/defaults.ts';
import { keywordErrors } from './crd/keywords.ts';
import { groupErrors, nameErrors, scopeErrors } from './crd/names.ts';
import { approvalErrors, immutableErrors, preservingErrors, storedVersionErrors } from './crd/record.ts';
import { ruleTextErrors } from './crd/rules.ts';
import { structureErrors } from './crd/structure.ts';
import { surfaceErrors } from './crd/surface.ts';
import { commonVersionErrors, ownVersionErrors } from './crd/versions.ts';
import { forbidden, required } from './field-errors.ts';

/**
 * A version whose schema an update leaves as it was is not judged again. What all versions have alike is judged once,
 * and spoken of as the whole definition's: `spec.validation`, not `spec.versions[0].schema`.
 */
export const crdCheck: CrdCheck = (crd, old) => {
  const spec = objectAt(crd, 'spec');
  const versions = listAt(spec, 'versions').filter(isObject);
  const own = versions.flatMap((version, index) => ownVersionErrors(version, `spec.versions[${index}]`));
  const parts = versions.flatMap((version, index) =>
    partErrors(version, versionBefore(old, version), part => placeOf(versions, part, index)),
  );
  return [
    ...groupErrors(spec),
    ...scopeErrors(spec),
    ...missingSchemaErrors(versions),
    ...own,
    ...commonVersionErrors(versions),
    ...nameErrors(spec),
    ...distinct(parts),
    ...(old === undefined ? [] : immutableErrors(crd, old)),
    ...storedVersionErrors(crd),
    ...approvalErrors(crd, old),
    ...preservingErrors(crd, old),
  ];
};

function missingSchemaErrors(versions: readonly JsonObject[]): readonly FieldError[] {
  return versions.flatMap((version, index) =>
    isObject(objectAt(version, 'schema').openAPIV3Schema)
      ? []
      : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
}

function placeOf(versions: readonly JsonObject[], part: string, index: number): string {
  const isCommon = versions.every(version => sameJson(version[part], versions[0]?.[part]));
  if (!isCommon) return `spec.versions[${index}].${part}`;
  return part === 'schema' ? 'spec.validation' : `spec.${part}`;
}

/** Versions that are alike say the same thing in the same place. */
function distinct(errors: readonly FieldError[]): readonly FieldError[] {
  const seen = new Map(errors.map(error => [`${error.field}: ${error.message}`, error]));
  return [...seen.values()];
}

function versionBefore(old: JsonObject | undefined, version: JsonObject): JsonObject | undefined {
  const name = stringAt(version, 'name');
  return listAt(objectAt(old, 'spec'), 'versions')
    .filter(isObject)
    .find(candidate => stringAt(candidate, 'name') === name);
}

function partErrors(
  version: JsonObject,
  before: JsonObject | undefined,
  pathOf: (part: string) => string,
): readonly FieldError[] {
  const schema = objectAt(version, 'schema').openAPIV3Schema;
  const unchanged = before !== undefined && sameJson(objectAt(before, 'schema'), objectAt(version, 'schema'));
  const ofSchema = isObject(schema) && !unchanged ? schemaErrorsOf(schema, `${pathOf('schema')}.openAPIV3Schema`) : [];
  return [...ofSchema, ...surfaceErrors(version, pathOf)];
}

function schemaErrorsOf(schema: JsonObject, path: string): readonly FieldError[] {
  const structure = structureErrors(schema, path);
  const shape = [
    ...(schema.nullable === true ? [forbidden(`${path}.nullable`, 'nullable cannot be true at the root')] : []),
    ...(structure.length > 0 ? structure : defaultErrors(schema, path)),
    ...everywhere(schema, path, keywordErrors),
    ...rootDefaultErrors(schema, path),
  ];
  // Rules are compiled against the schema's types, so they wait until it has some.
  return shape.length > 0 ? shape : ruleTextErrors(schema, path);
}

type Check = (schema: JsonObject, path: string) => readonly FieldError[];

/** On the schema and on every one below it, those under logic included. */
function everywhere(schema: JsonObject, path: string, check: Check): readonly FieldError[] {
  return [check(schema, path), ...below(schema, path).map(([child, at]) => everywhere(child, at, check))].flat();
}

function below(schema: JsonObject, path: string): readonly (readonly [JsonObject, string])[] {
  const properties = Object.entries(objectAt(schema, 'properties')).map(
    ([key, property]) => [property, `${path}.properties[${key}]`] as const,
  );
  const logic = ['allOf', 'anyOf', 'oneOf'].flatMap(key =>
    listAt(schema, key).map((one, index) => [one, `${path}.${key}[${index}]`] as const),
  );
  const single = ['items', 'additionalProperties', 'not'].map(key => [schema[key], `${path}.${key}`] as const);
  return [...properties, ...logic, ...single].flatMap(([child, at]) => (isObject(child) ? [[child, at] as const] : []));
}
