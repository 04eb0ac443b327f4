// How evenly Pods are spread: over what, how far apart, and which Nodes count.

import type { JsonObject } from '../../parts.ts';
import { duplicate, invalid, required } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, numberAt, objectsAt, textAt } from '../json.ts';
import { type Check, type Checks, fieldErrors, NONE, supportedErrors, within } from './fields.ts';
import { labelKeyErrors } from './label-keys.ts';
import { selectorErrors } from './match-rules.ts';
import type { PodView } from './pod-view.ts';
import type { Errors } from './texts.ts';

const NODES: Checks<unknown> = [
  ['nodeAffinityPolicy', within('Honor', 'Ignore')],
  ['nodeTaintsPolicy', within('Honor', 'Ignore')],
];

const same = (one: JsonObject, other: JsonObject): boolean =>
  one.topologyKey === other.topologyKey && one.whenUnsatisfiable === other.whenUnsatisfiable;

export const spreadErrors: Check<PodView> = (path, _, { spec }) => {
  const constraints = objectsAt(spec, 'topologySpreadConstraints');
  return constraints.flatMap((constraint, index) => {
    const at = `${path}[${index}]`;
    const isTwice = constraints.slice(index + 1).some(later => same(constraint, later));
    const shown = `{${textAt(constraint, 'topologyKey')}, ${textAt(constraint, 'whenUnsatisfiable')}}`;
    return [
      ...placeErrors(at, constraint),
      ...(isTwice ? [duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, shown)] : NONE),
      ...domainErrors(`${at}.minDomains`, constraint),
      ...fieldErrors(NODES, at, constraint, undefined),
      ...labelKeyErrors(at, constraint),
      ...(isObject(constraint.labelSelector) ? selectorErrors(`${at}.labelSelector`, constraint.labelSelector) : NONE),
    ];
  });
};

function placeErrors(path: string, constraint: JsonObject): Errors {
  const [skew, topology] = [countAt(constraint, 'maxSkew'), textAt(constraint, 'topologyKey')];
  const action = textAt(constraint, 'whenUnsatisfiable');
  return [
    ...(skew > 0 ? NONE : [invalid(`${path}.maxSkew`, skew, 'must be greater than zero')]),
    ...(topology === '' ? [required(`${path}.topologyKey`, 'can not be empty')] : NONE),
    ...supportedErrors(`${path}.whenUnsatisfiable`, action, ['DoNotSchedule', 'ScheduleAnyway']),
  ];
}

/** A wish can be granted by none. */
function domainErrors(path: string, constraint: JsonObject): Errors {
  const [domains, action] = [numberAt(constraint, 'minDomains'), textAt(constraint, 'whenUnsatisfiable')];
  if (domains === undefined) return NONE;
  const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [
    ...(domains > 0 ? NONE : [invalid(path, domains, 'must be greater than zero')]),
    ...(action === 'DoNotSchedule' ? NONE : [invalid(path, domains, why)]),
  ];
}
