// Which of a definition's names are accepted: those that no other definition of its group has.

import type { Json, JsonObject } from '../parts.ts';
import { approvalOf, isProtectedGroup } from '../rules/api-approval.ts';
import { isObject, listAt, objectAt, stringAt, stringsAt, without } from '../rules/json.ts';

export interface NamesContext {
  /** All stored definitions. */
  readonly definitions: readonly JsonObject[];
  /** Kubernetes Time. */
  readonly time: string;
}

/** The status with the names that are accepted and the conditions that follow; names once accepted stay so. */
export function withAcceptedNames(definition: JsonObject, before: JsonObject, context: NamesContext): JsonObject {
  const { accepted, conflict } = acceptance(definition, before, context.definitions);
  const wanted =
    conflict === undefined
      ? [
          condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found'),
          condition('Established', 'True', 'InitialNamesAccepted', 'the initial names have been accepted'),
        ]
      : [
          condition('NamesAccepted', 'False', conflict.reason, conflict.message),
          condition('Established', 'False', 'NotAccepted', 'not all names are accepted'),
        ];
  const isServed = hasCondition(before, 'Established');
  const changed = isServed ? wanted.filter(({ type }) => type !== 'Established') : wanted;
  return {
    ...before,
    conditions: merged(listAt(before, 'conditions'), changed, context.time),
    acceptedNames: accepted,
  };
}

const APPROVALS = {
  missing: { status: 'False', reason: 'MissingAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
  unapproved: { status: 'False', reason: 'UnapprovedAnnotation' },
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
} as const;

/** The status with what a definition in a group of Kubernetes itself says of its approval. */
export function withApproval(definition: JsonObject, status: JsonObject, time: string): JsonObject {
  if (!isProtectedGroup(stringAt(objectAt(definition, 'spec'), 'group'))) return status;
  const { state, why } = approvalOf(definition);
  const said = APPROVALS[state];
  const conformant = condition('KubernetesAPIApprovalPolicyConformant', said.status, said.reason, why);
  return { ...status, conditions: merged(listAt(status, 'conditions'), [conformant], time) };
}

/** Whether the definition waits for a name that another one has. */
export const awaitsNames = (definition: JsonObject): boolean =>
  listAt(objectAt(definition, 'status'), 'conditions').some(
    one => isObject(one) && one.type === 'NamesAccepted' && one.status === 'False',
  );

export const hasCondition = (status: JsonObject, type: string): boolean =>
  listAt(status, 'conditions').some(one => isObject(one) && one.type === type && one.status === 'True');

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

interface Acceptance {
  readonly accepted: JsonObject;
  readonly conflict: Conflict | undefined;
}

function acceptance(definition: JsonObject, before: JsonObject, definitions: readonly JsonObject[]): Acceptance {
  const names = objectAt(objectAt(definition, 'spec'), 'names');
  const old = objectAt(before, 'acceptedNames');
  const taken = takenBy(others(definition, definitions));
  const accepted: Record<string, Json> = { ...old };
  let conflict: Conflict | undefined;
  const claim = (field: string, values: readonly string[], among: ReadonlySet<string>, reason: string): void => {
    const mine = new Set(field === 'shortNames' ? stringsAt(old, field) : [stringAt(old, field)]);
    const lost = values.filter(value => among.has(value) && !mine.has(value));
    if (lost.length > 0) conflict = { reason, message: inUse(lost) };
    else if (names[field] !== undefined) accepted[field] = names[field];
  };
  claim('plural', [stringAt(names, 'plural')], taken.resources, 'PluralConflict');
  claim('singular', [stringAt(names, 'singular')], taken.resources, 'SingularConflict');
  claim('shortNames', stringsAt(names, 'shortNames'), taken.resources, 'ShortNamesConflict');
  claim('kind', [stringAt(names, 'kind')], taken.kinds, 'KindConflict');
  claim('listKind', [stringAt(names, 'listKind')], taken.kinds, 'ListKindConflict');
  const categories = stringsAt(names, 'categories');
  const kept = without({ plural: '', kind: '', ...accepted }, 'categories');
  return { accepted: categories.length === 0 ? kept : { ...kept, categories }, conflict };
}

const inUse = (names: readonly string[]): string => {
  const said = names.map(name => `${JSON.stringify(name)} is already in use`);
  return said.length === 1 ? (said[0] ?? '') : `[${said.join(', ')}]`;
};

function others(definition: JsonObject, definitions: readonly JsonObject[]): readonly JsonObject[] {
  const { group } = objectAt(definition, 'spec');
  const own = objectAt(definition, 'metadata').name;
  return definitions.filter(
    other => objectAt(other, 'spec').group === group && objectAt(other, 'metadata').name !== own,
  );
}

function takenBy(definitions: readonly JsonObject[]): { resources: ReadonlySet<string>; kinds: ReadonlySet<string> } {
  const all = definitions.map(other => objectAt(objectAt(other, 'status'), 'acceptedNames'));
  const resources = all.flatMap(names => [
    stringAt(names, 'plural'),
    stringAt(names, 'singular'),
    ...stringsAt(names, 'shortNames'),
  ]);
  const kinds = all.flatMap(names => [stringAt(names, 'kind'), stringAt(names, 'listKind')]);
  const said = (list: readonly string[]): ReadonlySet<string> => new Set(list.filter(name => name !== ''));
  return { resources: said(resources), kinds: said(kinds) };
}

export function condition(type: string, status: 'True' | 'False', reason: string, message: string): JsonObject {
  return { type, status, reason, message };
}

/** The conditions with the wanted ones in their places; a status that stays keeps its time. */
export function merged(before: readonly Json[], wanted: readonly JsonObject[], time: string): readonly Json[] {
  const kept = before.map(old => {
    const now = isObject(old) ? wanted.find(({ type }) => type === old.type) : undefined;
    return now === undefined || !isObject(old) ? old : timed(now, old.status === now.status ? old : undefined, time);
  });
  const known = new Set(before.map(old => (isObject(old) ? old.type : undefined)));
  return [...kept, ...wanted.filter(({ type }) => !known.has(type)).map(now => timed(now, undefined, time))];
}

function timed({ type, status, reason, message }: JsonObject, old: JsonObject | undefined, time: string): JsonObject {
  return { lastTransitionTime: old?.lastTransitionTime ?? time, message, reason, status, type } as JsonObject;
}
