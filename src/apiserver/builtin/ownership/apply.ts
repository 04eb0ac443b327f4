// Server-side apply: one owner states what it wants; what it stated before and states no more goes, if nobody else
// states it.

import type { StatusCause } from '../../../kube/errors.ts';
import type { FieldOwnership, JsonObject, Resource } from '../../parts.ts';
import { requireApplicable } from './applicable.ts';
import { compare, type Difference } from './compare.ts';
import { emptyObject, ownable, withoutRecord } from './endpoint.ts';
import { difference, EMPTY, type FieldSet, intersection, isEmpty, placesIn, union } from './field-set.ts';
import { ownByAnnotation, withLastApplied } from './last-applied.ts';
import { membersOf, withNamedFields } from './members.ts';
import { mergeApplied } from './merge.ts';
import {
  apiVersionOf,
  byIdentity,
  identityOf,
  type Manager,
  type Managers,
  managersOf,
  withManagers,
} from './record.ts';
import { blankFields, removeFields } from './remove.ts';
import { rootSchema } from './root-schema.ts';
import { pathText } from './steps.ts';
import { afterChange, contested, isNoChange, ownableChange } from './update.ts';

type ApplyCall = Parameters<FieldOwnership['apply']>[0];

export const apply: FieldOwnership['apply'] = call => {
  const { resource, subresource, applied, force } = call;
  requireApplicable(resource, applied);
  const live = withoutRecord(call.live ?? emptyObject(resource));
  const managers = managersBefore(call, live);
  const config = withoutRecord(applied);

  const stated = membersOf(rootSchema(resource), config);
  const own = applierOf(call, ownable(resource, subresource, stated));
  const last = managers.get(identityOf(own))?.fields ?? EMPTY;
  const others = new Map([...managers].filter(([identity]) => identity !== identityOf(own)));
  const merged = mergeApplied(rootSchema(resource), live, config);
  const wanted = pruned(resource, merged, last, union(stated, statedBy(others)));

  const whole = compare(rootSchema(resource), live, wanted);
  const change = ownableChange(whole, fields => ownable(resource, subresource, fields));
  const mine = ownByAnnotation(resource, call.live, call.manager);
  const disputes = contested(others, change)
    .map(([manager, fields]) => [manager, difference(fields, mine)] as const)
    .filter(([, fields]) => !isEmpty(fields));
  if (disputes.length > 0 && !force) return { conflicts: disputes.flatMap(causesOf) };

  const time = timeOf(whole, managers.get(identityOf(own)), call.time);
  const all = byIdentity([...afterChange(others, change).values(), { ...own, time }]);
  return { object: withLastApplied(withManagers(wanted, all), applied, call.manager) };
};

/** An object from before anybody recorded ownership: what is there belongs to whoever put it there. */
function managersBefore({ resource, live, subresource, time }: ApplyCall, bare: JsonObject): Managers {
  const managers = live === undefined ? new Map() : managersOf(live);
  if (live === undefined || managers.size > 0) return managers;
  const { added, modified } = compare(rootSchema(resource), withoutRecord(emptyObject(resource)), bare);
  const fields = ownable(resource, subresource, union(added, modified));
  const apiVersion = apiVersionOf(resource);
  return byIdentity([{ name: 'before-first-apply', operation: 'Update', apiVersion, subresource, time, fields }]);
}

function applierOf({ resource, manager, subresource, time }: ApplyCall, fields: FieldSet): Manager {
  return { name: manager, operation: 'Apply', apiVersion: apiVersionOf(resource), subresource, time, fields };
}

/** The time is that of the last apply that changed something; an owner who never did has none. */
const timeOf = (whole: Difference, previous: Manager | undefined, time: string): string =>
  isNoChange(whole) ? (previous?.time ?? '') : time;

/** What others own, by applying or by any other write: that stays, whoever else leaves it out. */
function statedBy(managers: Managers): FieldSet {
  return [...managers.values()].reduce((fields, manager) => union(fields, manager.fields), EMPTY);
}

/** Without what the owner stated last time and nobody states now. */
function pruned(resource: Resource, merged: JsonObject, last: FieldSet, stated: FieldSet): JsonObject {
  if (isEmpty(last)) return merged;
  const schema = rootSchema(resource);
  const named = (fields: FieldSet): FieldSet => withNamedFields(schema, fields);
  const all = named(membersOf(schema, merged));

  const bare = blankFields(schema, merged, named(last));
  const keep = union(named(membersOf(schema, bare)), named(stated));
  const restored = blankFields(schema, merged, difference(all, keep));
  const gone = difference(all, named(membersOf(schema, restored)));
  return removeFields(schema, merged, intersection(gone, named(last)));
}

function causesOf([manager, fields]: readonly [Manager, FieldSet]): readonly StatusCause[] {
  return [...placesIn(fields)].map(path => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
}

function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const sub = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  const using = operation === 'Update' ? ` using ${apiVersion}` : '';
  return `${JSON.stringify(name)}${sub}${using}`;
}
