// For every field of a kind's version: objects with that field at its bounds and all else as small as it may be.

import { admissible } from './admissible.ts';
import { allFields, type Field, fieldTree, groupOf } from './tree.ts';
import { fullest, type Made, samplesOf, smallest } from './values.ts';

export interface MadeObject extends Made {
  readonly metadata: { readonly name: string; readonly namespace: string };
}

export interface Case {
  /** `spec.pools[].prefix: too big`. */
  readonly name: string;
  readonly kind: string;
  readonly version: string;
  /** The table's path; empty for the whole object. */
  readonly path: string;
  /** As the schema alone wants it. */
  readonly bare: Made;
  /** With what admission wants besides. */
  readonly object: MadeObject;
  readonly fits: boolean;
}

/** The cases of one version: the smallest object, the fullest, and one for each bound of each field. */
export function casesOf(release: string, kind: string, version: string): readonly Case[] {
  const root = fieldTree(release, kind, version);
  const whole = (name: string, value: unknown): Case => caseOf({ kind, version, path: '', name, fits: true }, value);
  const each = allFields(root).flatMap(field => fieldCases(root, field, { kind, version }));
  return [whole('the smallest', smallest(root)), whole('the fullest', fullest(root)), ...each];
}

type Which = Omit<Case, 'object' | 'bare'>;

function caseOf(which: Which, value: unknown): Case {
  const { kind, version } = which;
  const body = asMade(value);
  const bare = {
    apiVersion: `${groupOf(kind)}/${version}`,
    kind,
    metadata: { name: 'a', namespace: 'default' },
    ...body,
  };
  return { ...which, bare, object: admissible(which, bare) };
}

function fieldCases(root: Field, field: Field, of: Pick<Case, 'kind' | 'version'>): readonly Case[] {
  const { path } = field.row;
  const { fit, unfit } = samplesOf(field);
  const made = (fits: boolean) => (sample: { readonly what: string; readonly value: unknown }) =>
    caseOf({ ...of, path, name: `${path}: ${sample.what}`, fits }, holding(root, path, sample.value));
  return [...fit.map(made(true)), ...unfit.map(made(false))];
}

/** The smallest value of `field` in which what is at `path` is `value`. */
function holding(field: Field, path: string, value: unknown): unknown {
  const { row, inner, members } = field;
  if (row.path === path) return value;
  if (inner !== undefined) {
    const held = holding(inner, path, value);
    return row.type === 'array' ? [held] : { one: held };
  }
  const base = asMade(smallest(field));
  const on = members.find(each => isOnTheWay(each.row.path, path));
  return on === undefined ? base : { ...base, [on.name]: holding(on, path, value) };
}

const isOnTheWay = (part: string, path: string): boolean =>
  path === part || ['.', '[', '{'].some(next => path.startsWith(`${part}${next}`));

const asMade = (value: unknown): Made => ({ ...(typeof value === 'object' && value !== null ? value : {}) });
