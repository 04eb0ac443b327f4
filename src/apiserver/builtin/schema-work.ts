// What happens to an object of a built-in kind before it is stored: read as Go reads it, defaulted, validated.

import { badRequest } from '../answer/status.ts';
import { apiVersionOf } from '../core.ts';
import type { JsonObject, Resource, SchemaWork } from '../parts.ts';
import { formatWarnings } from '../schema/crd/format-warnings.ts';
import { fillDefaults } from './defaults/defaults.ts';
import { typeNameOf } from './shapes.ts';
import { type Tidied, tidy } from './tidy.ts';
import { Malformed } from './trail.ts';
import { validateBuiltin } from './validation/validation.ts';
import { builtinWarnings } from './warnings.ts';

const DEFINITIONS = 'customresourcedefinitions.apiextensions.k8s.io';

export const builtinSchema: SchemaWork = {
  normalize: (resource, object) => {
    const { object: fresh, unknownFields } = readAs(resource, object);
    // Reading made every object anew: defaults are filled in in place.
    const draft = { ...fresh };
    fillDefaults(resource, draft);
    return { object: draft, unknownFields };
  },
  validate: validateBuiltin,
  warnings: (resource, object, old) =>
    resource.storageName === DEFINITIONS ? formatWarnings(object, old) : builtinWarnings(resource, object, old),
};

function readAs(resource: Resource, object: JsonObject): Tidied {
  const { kind, version } = resource;
  const typeName = typeNameOf(apiVersionOf(resource), kind);
  if (typeName === undefined) throw new Error(`no table row for ${kind} in ${apiVersionOf(resource)}`);
  try {
    return tidy(typeName, object);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
  }
}
