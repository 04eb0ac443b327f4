// What happens to an object of a built-in kind before it is stored: read as Go reads it, defaulted, validated.

import { apiVersionOf } from '../core.ts';
import type { SchemaWork } from '../parts.ts';
import { typeNameOf } from './shapes.ts';
import { tidy } from './tidy.ts';
import { Malformed } from './trail.ts';

export const builtinSchema: SchemaWork = {
  normalize: (resource, object) => {
    const typeName = typeNameOf(apiVersionOf(resource), resource.kind);
    if (typeName === undefined) throw new Error(`no table row for ${resource.kind} in ${apiVersionOf(resource)}`);
    try {
      return tidy(typeName, object);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      const { kind, version } = resource;
      throw new Malformed(`${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`);
    }
  },
  validate: () => [],
};
