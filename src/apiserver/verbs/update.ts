// update: a new state over the stored one, under its lock; what only the system may write is kept.

import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor, presentObject, presentRow } from '../answer/present.ts';
import { conflict, invalid, modified, objectTooLarge, unexpected } from '../answer/status.ts';
import { isOutdated, shownRow, toStored } from '../conversion/converted.ts';
import { type Call, keyOf, subjectOf } from '../core.ts';
import { servedForm } from '../objects/forms.ts';
import { written } from '../objects/service-addresses.ts';
import { hasStatus, isCounted, isCreatedByUpdate, needsVersion, strategyOf } from '../objects/strategy.ts';
import { partWrittenBy, withStatus } from '../objects/subresource-parts.ts';
import type { FieldError, Json, JsonObject } from '../parts.ts';
import { listAt, objectAt, sameJson, stringAt, withMeta, without } from '../rules/json.ts';
import { metadataErrors, metadataUpdateErrors } from '../rules/metadata.ts';
import { sharing } from '../rules/sharing.ts';
import type { Row } from '../store.ts';
import { checkValid, created } from './create.ts';
import { checkName, checkPathName, decodedBody, type Sent } from './decode.ts';
import { judged, type View } from './judged.ts';
import { admittedObject, asPatch, normalized } from './normalize.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { sameBesidesTimes, tracked } from './ownership.ts';
import { rowOrNotFound } from './read.ts';
import { singleOwners } from './single-owners.ts';

/** Makes the wanted state from the stored one; called again when another write came between. */
export type Change = (old: JsonObject) => Wanted;

export interface Wanted {
  readonly object: JsonObject;
  readonly duplicates?: readonly string[];
  /** The strategic patch that made it. */
  readonly strategic?: JsonObject;
  /** `patched`: what is wrong with it is the patch's fault. `owned`: its managedFields are as they shall be (apply). */
  readonly how?: 'patched' | 'owned' | 'bySystem';
  readonly view?: View;
}

/** What a write ended with: the stored row, or after a dry run only the object. */
export interface Written {
  readonly object: JsonObject;
  readonly row: Row | undefined;
}

export async function updateObject(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const options = writeOptions(call, 'UpdateOptions');
  const sent = decodedBody(call);
  checkNameLast(call, sent, options);
  checkPathName(call);
  const isNew =
    isCreatedByUpdate(call.resource) && call.path.subresource === '' && call.core.store.get(keyOf(call)) === undefined;
  if (isNew) return createdByUpdate(call, sent, options);
  const written = await changed(call, options, () => sent);
  return written.row === undefined
    ? presentObject(call, written.object, 200, accepted)
    : presentRow(call, written.row, 200, accepted);
}

/** What the name is of is read first: all else that is wrong or odd is told before. */
function checkNameLast(call: Call, { object, duplicates }: Sent, options: WriteOptions): void {
  try {
    checkName(call, object);
  } catch (error) {
    normalized(call, object, options, duplicates);
    throw error;
  }
}

async function createdByUpdate(call: Call, { object, duplicates }: Sent, options: WriteOptions): Promise<ApiResponse> {
  // The version that it names was somebody else's.
  const body = withMeta(object, { resourceVersion: undefined });
  const made = await created(call, { body, duplicates }, options);
  return made.row === undefined ? presentObject(call, made.object, 201) : presentRow(call, made.row, 201);
}

/** Applies `change` to the stored object until no other write comes between. */
export async function changed(call: Call, options: WriteOptions, change: Change): Promise<Written> {
  for (;;) {
    const row = rowOrNotFound(call);
    const shown = shownRow(call, row);
    const before = shown instanceof Promise ? await shown : shown;
    const old = servedForm(before.object, call.resource);
    const made = nextState(call, old, change, options);
    const next = made instanceof Promise ? await made : made;
    if (sameBesidesTimes(next, old) && !isOutdated(call, row)) return { object: old, row: before };
    if (options.dryRun) return { object: next, row: undefined };
    const written = await replaced(call, row, next);
    if (written !== undefined) return writtenAs(call, next, await shownRow(call, written));
  }
}

/** The write that lets an object go answers it as it was last stored: what is gone has no version of its own. */
function writtenAs(call: Call, next: JsonObject, row: Row): Written {
  if (endsDeletion(call, next)) return { object: next, row: undefined };
  return { object: servedForm(row.object, call.resource), row };
}

