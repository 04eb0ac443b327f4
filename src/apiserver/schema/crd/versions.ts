// The versions of a CRD, apart from their schemas: names, deprecation, and which one is stored.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { stringAt } from '../../rules/json.ts';
import { invalid } from '../field-errors.ts';
import { versionNameErrors } from './names.ts';

const LONGEST_WARNING = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Of one version. */
export function ownVersionErrors(version: JsonObject, path: string): readonly FieldError[] {
  return [...versionNameErrors(`${path}.name`, stringAt(version, 'name')), ...warningErrors(version, path)];
}

function warningErrors({ deprecated, deprecationWarning }: JsonObject, path: string): readonly FieldError[] {
  if (typeof deprecationWarning !== 'string') return [];
  const problems =
    deprecated === true ? warningProblems(deprecationWarning) : ['can only be set for deprecated versions'];
  return problems.map(why => invalid(`${path}.deprecationWarning`, deprecationWarning, why));
}

function warningProblems(text: string): readonly string[] {
  const unprintable = UNPRINTABLE.exec(text);
  const at = unprintable === null ? 0 : Buffer.byteLength(text.slice(0, unprintable.index));
  const rule = 'must only contain printable UTF-8 characters';
  return [
    ...(Buffer.byteLength(text) > LONGEST_WARNING ? [`must be <= ${LONGEST_WARNING} characters long`] : []),
    ...(text === '' ? ['must not be an empty string'] : []),
    ...(unprintable === null ? [] : [`${rule}; non-printable character found at index ${at}`]),
  ];
}

/** Of all together. */
export function commonVersionErrors(versions: readonly JsonObject[]): readonly FieldError[] {
  const names = versions.map(version => stringAt(version, 'name'));
  const about = (why: string): FieldError => invalid('spec.versions', versions.map(inGo), why);
  const stored = versions.filter(version => version.storage === true);
  return [
    ...(new Set(names).size === names.length ? [] : [about('must contain unique version names')]),
    ...(stored.length === 1 ? [] : [about('must have exactly one version marked as storage version')]),
    // The first version is also what a field of older definitions held.
    ...(names[0] ? versionNameErrors('spec.version', names[0]) : []),
  ];
}

/** As kube-apiserver shows a version: its own struct. What all versions have alike stands elsewhere there. */
const inGo = ({ name, served, storage, deprecated, deprecationWarning }: JsonObject): Json => ({
  Name: name ?? '',
  Served: served === true,
  Storage: storage === true,
  Deprecated: deprecated === true,
  DeprecationWarning: deprecationWarning ?? null,
  Schema: null,
  Subresources: null,
  AdditionalPrinterColumns: null,
  SelectableFields: null,
});
