// create: a new object with name, uid and time, once its namespace stands and the schema agrees.

import { kubeTime } from '../../base/clock.ts';
import { nameSuffix } from '../../base/random.ts';
import type { ApiResponse } from '../../kube/transport.ts';
import { acceptedFor, presentObject, presentRow } from '../answer/present.ts';
import { alreadyExists, forbidden, invalid, objectTooLarge, type Refusal, unexpected } from '../answer/status.ts';
import { shownRow, toStored } from '../conversion/converted.ts';
import { type Call, keyOf, kindSubjectOf, subjectOf } from '../core.ts';
import { showsStoredBytes, storedForm } from '../objects/forms.ts';
import { written } from '../objects/service-addresses.ts';
import { beginsCounted, keepsStatusOnCreate, strategyOf } from '../objects/strategy.ts';
import type { FieldError, Json, JsonObject } from '../parts.ts';
import { objectAt, stringAt, withMeta, without } from '../rules/json.ts';
import { metadataErrors } from '../rules/metadata.ts';
import { checkNamespaceTakes } from '../rules/namespace-lifecycle.ts';
import type { Row } from '../store.ts';
import { decodedBody } from './decode.ts';
import { judged } from './judged.ts';
import { admittedObject, normalized, schemaWorkOf } from './normalize.ts';
import { type WriteOptions, writeOptions } from './options.ts';
import { tracked } from './ownership.ts';
import { singleOwners } from './single-owners.ts';

/** As often as the real server a generated name that is taken is drawn again. */
const NAME_TRIES = 8;
const MAX_GENERATED_BASE = 58;

export async function createObject(call: Call): Promise<ApiResponse> {
  const accepted = acceptedFor(call);
  const options = writeOptions(call, 'CreateOptions');
  const { object: body, duplicates } = decodedBody(call);
  const { row, object } = await created(call, { body, duplicates }, options);
  return row === undefined ? presentObject(call, object, 201, accepted) : presentRow(call, row, 201, accepted);
}

interface Created {
  readonly object: JsonObject;
  /** Absent after a dry run. */
  readonly row: Row | undefined;
}

interface Wish {
  readonly body: JsonObject;
  readonly duplicates?: readonly string[];
  /** Its managedFields are already as they shall be (apply). */
  readonly owned?: true;
}

/** Creates what is wished for; used by apply too, when the object is not there yet. */
export async function created(call: Call, wish: Wish, options: WriteOptions): Promise<Created> {
  if (call.core.registry.isTerminating(call.resource)) {
    const why = 'create not allowed while custom resource definition is terminating';
    throw forbidden(subjectOf(call, nameIn(wish.body)), why);
  }
  const generated = nameIn(wish.body) === '';
  for (let attempt = 1; ; attempt += 1) {
    const answer = await tryCreate(call, wish, options);
    if ('object' in answer) return answer;
    if (!generated || attempt === NAME_TRIES) throw taken(call, answer.taken);
    call.warnings.length = 0;
  }
}

/** A name that is being freed is still taken, which the refusal says. */
function taken(call: Call, name: string): Refusal {
  const existing = call.core.store.get(keyOf(call, name))?.object;
  const isDeleting = objectAt(existing, 'metadata').deletionTimestamp !== undefined;
  return alreadyExists(subjectOf(call, name), isDeleting ? 'object is being deleted: ' : '');
}

async function tryCreate(call: Call, wish: Wish, options: WriteOptions): Promise<Created | { readonly taken: string }> {
  const made = newObject(call, wish, options);
  const object = made instanceof Promise ? await made : made;
  const key = keyOf(call, nameIn(object));
  if (call.core.store.get(key) !== undefined) return { taken: key.name };
  if (options.dryRun) return { object, row: undefined };
  const form = toStored(call, object);
  const stored = form instanceof Promise ? await form : form;
  const answer = await written(call.core, { ...key, expected: 0, object: stored });
  if (answer.kind === 'tooLarge') throw objectTooLarge();
  if (answer.kind !== 'written') return { taken: key.name };
  const shown = shownRow(call, answer.row);
  const row = shown instanceof Promise ? await shown : shown;
  return { object: row.object, row };
}

