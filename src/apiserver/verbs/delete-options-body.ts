// The body of a delete: DeleteOptions of any version, whose fields have their types.

import { badRequest, type Refusal } from '../answer/status.ts';
import type { Call } from '../core.ts';
import type { Json, JsonObject } from '../parts.ts';
import { readBody } from '../request/body.ts';
import { isObject, jsonTypeName, stringAt } from '../rules/json.ts';
import { notRegistered } from './body-kind.ts';

/** What the body says, refused when it cannot be DeleteOptions. */
export function optionsInBody({ request, core }: Call): JsonObject {
  const { value } = readBody(request, { protobuf: core.parts.protobuf, problem: unreadable });
  if (value === null) return {};
  if (!isObject(value)) throw cannot(value, `value of type ${ANY_KIND}`);
  checkKind(value);
  checkTypes(value, 'DeleteOptions', TYPES);
  if (isObject(value.preconditions)) checkTypes(value.preconditions, 'Preconditions.preconditions', PRECONDITIONS);
  return value;
}

const unreadable = (why: string): Refusal => badRequest(`couldn't get version/kind; json parse error: ${why}`);

const ANY_KIND =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const cannot = (found: Json | undefined, into: string): Refusal =>
  unreadable(`json: cannot unmarshal ${jsonTypeName(found)} into Go ${into}`);

function checkKind(raw: JsonObject): void {
  const odd = ['kind', 'apiVersion'].find(key => typeof (raw[key] ?? '') !== 'string');
  if (odd !== undefined) throw cannot(raw[odd], `struct field .${odd} of type string`);
  const kind = stringAt(raw, 'kind');
  if (kind !== '' && kind !== 'DeleteOptions') throw badRequest(notRegistered(stringAt(raw, 'apiVersion'), kind));
}

interface Type {
  readonly go: string;
  readonly fits: (value: Json) => boolean;
}

const isString = (value: Json): boolean => typeof value === 'string';

const TYPES: Readonly<Record<string, Type>> = {
  gracePeriodSeconds: { go: 'int64', fits: value => Number.isInteger(value) },
  orphanDependents: { go: 'bool', fits: value => typeof value === 'boolean' },
  propagationPolicy: { go: 'v1.DeletionPropagation', fits: isString },
  dryRun: { go: '[]string', fits: value => Array.isArray(value) },
  preconditions: { go: 'v1.Preconditions', fits: isObject },
};

const PRECONDITIONS: Readonly<Record<string, Type>> = {
  uid: { go: 'types.UID', fits: isString },
  resourceVersion: { go: 'string', fits: isString },
};

function checkTypes(raw: JsonObject, path: string, types: Readonly<Record<string, Type>>): void {
  for (const [key, { go, fits }] of Object.entries(types)) {
    const value = raw[key] ?? null;
    if (value === null || fits(value)) continue;
    throw ofWrongType(value, `${path}.${key}`, go);
  }
  const words = Array.isArray(raw.dryRun) ? raw.dryRun : [];
  const odd = words.find(word => !isString(word));
  if (odd !== undefined) throw ofWrongType(odd, `${path}.dryRun`, 'string');
}

function ofWrongType(value: Json, path: string, go: string): Refusal {
  // Of a number Go says which one, where it wants another number.
  const found = typeof value === 'number' && go === 'int64' ? `number ${value}` : jsonTypeName(value);
  return badRequest(`json: cannot unmarshal ${found} into Go struct field ${path} of type ${go}`);
}