/** Writes `next` over `row`, or takes the object away when that ends its deletion; undefined: another write came between. */
async function replaced(call: Call, row: Row, next: JsonObject): Promise<Row | undefined> {
  const ends = endsDeletion(call, next);
  // Watchers see the last stored state go: what this write would have made of it was never there.
  const stored = ends ? row.object : toStored(call, next);
  const object = stored instanceof Promise ? await stored : stored;
  const remove = ends ? { remove: true as const } : {};
  const answer = await written(call.core, { ...keyOf(call), expected: row.revision, object, ...remove });
  if (answer.kind === 'tooLarge') throw objectTooLarge();
  return answer.kind === 'written' ? answer.row : undefined;
}

/** The state to store: read, owned, admitted, prepared, checked, in the real server's order (api-10). */
function nextState(
  call: Call,
  old: JsonObject,
  change: Change,
  options: WriteOptions,
): JsonObject | Promise<JsonObject> {
  const wanted = change(old);
  // What the server itself changes (a binding) is nobody's, and counts as no change of the spec.
  if (wanted.how === 'bySystem') return wanted.object;
  if (wanted.how === undefined) checkIdentity(call, wanted.object, old);
  const decoded = readAgain(call, wanted, old, options);
  checkLock(call, wanted.object, old);
  const part = sharing(writtenPart(call, decoded, old), old);
  const tracking = wanted.how === 'owned' ? part : tracked(call, withRecordOf(wanted, old), part, options);
  const object = admittedObject(call, tracking, old, options);
  const concern = call.core.dynamic.concerning(call, 'UPDATE');
  if (concern === undefined) return finished(call, object, old);
  const finish = (next: JsonObject): JsonObject => finished(call, writtenPart(call, next, old), old);
  return judged(call, concern, { object, old, options, finish, ...(wanted.view && { view: wanted.view }) });
}

/** The admitted object prepared, counted and checked. */
function finished(call: Call, admittedOne: JsonObject, old: JsonObject): JsonObject {
  const object = prepare(call, markedAs(old, admittedOne), old);
  const next = counted(call, object, old);
  checkValid(call, next, old, updateErrors(call, next, old));
  return next;
}

/** The time of its deletion is never moved, whatever a client says. */
function markedAs(old: JsonObject, object: JsonObject): JsonObject {
  const { deletionTimestamp } = objectAt(old, 'metadata');
  const isMoved =
    deletionTimestamp !== undefined && objectAt(object, 'metadata').deletionTimestamp !== deletionTimestamp;
  return isMoved ? withMeta(object, { deletionTimestamp }) : object;
}

/** A write that says of its record that it is empty starts it anew. */
function withRecordOf({ object }: Wanted, old: JsonObject): JsonObject {
  const record = objectAt(object, 'metadata').managedFields;
  const isEmpty = Array.isArray(record) && record.every((entry: Json) => sameJson(entry, {}));
  return isEmpty ? withMeta(old, { managedFields: undefined }) : old;
}

/** The wanted object as the schema reads it. */
function readAgain(call: Call, wanted: Wanted, old: JsonObject, options: WriteOptions): JsonObject {
  const object = withSystemFields(call, wanted, old);
  const read = (): JsonObject => normalized(call, object, options, wanted.duplicates);
  const normal = wanted.how === undefined ? read() : asPatch(call, wanted, read);
  return strategyOf(call.resource).decode?.(normal) ?? normal;
}

/** Kinds whose update is checked as a whole once more, after what changes. */
const CHECKED_AGAIN: ReadonlySet<string> = new Set(['configmaps', 'secrets', 'pods', 'services', 'serviceaccounts']);
const CONTENT = /^metadata\.(labels|annotations|ownerReferences)/;

/** The real server checks these several times and lists them as often; the message says each once. */
function updateErrors({ resource, path }: Call, next: JsonObject, old: JsonObject): readonly FieldError[] {
  const [own, changes] = [metadataErrors(resource, next), metadataUpdateErrors(next, old)];
  if (own.length === 0) return [...changes, ...changes];
  const content = own.filter(({ field }) => CONTENT.test(field));
  const isWhole = path.subresource !== 'status' && CHECKED_AGAIN.has(resource.storageName);
  const again = isWhole ? own : [];
  return [...own, ...changes, ...content, ...changes, ...content, ...again];
}

