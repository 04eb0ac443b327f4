// Where a Pod that gates hold back may be sent instead: to fewer Nodes than before, never to others.

import type { JsonObject } from '../../parts.ts';
import { invalid } from '../../schema/field-errors.ts';
import { listAt, objectAt, objectsAt, sameJson } from '../json.ts';
import { NONE } from './fields.ts';
import type { Errors } from './texts.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PATH = `spec.affinity.nodeAffinity.${REQUIRED}.nodeSelectorTerms`;

export function directionErrors(spec: JsonObject, old: JsonObject): Errors {
  return [...labelErrors(spec, objectAt(old, 'nodeSelector')), ...termsErrors(spec, old)];
}

function labelErrors(spec: JsonObject, old: JsonObject): Errors {
  const labels = objectAt(spec, 'nodeSelector');
  const isNarrower = Object.keys(old).every(key => labels[key] === old[key]);
  const why = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
  return isNarrower ? NONE : [invalid('spec.nodeSelector', spec.nodeSelector ?? null, why)];
}

const termsOf = (spec: JsonObject): readonly JsonObject[] =>
  objectsAt(objectAt(objectAt(objectAt(spec, 'affinity'), 'nodeAffinity'), REQUIRED), 'nodeSelectorTerms');

function termsErrors(spec: JsonObject, old: JsonObject): Errors {
  const [terms, before] = [termsOf(spec), termsOf(old)];
  if (before.length === 0) return NONE;
  if (terms.length !== before.length) {
    const all = terms.length === 0 ? null : terms.map(shown);
    return [invalid(PATH, all, 'no additions/deletions to non-empty NodeSelectorTerms list are allowed')];
  }
  return terms.flatMap((term, index) => {
    const isNarrower = narrows(term, before[index] ?? {});
    const why = 'only additions are allowed (no mutations or deletions)';
    return isNarrower ? NONE : [invalid(`${PATH}[${index}]`, shown(term), why)];
  });
}

const PARTS = ['matchExpressions', 'matchFields'] as const;

/** A term that says nothing matches nothing: whatever it says instead widens it. */
function narrows(term: JsonObject, old: JsonObject): boolean {
  const wasEmpty = PARTS.every(part => listAt(old, part).length === 0);
  if (wasEmpty) return PARTS.every(part => listAt(term, part).length === 0);
  return PARTS.every(part => {
    const had = listAt(old, part);
    return sameJson(listAt(term, part).slice(0, had.length), had);
  });
}

/** As Kubernetes' own code has it. */
const shown = (term: JsonObject): JsonObject =>
  Object.fromEntries(
    PARTS.map(part => [
      part === 'matchFields' ? 'MatchFields' : 'MatchExpressions',
      term[part] === undefined
        ? null
        : objectsAt(term, part).map(({ key = '', operator = '', values = null }) => ({
            Key: key,
            Operator: operator,
            Values: values,
          })),
    ]),
  );
