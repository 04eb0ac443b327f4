// Namespaces: they end in two steps, held by `spec.finalizers` until somebody has emptied them.

import { conflict, forbidden } from '../answer/status.ts';
import { subjectOf } from '../core.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import { labelKeyProblems } from '../request/label-rules.ts';
import { objectAt, stringAt, stringsAt, withMeta } from '../rules/json.ts';
import { invalidValue } from '../rules/metadata.ts';
import type { Strategy } from './strategy.ts';

const NAME_LABEL = 'kubernetes.io/metadata.name';
const IMMORTAL: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

export const namespaces: Strategy = {
  decode: labelled,
  prepareCreate: object => {
    const finalizers = stringsAt(objectAt(object, 'spec'), 'finalizers');
    const spec = { finalizers: finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'] };
    return labelled({ ...object, spec, status: { phase: 'Active' } });
  },
  prepareUpdate: (object, old) => ({ ...object, spec: objectAt(old, 'spec') }),
  validate: object => [...specErrors(object), ...phaseErrors(object)],
  // The first delete only marks, so that there is time to empty it also where nothing in its spec holds it.
  isHeld: (object, before = object) =>
    !isMarked(before) || stringsAt(objectAt(object, 'spec'), 'finalizers').length > 0,
  markDeleting: object =>
    withMeta(
      { ...object, status: { ...objectAt(object, 'status'), phase: 'Terminating' } },
      { deletionGracePeriodSeconds: undefined },
    ),
  refuseDelete: (call, object, { uid, resourceVersion }) => {
    const isKept = call.core.parts.serverPluginsOff?.includes('NamespaceLifecycle') !== true;
    if (isKept && IMMORTAL.has(call.path.name)) throw forbidden(subjectOf(call), 'this namespace may not be deleted');
    const recorded = objectAt(object, 'metadata');
    const differs = (what: string, asked: string | undefined, is: string): void => {
      if (asked === undefined || asked === is) return;
      const why = `Precondition failed: ${what} in precondition: ${asked}, ${what} in object meta: ${is}`;
      throw conflict(subjectOf(call), why);
    };
    differs('UID', uid, stringAt(recorded, 'uid'));
    differs('ResourceVersion', resourceVersion, stringAt(recorded, 'resourceVersion'));
  },
};

const isMarked = (object: JsonObject): boolean => objectAt(object, 'metadata').deletionTimestamp !== undefined;

/** Who may hold a Namespace: Kubernetes itself, and whose name says whose it is. */
function specErrors(object: JsonObject): readonly FieldError[] {
  const field = 'spec.finalizers';
  return stringsAt(objectAt(object, 'spec'), 'finalizers').flatMap(name => {
    const errors = labelKeyProblems(name).map(why => invalidValue(field, name, why));
    if (name.includes('/') || name === 'kubernetes') return errors;
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [...errors, invalidValue(field, name, why)];
  });
}

/** Active until it is deleted, Terminating from then on. */
function phaseErrors(object: JsonObject): readonly FieldError[] {
  const phase = stringAt(objectAt(object, 'status'), 'phase');
  const isDeleting = isMarked(object);
  const only = isDeleting ? 'Terminating' : 'Active';
  if (phase === only) return [];
  const when = `\`deletionTimestamp\` is ${isDeleting ? 'not empty' : 'empty'}`;
  return [invalidValue('status.Phase', phase, `may only be '${only}' if ${when}`)];
}

/** Every Namespace bears its name as a label, so that selectors can name it. */
function labelled(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const name = stringAt(metadata, 'name');
  if (name === '') return object;
  return withMeta(object, { labels: { ...objectAt(metadata, 'labels'), [NAME_LABEL]: name } });
}
