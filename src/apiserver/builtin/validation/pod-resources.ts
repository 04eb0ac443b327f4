// Resources of a Pod as a whole: of the kinds that it can have, and enough for all of its containers.

import type { FieldError, JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported } from '../../schema/field-errors.ts';
import { objectAt, objectsAt, textAt } from '../json.ts';
import { podTotals, type TotalKind, totalText } from '../pod-totals.ts';
import { canonicalQuantity, nanoOf } from '../quantity.ts';
import { NONE, ofObject } from './fields.ts';
import type { PodView } from './pod-view.ts';
import { resourceErrors, resourceNameErrors } from './resources.ts';
import type { Errors } from './texts.ts';

const SHOWN = ['cpu', 'hugepages-', 'memory'];
const isOfPods = (name: string): boolean => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

function nameErrors(path: string, name: string): Errors {
  const errors = resourceNameErrors(path, name);
  return errors.length > 0 || isOfPods(name) ? errors : [notSupported(path, name, SHOWN)];
}

export const podResourceErrors = ofObject<PodView>((path, resources, pod) => {
  if (objectAt(pod.spec, 'os').name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  const why = 'claims may not be set for Resources at pod-level';
  return [
    ...(resources.claims === undefined ? NONE : [forbidden(`${path}.claims`, why)]),
    ...resourceErrors(path, resources, pod.claims, nameErrors),
    ...enoughErrors(`${path}.requests`, resources, pod.spec, 'requests'),
    ...enoughErrors(`${path}.limits`, resources, pod.spec, 'limits'),
    ...withinErrors(`${path}.containers`, objectAt(resources, 'limits'), pod.spec),
  ];
});

/** What all containers ask for; of limits only those that cannot be exceeded. */
function enoughErrors(path: string, resources: JsonObject, spec: JsonObject, kind: TotalKind): Errors {
  const whole = objectAt(resources, kind);
  const errors: FieldError[] = [];
  for (const [name, needed] of podTotals(spec, kind)) {
    const amount = textAt(whole, name);
    if (amount === '' || (kind === 'limits' && !name.startsWith('hugepages-'))) continue;
    if (needed <= (nanoOf(amount) ?? 0n)) continue;
    const shown = totalText(spec, { kind, name }, needed);
    const why = `must be greater than or equal to aggregate container ${kind} of ${shown}`;
    errors.push(invalid(`${path}[${name}]`, canonicalQuantity(amount) ?? amount, why));
  }
  return errors;
}

function withinErrors(path: string, limits: JsonObject, spec: JsonObject): Errors {
  return objectsAt(spec, 'containers').flatMap((container, index) =>
    Object.entries(objectAt(objectAt(container, 'resources'), 'limits')).flatMap(([name, own]) => {
      const [amount, limit] = [String(own), textAt(limits, name)];
      if (limit === '' || (nanoOf(amount) ?? 0n) <= (nanoOf(limit) ?? 0n)) return NONE;
      const why = `must be less than or equal to pod limits of ${canonicalQuantity(limit) ?? limit}`;
      return [invalid(`${path}[${index}][${name}].limits`, canonicalQuantity(amount) ?? amount, why)];
    }),
  );
}