/** The identity that the client names must be the stored one. */
export function checkIdentity(call: Call, object: JsonObject, old: JsonObject): void {
  const [uid, recorded] = [stringAt(objectAt(object, 'metadata'), 'uid'), stringAt(objectAt(old, 'metadata'), 'uid')];
  if (uid === '' || uid === recorded) return;
  const what = `StorageError: invalid object, Code: 4, Key: ${etcdKey(call)}, ResourceVersion: 0`;
  const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${recorded}`;
  throw conflict(subjectOf(call), `${what}, AdditionalErrorMsg: ${why}`);
}

/** Where the real server would keep the object: its message says so. */
function etcdKey({ resource, path }: Call): string {
  const folder = resource.origin === 'custom' ? `${resource.group}/${resource.plural}` : resource.plural;
  return ['/registry', folder, path.namespace, path.name].filter(part => part !== '').join('/');
}

const MAX_VERSION = 2n ** 64n - 1n;

/** The version that the client names is its lock. */
function checkLock(call: Call, object: JsonObject, old: JsonObject): void {
  const version = stringAt(objectAt(object, 'metadata'), 'resourceVersion');
  const isUnset = version === '' || version === '0';
  if (isUnset && needsVersion(call.resource) && call.request.method === 'PUT') {
    const message = 'Invalid value: 0: must be specified for an update';
    throw invalid(subjectOf(call), [{ type: 'Invalid', field: 'metadata.resourceVersion', message }]);
  }
  if (!/^\d*$/.test(version)) throw unexpected(`strconv.ParseUint: parsing "${version}": invalid syntax`);
  if (version.length > 19 && BigInt(version) > MAX_VERSION)
    throw unexpected(`strconv.ParseUint: parsing "${version}": value out of range`);
  if (isUnset) return;
  if (version !== objectAt(old, 'metadata').resourceVersion) throw modified(subjectOf(call));
}

/** What no client may change is as it was, unless the client says otherwise, which is then refused. */
function withSystemFields(call: Call, { object, how }: Wanted, old: JsonObject): JsonObject {
  const [meta, oldMeta] = [objectAt(object, 'metadata'), objectAt(old, 'metadata')];
  const fields: Record<string, Json | undefined> = {
    uid: meta.uid ?? oldMeta.uid,
    namespace: meta.namespace ?? oldMeta.namespace,
    name: meta.name ?? oldMeta.name,
    generateName: meta.generateName ?? oldMeta.generateName,
    resourceVersion: oldMeta.resourceVersion,
    generation: oldMeta.generation,
    creationTimestamp: oldMeta.creationTimestamp,
    deletionTimestamp: meta.deletionTimestamp ?? oldMeta.deletionTimestamp,
    deletionGracePeriodSeconds: meta.deletionGracePeriodSeconds ?? oldMeta.deletionGracePeriodSeconds,
    managedFields: meta.managedFields ?? (how === 'owned' ? undefined : oldMeta.managedFields),
    selfLink: undefined,
    ownerReferences: singleOwners(call, meta),
  };
  return withMeta(object, fields);
}

/** A subresource writes its part, the object everything but its status. */
function writtenPart({ resource, path }: Call, object: JsonObject, old: JsonObject): JsonObject {
  if (path.subresource !== '') return partWrittenBy(path.subresource)?.(object, old, resource) ?? object;
  return hasStatus(resource) ? withStatus(object, old.status) : object;
}

function prepare(call: Call, object: JsonObject, old: JsonObject): JsonObject {
  if (call.path.subresource !== '') return object;
  return strategyOf(call.resource).prepareUpdate?.(object, old, call) ?? object;
}

/** The generation grows when anything but metadata and status changed. */
function counted(call: Call, object: JsonObject, old: JsonObject): JsonObject {
  if (!isCounted(call.resource) || call.path.subresource === 'status') return object;
  const ignored = hasStatus(call.resource) ? ['metadata', 'status', 'apiVersion'] : ['metadata', 'apiVersion'];
  const isSame = sameJson(without(object, ...ignored), without(old, ...ignored));
  if (isSame && !countsAnnotations(call, object, old)) return object;
  const before = objectAt(old, 'metadata').generation;
  return withMeta(object, { generation: (typeof before === 'number' ? before : 0) + 1 });
}

/** Deployments carry what their controller acts on in annotations too. */
function countsAnnotations({ resource }: Call, object: JsonObject, old: JsonObject): boolean {
  if (resource.storageName !== 'deployments.apps') return false;
  return !sameJson(objectAt(object, 'metadata').annotations, objectAt(old, 'metadata').annotations);
}

/** An object that was deleted and is held by nothing any more goes with this write. */
function endsDeletion(call: Call, object: JsonObject): boolean {
  const metadata = objectAt(object, 'metadata');
  if (metadata.deletionTimestamp === undefined || listAt(metadata, 'finalizers').length > 0) return false;
  const grace = metadata.deletionGracePeriodSeconds;
  if (grace !== undefined && grace !== 0) return false;
  return !(strategyOf(call.resource).isHeld?.(object) ?? false);
}
