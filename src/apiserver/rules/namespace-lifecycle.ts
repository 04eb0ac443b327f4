// New objects need a namespace that is there and not going away.

import { forbidden, notFound } from '../answer/status.ts';
import { type Call, subjectOf } from '../core.ts';
import { objectAt, stringAt } from './json.ts';

/** Refuses a create in a namespace that does not exist or is terminating. */
export function checkNamespaceTakes(call: Call, name: string): void {
  const { namespace } = call.path;
  if (!call.resource.namespaced || call.core.parts.serverPluginsOff?.includes('NamespaceLifecycle')) return;
  const row = call.core.store.get({ storage: 'namespaces', namespace: '', name: namespace });
  if (row === undefined) throw notFound({ group: '', resource: 'namespaces', name: namespace });

  const terminating =
    objectAt(row.object, 'metadata').deletionTimestamp !== undefined ||
    stringAt(objectAt(row.object, 'status'), 'phase') === 'Terminating';
  if (!terminating) return;
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  throw forbidden(subjectOf(call, name), why, [
    {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    },
  ]);
}
