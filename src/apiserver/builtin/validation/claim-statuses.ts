// What the status of a Pod says of its claims of devices: of each once, and of what containers ask for without saying so.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { duplicate, invalid, required } from '../../schema/field-errors.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { type Errors, labelErrors, subdomainErrors } from './texts.ts';

interface Of {
  readonly spec: JsonObject;
}

export function claimsErrors(path: string, value: Json, { spec }: Of): Errors {
  const known = new Set(objectsAt(spec, 'resourceClaims').map(each => textAt(each, 'name')));
  const seen = new Set<string>();
  return objectsAt({ value }, 'value').flatMap((claim, index) => {
    const [name, made] = [textAt(claim, 'name'), textAt(claim, 'resourceClaimName')];
    const at = `${path}[${index}]`;
    const isTwice = seen.has(name);
    seen.add(name);
    const why = 'must match the name of an entry in `spec.resourceClaims`';
    return [
      ...(known.has(name) ? NONE : [invalid(`${at}.name`, name, why)]),
      ...(isTwice ? [duplicate(`${at}.name`, name)] : NONE),
      ...(made === '' ? NONE : subdomainErrors(`${at}.resourceClaimName`, made)),
    ];
  });
}

export function extendedErrors(path: string, extended: JsonObject, { spec }: Of): Errors {
  const mappings = objectsAt(extended, 'requestMappings');
  const none = required(`${path}.requestMappings`, 'at least one request mapping is required');
  const name = textAt(extended, 'resourceClaimName');
  return [
    ...(mappings.length === 0 ? [none] : mappingErrors(path, mappings, spec)),
    ...(name === '' ? [required(`${path}.resourceClaimName`)] : subdomainErrors(`${path}.resourceClaimName`, name)),
  ];
}

const STRANGER = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
const UNASKED =
  'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests';

function mappingErrors(path: string, mappings: readonly JsonObject[], spec: JsonObject): Errors {
  const containers = ['initContainers', 'containers'].flatMap(list => objectsAt(spec, list));
  const seen = new Set<string>();
  return mappings.flatMap((mapping, index) => {
    const at = `${path}.requestMappings[${index}]`;
    const of = (key: string): string => textAt(mapping, key);
    const identity = JSON.stringify(KEYS.map(of));
    const isTwice = seen.has(identity);
    seen.add(identity);
    const errors: FieldError[] = [
      ...askingErrors(at, mapping, containers),
      // The real server names the field beside the list.
      ...labelErrors(`${path}.requestName`, of('requestName')),
    ];
    return isTwice ? [...errors, ...KEYS.map(key => duplicate(`${at}.${key}`, of(key)))] : errors;
  });
}

function askingErrors(path: string, mapping: JsonObject, containers: readonly JsonObject[]): Errors {
  const [name, resource] = [textAt(mapping, 'containerName'), textAt(mapping, 'resourceName')];
  const found = containers.find(each => textAt(each, 'name') === name);
  if (found === undefined) return [invalid(`${path}.containerName`, name, STRANGER)];
  const isAsked = objectAt(objectAt(found, 'resources'), 'requests')[resource] !== undefined;
  return isAsked ? NONE : [invalid(`${path}.resourceName`, resource, UNASKED)];
}

const KEYS = ['containerName', 'resourceName', 'requestName'] as const;