/** The object as it is stored first: read, owned, admitted, prepared, checked, in the real server's order. */
function newObject(call: Call, { body, duplicates, owned }: Wish, options: WriteOptions): MaybeLater {
  const { resource } = call;
  const strategy = strategyOf(resource);
  const bare = keepsStatusOnCreate(resource) ? body : without(body, 'status');
  const read = normalized(call, withSystemFields(call, bare, options), options, duplicates);
  const decoded = strategy.decode?.(read) ?? read;
  const tracking = owned === true ? decoded : tracked(call, undefined, decoded, options);
  checkNamespaceTakes(call, nameIn(body));
  const object = admittedObject(call, tracking, undefined, options);
  const concern = call.core.dynamic.concerning(call, 'CREATE');
  if (concern === undefined) return finished(call, object);
  return judged(call, concern, { object, old: undefined, options, finish: next => finished(call, next) });
}

/** Later only where webhooks or policies have a say. */
type MaybeLater = JsonObject | Promise<JsonObject>;

/** The admitted object with its name and first state, checked. */
function finished(call: Call, admittedOne: JsonObject): JsonObject {
  const { resource } = call;
  const whole = named(call, admittedOne);
  const object = strategyOf(resource).prepareCreate?.(whole, call) ?? whole;
  checkValid(call, object, undefined, metadataErrors(resource, object));
  return object;
}

/** All that is wrong with the object, in one refusal. */
export function checkValid(
  call: Call,
  object: JsonObject,
  old: JsonObject | undefined,
  before: readonly FieldError[],
): void {
  const { resource } = call;
  const [stored, storedBefore] = [inStoredForm(call, object), old === undefined ? undefined : inStoredForm(call, old)];
  const errors = [
    ...before,
    ...(strategyOf(resource).validate?.(stored, storedBefore) ?? []),
    ...(schemaWorkOf(call)?.validate(resource, stored, storedBefore, call.path.subresource) ?? []),
    ...(isDefinition(call) ? (call.core.parts.crdCheck?.(object, old) ?? []) : []),
  ];
  if (errors.length > 0) throw invalid(kindSubjectOf(call, nameIn(object)), errors);
  call.warnings.push(...(schemaWorkOf(call)?.warnings?.(resource, stored, storedBefore) ?? []));
}

/** Rules are about what is stored: a kind that is served under other field names is judged under its own. */
const inStoredForm = ({ resource }: Call, object: JsonObject): JsonObject =>
  showsStoredBytes(resource) ? object : storedForm(object, resource);

/** The status of a definition is judged by itself. */
const isDefinition = ({ resource, path }: Call): boolean =>
  resource.storageName === 'customresourcedefinitions.apiextensions.k8s.io' && path.subresource === '';

const nameIn = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'name');

/** With the name that the client asked to be made up. */
function named(call: Call, body: JsonObject): JsonObject {
  const metadata = objectAt(body, 'metadata');
  const base = stringAt(metadata, 'generateName');
  if (stringAt(metadata, 'name') !== '' || base === '') return body;
  return withMeta(body, { name: `${base.slice(0, MAX_GENERATED_BASE)}${nameSuffix(call.core.random)}` });
}

/** What is no number counts as none. */
const namesVersion = (version: string): boolean => /^\d+$/.test(version) && !/^0+$/.test(version);

function withSystemFields(call: Call, body: JsonObject, { dryRun }: Pick<WriteOptions, 'dryRun'>): JsonObject {
  const metadata = objectAt(body, 'metadata');
  const version = stringAt(metadata, 'resourceVersion');
  if (!dryRun && namesVersion(version)) {
    throw unexpected('resourceVersion should not be set on objects to be created');
  }
  // The real server counts only some kinds, and leaves what the client says on the others.
  const counted = beginsCounted(call.resource) ? 1 : metadata.generation;
  const system: Record<string, Json | undefined> = {
    uid: call.core.random.uuid(),
    creationTimestamp: kubeTime(call.core.clock.now()),
    generation: counted,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    resourceVersion: dryRun && namesVersion(version) ? version : undefined,
    selfLink: undefined,
    ownerReferences: singleOwners(call, metadata),
  };
  return withMeta(body, system);
}
