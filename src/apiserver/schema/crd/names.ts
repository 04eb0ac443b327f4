// The names in a CRD: group, plural, kind, short names.

import type { FieldError, Json, JsonObject } from '../../parts.ts';
import { listAt, objectAt, stringAt } from '../../rules/json.ts';
import { invalid, notSupported, required } from '../field-errors.ts';

const LABEL = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const LABEL_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LONGEST_LABEL = 63;
const SCOPES = ['Cluster', 'Namespaced'];

export function groupErrors(spec: JsonObject): readonly FieldError[] {
  const group = stringAt(spec, 'group');
  if (group === '') return [required('spec.group')];
  if (!SUBDOMAIN.test(group) || group.length > 253) return [invalid('spec.group', group, SUBDOMAIN_RULE)];
  return group.includes('.') ? [] : [invalid('spec.group', group, 'should be a domain with at least one dot')];
}

export function scopeErrors(spec: JsonObject): readonly FieldError[] {
  const scope = stringAt(spec, 'scope');
  if (scope === '') return [required('spec.scope')];
  return SCOPES.includes(scope) ? [] : [notSupported('spec.scope', scope, SCOPES)];
}

const NEEDED = ['plural', 'singular', 'kind', 'listKind'];

export function nameErrors(spec: JsonObject): readonly FieldError[] {
  const names = objectAt(spec, 'names');
  return [
    ...NEEDED.filter(name => stringAt(names, name) === '').map(name => required(`spec.names.${name}`)),
    ...labelErrors('spec.names.plural', stringAt(names, 'plural')),
    ...labelErrors('spec.names.singular', stringAt(names, 'singular')),
    ...kindErrors('spec.names.kind', stringAt(names, 'kind')),
    ...kindErrors('spec.names.listKind', stringAt(names, 'listKind')),
    ...eachLabel('spec.names.shortNames', listAt(names, 'shortNames')),
    ...sameKindErrors(names),
    ...eachLabel('spec.names.categories', listAt(names, 'categories')),
  ];
}

function labelErrors(field: string, name: string, prefix = ''): readonly FieldError[] {
  const lower = prefix === '' ? name : name.toLowerCase();
  if (name === '') return [];
  return [
    ...(lower.length > LONGEST_LABEL
      ? [invalid(field, name, `${prefix}must be no more than ${LONGEST_LABEL} bytes`)]
      : []),
    ...(LABEL.test(lower) ? [] : [invalid(field, name, `${prefix}${LABEL_RULE}`)]),
  ];
}

const kindErrors = (field: string, kind: string): readonly FieldError[] =>
  labelErrors(field, kind, 'may have mixed case, but should otherwise match: ');

const eachLabel = (field: string, values: readonly Json[]): readonly FieldError[] =>
  values.flatMap((value, index) => (typeof value === 'string' ? labelErrors(`${field}[${index}]`, value) : []));

/** Else nobody could tell a list from its only kind. */
function sameKindErrors(names: JsonObject): readonly FieldError[] {
  const kind = stringAt(names, 'kind');
  if (kind === '' || kind !== stringAt(names, 'listKind')) return [];
  return [invalid('spec.names.listKind', kind, 'kind and listKind may not be the same')];
}

export const versionNameErrors = (field: string, name: string): readonly FieldError[] =>
  name === '' ? [invalid(field, name, LABEL_RULE)] : labelErrors(field, name);
