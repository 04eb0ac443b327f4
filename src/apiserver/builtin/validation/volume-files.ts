// What volumes must be whose files the API makes: keys of Secrets and ConfigMaps, fields of the Pod, tokens.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { forbidden, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, objectsAt, textAt } from '../json.ts';
import { fieldReferenceErrors, fileResourceErrors } from './field-references.ts';
import { NONE } from './fields.ts';
import { descendingErrors, goesBack } from './paths.ts';
import type { Errors } from './texts.ts';

const MAX_MODE = 0o777;
const FIELDS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const LEAST_TOKEN_SECONDS = 600;
const MOST_TOKEN_SECONDS = 2 ** 32;

function modeErrors(path: string, mode: Json | undefined): Errors {
  if (typeof mode !== 'number' || (mode >= 0 && mode <= MAX_MODE)) return NONE;
  return [invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

/** Names that begin with two dots are the kubelet's own. */
function filePathErrors(path: string, value: string): Errors {
  const reserved = value.startsWith('..') && !value.startsWith('../') && !goesBack(value);
  return [...descendingErrors(path, value), ...(reserved ? [invalid(path, value, "must not start with '..'")] : NONE)];
}

function keyErrors(path: string, item: JsonObject): Errors {
  const [key, file] = [textAt(item, 'key'), textAt(item, 'path')];
  return [
    ...(key === '' ? [required(`${path}.key`)] : NONE),
    ...(file === '' ? [required(`${path}.path`)] : NONE),
    ...filePathErrors(`${path}.path`, file),
    ...modeErrors(`${path}.mode`, item.mode),
  ];
}

const keysOf =
  (nameKey: string) =>
  (path: string, source: JsonObject): Errors => [
    ...(textAt(source, nameKey) === '' ? [required(`${path}.${nameKey}`)] : NONE),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...objectsAt(source, 'items').flatMap((item, index) => keyErrors(`${path}.items[${index}]`, item)),
  ];

export const secretVolumeErrors = keysOf('secretName');
export const configMapVolumeErrors = keysOf('name');

function downwardFileErrors(path: string, file: JsonObject): Errors {
  const { fieldRef, resourceFieldRef } = file;
  const name = textAt(file, 'path');
  return [
    ...(name === '' ? [required(`${path}.path`)] : NONE),
    ...filePathErrors(`${path}.path`, name),
    ...aboutErrors(path, fieldRef, resourceFieldRef),
    ...modeErrors(`${path}.mode`, file.mode),
  ];
}

/** What a file is about: the one or the other. */
function aboutErrors(path: string, field: Json | undefined, resource: Json | undefined): Errors {
  const both = 'fieldRef and resourceFieldRef can not be specified simultaneously';
  if (isObject(field)) {
    const errors = fieldReferenceErrors(`${path}.fieldRef`, field, FIELDS);
    return isObject(resource) ? [...errors, invalid(path, 'resource', both)] : errors;
  }
  if (isObject(resource)) return fileResourceErrors(`${path}.resourceFieldRef`, resource);
  return [required(path, 'one of fieldRef and resourceFieldRef is required')];
}

/** The real server does not say which file. */
export const downwardVolumeErrors = (path: string, source: JsonObject): Errors => [
  ...modeErrors(`${path}.defaultMode`, source.defaultMode),
  ...objectsAt(source, 'items').flatMap(file => downwardFileErrors(path, file)),
];

/** Where files of several sources are laid side by side. */
interface Together {
  readonly path: string;
  readonly taken: Set<string>;
}

function clashErrors({ path, taken }: Together, file: string, shown: string): Errors {
  if (file === '') return NONE;
  if (taken.has(file)) return [invalid(path, shown, 'conflicting duplicate paths')];
  taken.add(file);
  return NONE;
}

type Projected = (path: string, source: JsonObject, together: Together) => Errors;

const projectedKeys: Projected = (path, source, together) => {
  const name = textAt(source, 'name');
  return [
    ...(name === '' ? [required(`${path}.name`)] : NONE),
    ...objectsAt(source, 'items').flatMap((item, index) => [
      ...keyErrors(`${path}.items[${index}]`, item),
      ...clashErrors(together, textAt(item, 'path'), name),
    ]),
  ];
};

const projectedFields: Projected = (path, source, together) =>
  objectsAt(source, 'items').flatMap(file => {
    const name = textAt(file, 'path');
    return [...downwardFileErrors(path, file), ...clashErrors(together, name, name)];
  });

const projectedToken: Projected = (path, source, together) => {
  const [at, seconds, file] = [
    `${path}.expirationSeconds`,
    countAt(source, 'expirationSeconds'),
    textAt(source, 'path'),
  ];
  const errors: FieldError[] = [];
  if (seconds < LEAST_TOKEN_SECONDS) {
    errors.push(invalid(at, seconds, 'may not specify a duration less than 10 minutes'));
  }
  if (seconds > MOST_TOKEN_SECONDS) {
    errors.push(invalid(at, seconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  // The real server points at the whole volume.
  const where = `${together.path}.path`;
  return [...errors, ...(file === '' ? [required(where)] : filePathErrors(where, file))];
};

const PROJECTED: readonly (readonly [key: string, check: Projected])[] = [
  ['secret', projectedKeys],
  ['configMap', projectedKeys],
  ['downwardAPI', projectedFields],
  ['serviceAccountToken', projectedToken],
];

export function projectedVolumeErrors(path: string, volume: JsonObject): Errors {
  const together = { path, taken: new Set<string>() };
  return [
    ...modeErrors(`${path}.defaultMode`, volume.defaultMode),
    ...objectsAt(volume, 'sources').flatMap((source, index) => {
      const at = `${path}.sources[${index}]`;
      const given = PROJECTED.filter(([key]) => isObject(source[key]));
      const many = 'may not specify more than 1 volume type per source';
      return [
        ...given.flatMap(([key, check]) => {
          const inner = source[key];
          return isObject(inner) ? check(`${at}.${key}`, inner, together) : NONE;
        }),
        ...(given.length > 1 ? [forbidden(at, many)] : NONE),
      ];
    }),
  ];
}
