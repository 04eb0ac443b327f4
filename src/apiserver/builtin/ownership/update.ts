// What a change makes of everybody's ownership: who changes a field takes it, what is removed is nobody's.

import type { FieldOwnership, Json, JsonObject, Resource } from '../../parts.ts';
import { objectAt } from '../json.ts';
import { cappedManagers } from './cap.ts';
import { compare, type Difference } from './compare.ts';
import { emptyObject, ownable, withoutRecord } from './endpoint.ts';
import { difference, type FieldSet, intersection, isEmpty, union } from './field-set.ts';
import { firstFields } from './first-write.ts';
import {
  apiVersionOf,
  byIdentity,
  groupOf,
  identityOf,
  isReset,
  type Manager,
  type Managers,
  managersOf,
  withFirst,
  withManagers,
} from './record.ts';
import { rootSchema } from './root-schema.ts';

/** Every write but an apply. */
export const track: FieldOwnership['track'] = write => (isFirst(write) ? trackFirst(write) : trackChange(write));

type Write = Parameters<FieldOwnership['track']>[0];

/** A create whose client says nothing of owners. */
const isFirst = ({ before, after, subresource }: Write): boolean =>
  before === undefined && subresource === '' && objectAt(after, 'metadata').managedFields === undefined;

function trackFirst({ resource, after, manager: name, subresource, time }: Write): JsonObject {
  const fields = firstFields(resource, after);
  if (fields === undefined) return withManagers(after, new Map());
  return withFirst(after, { name, operation: 'Update', apiVersion: apiVersionOf(resource), subresource, time }, fields);
}

function trackChange({ resource, before, after, manager, subresource, time }: Write): JsonObject {
  const managers = ofGroup(recorded(before, after, subresource), resource);
  const change = ownableChange(
    compare(rootSchema(resource), withoutRecord(before ?? emptyObject(resource)), withoutRecord(after)),
    fields => ownable(resource, subresource, fields),
  );
  if (isNoChange(change)) return withManagers(after, managers);

  const apiVersion = apiVersionOf(resource);
  const written = union(change.added, change.modified);
  const own: Manager = { name: manager, operation: 'Update', apiVersion, subresource, time, fields: written };
  const previous = managers.get(identityOf(own));
  const rest = afterChange(managers, change);
  const mine = previous === undefined ? written : union(written, difference(previous.fields, change.removed));
  const isWriter = !isEmpty(written);
  const all = isWriter ? byIdentity([...rest.values(), { ...own, fields: mine }]) : rest;
  return withManagers(after, cappedManagers(all));
}

/** The record that the client sent counts, if it is one; a client that knows nothing of records loses none. */
function recorded(before: JsonObject | undefined, after: JsonObject, subresource: string): Managers {
  const stored = before === undefined ? new Map() : managersOf(before);
  if (subresource !== '') return stored;
  // Most clients send back what they have read, and a patch says nothing of it.
  if (before !== undefined && recordIn(before) === recordIn(after) && stored.size > 0) return stored;
  if (isReset(after)) return new Map();
  const sent = managersOf(after);
  return sent.size === 0 ? stored : sent;
}

const recordIn = (object: JsonObject): Json | undefined => objectAt(object, 'metadata').managedFields;

/** An entry of the other group that serves the same objects (Events) names fields that this one does not have. */
function ofGroup(managers: Managers, { group, origin }: Resource): Managers {
  if (origin === 'custom' || [...managers.values()].every(({ apiVersion }) => groupOf(apiVersion) === group)) {
    return managers;
  }
  return byIdentity([...managers.values()].filter(({ apiVersion }) => groupOf(apiVersion) === group));
}

export function ownableChange(change: Difference, filter: (fields: FieldSet) => FieldSet): Difference {
  return { added: filter(change.added), modified: filter(change.modified), removed: filter(change.removed) };
}

export const isNoChange = ({ added, modified, removed }: Difference): boolean =>
  isEmpty(added) && isEmpty(modified) && isEmpty(removed);

/** The managers without what somebody else now writes, and without what is gone. */
export function afterChange(managers: Managers, { added, modified, removed }: Difference): Managers {
  const lost = union(union(added, modified), removed);
  const kept = [...managers.values()].map(manager => ({ ...manager, fields: difference(manager.fields, lost) }));
  return byIdentity(kept.filter(manager => !isEmpty(manager.fields)));
}

/** What of a change is somebody's, manager by manager. */
export function contested(
  managers: Managers,
  { added, modified }: Difference,
): readonly (readonly [Manager, FieldSet])[] {
  const written = union(added, modified);
  return [...managers.values()]
    .map(manager => [manager, intersection(manager.fields, written)] as const)
    .filter(([, fields]) => !isEmpty(fields));
}
