// Schema work for custom resources: what the request handler asks of a CRD's schema.

import type { FieldError, JsonObject, Resource, SchemaWork } from '../parts.ts';
import { embeddedErrors } from './embedded.ts';
import { listTypeErrors } from './list-types.ts';
import { normalize } from './normalize.ts';
import { structuralOf } from './structural.ts';
import { schemaErrors } from './validate.ts';

/** Defaulting, pruning and validation. */
export const customSchemaWork: SchemaWork = {
  normalize: (resource, object) => normalize(structuralOf(resource.schema), object),
  validate: (resource, object, old) => validate(resource, object, old),
};

function validate(resource: Resource, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const schema = structuralOf(resource.schema);
  return [
    ...schemaErrors({ schema, value: object, old, path: '' }),
    ...embeddedErrors(schema, object, ''),
    ...listTypeErrors(schema, object, ''),
  ];
}
