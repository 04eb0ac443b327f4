// Namespaces: they end in two steps, held by `spec.finalizers` until somebody has emptied them.

import { forbidden } from '../answer/status.ts';
import { subjectOf } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt, stringsAt, withMeta } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export const namespaces: Strategy = {
  decode: labelled,
  prepareCreate: object => {
    const finalizers = stringsAt(objectAt(object, 'spec'), 'finalizers');
    const spec = { finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] };
    return { ...object, spec, status: { phase: 'Active' } };
  },
  prepareUpdate: (object, old) => ({ ...object, spec: objectAt(old, 'spec') }),
  isHeld: object => stringsAt(objectAt(object, 'spec'), 'finalizers').length > 0,
  markDeleting: object =>
    withMeta(
      { ...object, status: { ...objectAt(object, 'status'), phase: 'Terminating' } },
      { deletionGracePeriodSeconds: undefined },
    ),
  refuseDelete: call => {
    if (IMMORTAL.has(call.path.name)) throw forbidden(subjectOf(call), 'this namespace may not be deleted');
  },
};

/** Every Namespace bears its name as a label, so that selectors can name it. */
function labelled(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const name = stringAt(metadata, 'name');
  return withMeta(object, { labels: { ...objectAt(metadata, 'labels'), [NAME_LABEL]: name } });
}
