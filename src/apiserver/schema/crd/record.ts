// What a CRD may not lose or change once it is there: its identity, stored versions, its approval.

import type { FieldError, JsonObject } from '../../parts.ts';
import { APPROVAL_ANNOTATION, approvalOf, isProtectedGroup } from '../../rules/api-approval.ts';
import { isObject, listAt, objectAt, sameJson, stringAt, stringsAt } from '../../rules/json.ts';
import { invalid, required } from '../field-errors.ts';

/** The scope and the kind are free until the definition is established; its own name holds the others. */
export function immutableErrors(crd: JsonObject, old: JsonObject): readonly FieldError[] {
  const [spec, before] = [objectAt(crd, 'spec'), objectAt(old, 'spec')];
  const [names, namesBefore] = [objectAt(spec, 'names'), objectAt(before, 'names')];
  const fixed = (field: string, key: string, now: JsonObject, then: JsonObject): readonly FieldError[] =>
    sameJson(now[key], then[key]) ? [] : [invalid(field, now[key] ?? '', 'field is immutable')];
  const whenEstablished = [
    ...fixed('spec.scope', 'scope', spec, before),
    ...fixed('spec.names.kind', 'kind', names, namesBefore),
  ];
  return [
    ...(isEstablished(old) ? whenEstablished : []),
    ...fixed('spec.group', 'group', spec, before),
    ...fixed('spec.names.plural', 'plural', names, namesBefore),
  ];
}

const isEstablished = (crd: JsonObject): boolean =>
  listAt(objectAt(crd, 'status'), 'conditions').some(
    one => isObject(one) && one.type === 'Established' && one.status === 'True',
  );

/** A version in which objects may still be stored must stay. */
export function storedVersionErrors(crd: JsonObject): readonly FieldError[] {
  const field = 'status.storedVersions';
  const stored = stringsAt(objectAt(crd, 'status'), 'storedVersions');
  if (stored.length === 0) return [invalid(field, null, 'must have at least one stored version')];
  const versions = listAt(objectAt(crd, 'spec'), 'versions').filter(isObject);
  const names = versions.map(version => stringAt(version, 'name'));
  const unknown = versions
    .filter(version => version.storage === true && !stored.includes(stringAt(version, 'name')))
    .map(version => invalid(field, stored, `must have the storage version ${stringAt(version, 'name')}`));
  const gone = stored.flatMap((name, index) =>
    names.includes(name) ? [] : [invalid(`${field}[${index}]`, name, mustRemain(name))],
  );
  return [...unknown, ...gone];
}

const mustRemain = (name: string): string =>
  `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;

/** An approval that was missing when the definition was made may stay missing. */
export function approvalErrors(crd: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  if (!isProtectedGroup(stringAt(objectAt(crd, 'spec'), 'group'))) return [];
  const { state, why } = approvalOf(crd);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const field = `metadata.annotations[${APPROVAL_ANNOTATION}]`;
  const said = stringAt(objectAt(objectAt(crd, 'metadata'), 'annotations'), APPROVAL_ANNOTATION);
  if (state === 'missing') return [required(field, why)];
  return state === 'invalid' ? [invalid(field, said, why)] : [];
}

/** Of an older kind of definition. */
export function preservingErrors(crd: JsonObject, old: JsonObject | undefined): readonly FieldError[] {
  const keeps = (definition: JsonObject | undefined): boolean =>
    objectAt(definition, 'spec').preserveUnknownFields === true;
  if (!keeps(crd) || keeps(old)) return [];
  const why = 'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead';
  return [invalid('spec.preserveUnknownFields', true, why)];
}
