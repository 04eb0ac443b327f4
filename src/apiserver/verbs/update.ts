// update: a new state over the stored one, under its lock; what only the system may write is kept.

import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor, presentObject, presentRow } from '../answer/present.ts';
import { conflict, invalid, modified, notFound, objectTooLarge } from '../answer/status.ts';
import { type Call, keyOf, kindSubjectOf, subjectOf } from '../core.ts';
import { servedForm, storedForm } from '../objects/forms.ts';
import { hasStatus, isCounted, strategyOf } from '../objects/strategy.ts';
import { partWrittenBy, withStatus } from '../objects/subresource-parts.ts';
import type { Json, JsonObject } from '../parts.ts';
import { listAt, objectAt, sameJson, stringAt, withMeta, without } from '../rules/json.ts';
import { metadataErrors, metadataUpdateErrors } from '../rules/metadata.ts';
import type { Row } from '../store.ts';
import { checkValid } from './create.ts';
import { admittedObject, checkName, decodedBody, normalized } from './decode.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { sameBesidesTimes, tracked } from './ownership.ts';

/** Makes the wanted state from the stored one; called again when another write came between. */
export type Change = (old: JsonObject) => Wanted;

export interface Wanted {
  readonly object: JsonObject;
  /** Its managedFields are already as they shall be (apply). */
  readonly owned?: boolean;
}

/** What a write ended with: the stored row, or after a dry run only the object. */
export interface Written {
  readonly object: JsonObject;
  readonly row: Row | undefined;
}

export async function updateObject(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const options = writeOptions(call, 'UpdateOptions');
  const body = decodedBody(call);
  checkName(call, body);
  const written = await changed(call, options, () => ({ object: body }));
  return written.row === undefined
    ? presentObject(call, written.object, 200, accepted)
    : presentRow(call, written.row, 200, accepted);
}

/** Applies `change` to the stored object until no other write comes between. */
export async function changed(call: Call, options: WriteOptions, change: Change): Promise<Written> {
  for (;;) {
    const row = call.core.store.get(keyOf(call));
    if (row === undefined) throw notFound(subjectOf(call));
    const old = servedForm(row.object, call.resource);
    const next = nextState(call, old, change, options);
    if (sameBesidesTimes(next, old)) return { object: old, row };
    if (options.dryRun) return { object: next, row: undefined };
    const written = await replaced(call, row, next);
    if (written !== undefined) return { object: servedForm(written.object, call.resource), row: written };
  }
}

/** Writes `next` over `row`, or takes the object away when that ends its deletion; undefined: another write came between. */
async function replaced(call: Call, row: Row, next: JsonObject): Promise<Row | undefined> {
  const object = storedForm(next, call.resource);
  const remove = endsDeletion(call, next) ? { remove: true as const } : {};
  const answer = await call.core.store.write({ ...keyOf(call), expected: row.revision, object, ...remove });
  if (answer.kind === 'tooLarge') throw objectTooLarge();
  return answer.kind === 'written' ? answer.row : undefined;
}

/** The state to store: checked, admitted, with the system's fields kept and the status or the rest left alone. */
function nextState(call: Call, old: JsonObject, change: Change, options: WriteOptions): JsonObject {
  const wanted = change(old);
  checkLock(call, wanted.object, old);
  const normal = normalized(call, withSystemFields(wanted.object, old), options);
  const object = admittedObject(call, normal, old, options.dryRun);
  const prepared = counted(call, prepare(call, object, old), old);
  checkValid(call, prepared, old, [...metadataErrors(call.resource, prepared), ...metadataUpdateErrors(prepared, old)]);
  return wanted.owned === true ? prepared : tracked(call, old, prepared, options);
}

/** The lock and the identity that the client names must be the stored ones. */
function checkLock(call: Call, object: JsonObject, old: JsonObject): void {
  const [meta, oldMeta] = [objectAt(object, 'metadata'), objectAt(old, 'metadata')];
  const version = stringAt(meta, 'resourceVersion');
  if (version === '' && call.resource.origin === 'custom' && call.request.method === 'PUT') {
    const message = 'Invalid value: 0x0: must be specified for an update';
    throw invalid(kindSubjectOf(call), [{ type: 'Invalid', field: 'metadata.resourceVersion', message }]);
  }
  const uid = stringAt(meta, 'uid');
  if (uid !== '' && uid !== oldMeta.uid) {
    throw conflict(
      subjectOf(call),
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${String(oldMeta.uid)}`,
    );
  }
  if (version !== '' && version !== '0' && version !== oldMeta.resourceVersion) throw modified(subjectOf(call));
}

/** What no client may change is as it was, whatever the body says; unless it says something else, which is refused. */
function withSystemFields(object: JsonObject, old: JsonObject): JsonObject {
  const [meta, oldMeta] = [objectAt(object, 'metadata'), objectAt(old, 'metadata')];
  const fields: Record<string, Json | undefined> = {
    uid: oldMeta.uid,
    namespace: oldMeta.namespace,
    name: meta.name ?? oldMeta.name,
    generateName: meta.generateName ?? oldMeta.generateName,
    resourceVersion: oldMeta.resourceVersion,
    generation: oldMeta.generation,
    creationTimestamp: meta.creationTimestamp ?? oldMeta.creationTimestamp,
    deletionTimestamp: meta.deletionTimestamp ?? oldMeta.deletionTimestamp,
    deletionGracePeriodSeconds: meta.deletionGracePeriodSeconds ?? oldMeta.deletionGracePeriodSeconds,
    managedFields: meta.managedFields ?? oldMeta.managedFields,
    selfLink: undefined,
  };
  return withMeta(object, fields);
}

/** A subresource writes its part, the object everything but its status. */
function prepare(call: Call, object: JsonObject, old: JsonObject): JsonObject {
  const { resource, path } = call;
  if (path.subresource !== '') return partWrittenBy(path.subresource)?.(object, old, resource) ?? object;
  const kept = hasStatus(resource) ? withStatus(object, old.status) : object;
  return strategyOf(resource).prepareUpdate?.(kept, old, call) ?? kept;
}

/** The generation grows when anything but metadata and status changed. */
function counted(call: Call, object: JsonObject, old: JsonObject): JsonObject {
  if (!isCounted(call.resource) || call.path.subresource === 'status') return object;
  const ignored = hasStatus(call.resource) ? ['metadata', 'status', 'apiVersion'] : ['metadata', 'apiVersion'];
  if (sameJson(without(object, ...ignored), without(old, ...ignored))) return object;
  const before = objectAt(old, 'metadata').generation;
  return withMeta(object, { generation: (typeof before === 'number' ? before : 0) + 1 });
}

/** An object that was deleted and is held by nothing any more goes with this write. */
export function endsDeletion(call: Call, object: JsonObject): boolean {
  const metadata = objectAt(object, 'metadata');
  if (metadata.deletionTimestamp === undefined || listAt(metadata, 'finalizers').length > 0) return false;
  const grace = metadata.deletionGracePeriodSeconds;
  if (grace !== undefined && grace !== 0) return false;
  return !(strategyOf(call.resource).isHeld?.(object) ?? false);
}
