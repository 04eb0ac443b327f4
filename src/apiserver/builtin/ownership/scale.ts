// Who owns the replicas of an object, as its Scale shows it, and what a write of the Scale makes of the object's record.

import type { FieldOwnership, JsonObject, Resource } from '../../parts.ts';
import { difference, type FieldSet, intersection, isEmpty, placesOf } from './field-set.ts';
import { apiVersionOf, groupOf, type Manager, managersOf, recordOf } from './record.ts';

const SCALE = 'autoscaling/v1';
const REPLICAS = placesOf(['spec', 'replicas']);

export const inScale: FieldOwnership['inScale'] = (resource, object, place) => {
  const at = placesOf(place);
  const owners = ofResource(resource, object).filter(([, { fields }]) => owns(fields, at));
  return recordOf(owners.map(([, owner]) => ({ ...owner, apiVersion: SCALE, fields: REPLICAS })));
};

/**
 * As the real server, to which whoever updated the object is another owner than the one of that name in the Scale: where they
 * still own the replicas they get an entry for these alone, and nobody knows since when.
 */
export const fromScale: FieldOwnership['fromScale'] = (resource, object, place, scale) => {
  const at = placesOf(place);
  const apiVersion = apiVersionOf(resource);
  const named = managersOf(scale);
  const next = new Map(ofResource(resource, object));
  // Whoever is still named in the Scale's record keeps what they have, whatever it says that they own.
  const stay = new Set([...next].filter(([id, { fields }]) => named.has(id) && owns(fields, at)).map(([id]) => id));
  for (const [id, manager] of next) {
    if (!stay.has(id)) next.set(id, { ...manager, fields: difference(manager.fields, at) });
  }
  for (const [id, owner] of named) {
    if (stay.has(id) || !owns(owner.fields, REPLICAS)) continue;
    next.set(id, { ...owner, apiVersion, fields: at, time: next.get(id)?.time ?? '' });
  }
  return recordOf([...next.values()]);
};

const owns = (fields: FieldSet | undefined, at: FieldSet): boolean =>
  fields !== undefined && !isEmpty(intersection(fields, at));

/** Entries of groups that do not serve the object are dropped. */
const ofResource = (resource: Resource, object: JsonObject): [string, Manager][] =>
  [...managersOf(object)].filter(([, { apiVersion }]) => groupOf(apiVersion) === resource.group);
