// Schema work for custom resources: what the request handler asks of a CRD's schema.

import { badRequest } from '../answer/status.ts';
import type { FieldError, JsonObject, Resource, SchemaWork } from '../parts.ts';
import { isObject } from '../rules/json.ts';
import { ruleErrors } from './cel/rule-errors.ts';
import { embeddedErrors } from './embedded.ts';
import { invalid } from './field-errors.ts';
import { listTypeErrors } from './list-types.ts';
import { MetadataMisfit, normalize } from './normalize.ts';
import { metadataProblem } from './object-meta.ts';
import { scaleErrors } from './scale-errors.ts';
import { type Structural, structuralOf } from './structural.ts';
import { schemaErrors } from './validate.ts';

/** Defaulting, pruning, validation and the rules of `x-kubernetes-validations`. */
export const customSchemaWork: SchemaWork = {
  normalize: (resource, object) => {
    const { metadata } = object;
    const problem = isObject(metadata) ? metadataProblem(metadata) : undefined;
    if (problem !== undefined) throw badRequest(`${handledAs(resource)}: ${problem}`);
    try {
      return normalize(structuralOf(resource.schema), object);
    } catch (error) {
      throw error instanceof MetadataMisfit ? badRequest(`${handledAs(resource)}: ${error.message}`) : error;
    }
  },
  validate: (resource, object, old) => validate(resource, object, old),
};

const handledAs = ({ kind, version }: Resource): string =>
  `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}`;

function validate(resource: Resource, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const schema = structuralOf(resource.schema);
  const errors = [
    ...schemaErrors({ schema, value: object, old, path: '' }),
    ...embeddedErrors(schema, object, ''),
    ...listTypeErrors(schema, object, ''),
    ...scaleErrors(resource, object),
  ];
  if (!schema.hasRules) return errors;
  return errors.some(isBlocking) ? [...errors, RULES_NOT_CHECKED] : [...errors, ...rulesOn(schema, object, old)];
}

const rulesOn = (schema: Structural, object: JsonObject, old: JsonObject | undefined): readonly FieldError[] =>
  ruleErrors({ schema, value: object, old, path: '' });

/** With such errors a rule may meet a value that its types rule out. */
const BLOCKING: ReadonlySet<FieldError['type']> = new Set([
  'NotSupported',
  'Required',
  'TooLong',
  'TooMany',
  'TypeInvalid',
]);

const isBlocking = ({ type }: FieldError): boolean => BLOCKING.has(type);

const RULES_NOT_CHECKED = invalid(
  '',
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);
