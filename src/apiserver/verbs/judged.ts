// Writes in which webhooks or policies have a say: what they are shown, and what becomes of what they make.

import type { Concern } from '../admission/dynamic.ts';
import { type AdmissionRequest, writeOptionsOf } from '../admission/request.ts';
import { internalError, Refusal } from '../answer/status.ts';
import type { Call } from '../core.ts';
import { strategyOf } from '../objects/strategy.ts';
import type { Json, JsonObject } from '../parts.ts';
import { objectAt, sameJson, withMeta } from '../rules/json.ts';
import { inNamespace } from './decode.ts';
import type { DeleteOptions } from './delete-options.ts';
import { admitted, admittedObject, normalized, withoutHandledAs } from './normalize.ts';
import type { WriteOptions } from './options.ts';

/** A subresource that speaks a kind of its own (Scale): how the object is shown, and what a changed one changes. */
export interface View {
  show(object: JsonObject): JsonObject;
  absorb(object: JsonObject, shown: JsonObject): JsonObject;
}

export interface JudgedWrite {
  /** Admitted by this server's own rules. */
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly options: WriteOptions;
  readonly view?: View;
  /** Prepares and checks what is to be stored: between those that change it and those that only judge. */
  readonly finish: (object: JsonObject) => JsonObject;
}

/** The object to store, once everybody has had a say. */
export async function judged(call: Call, concern: Concern, write: JudgedWrite): Promise<JsonObject> {
  const { object, old, options, view, finish } = write;
  const operation = old === undefined ? 'CREATE' : 'UPDATE';
  const show = (each: JsonObject): JsonObject => view?.show(each) ?? each;
  const shown = show(old === undefined ? withoutIdentity(object) : object);
  const request: AdmissionRequest = {
    call,
    operation,
    object: shown,
    old: old === undefined ? undefined : show(old),
    options: writeOptionsOf(call, operation),
    dryRun: options.dryRun,
  };
  const mutated = await concern.mutate(request, patched => (view === undefined ? reread(call, patched) : patched));
  const isSame = mutated === undefined || sameJson(mutated, shown);
  const next = isSame ? object : (view?.absorb(object, mutated) ?? readmitted(call, mutated, write));
  const finished = finish(next);
  await concern.validate({ ...request, object: show(finished) });
  return finished;
}

/** Only what is checked is given its uid and time. */
const withoutIdentity = (object: JsonObject): JsonObject =>
  withMeta(object, { uid: undefined, creationTimestamp: undefined, generation: undefined });

/** This server's own rules judge what the others made, too. */
function readmitted(call: Call, mutated: JsonObject, { object, old, options }: JudgedWrite): JsonObject {
  const { uid, creationTimestamp, generation } = objectAt(object, 'metadata');
  const placed = inNamespace(call, mutated);
  const whole = old === undefined ? withMeta(placed, { uid, creationTimestamp, generation }) : placed;
  return admittedObject(call, whole, old, options);
}

/** A patched object, as if a client had sent it. */
function reread(call: Call, patched: JsonObject): JsonObject {
  try {
    const read = normalized(call, patched, { fieldValidation: 'Ignore' });
    return strategyOf(call.resource).decode?.(read) ?? read;
  } catch (error) {
    const why = error instanceof Refusal ? withoutHandledAs(call, error) : undefined;
    throw why === undefined ? error : internalError(why);
  }
}

/** The body of a subresource that is done and not stored (Binding, Eviction, TokenRequest), admitted by all. */
export async function admittedBody(
  call: Call,
  body: JsonObject,
  options: Pick<WriteOptions, 'dryRun'>,
): Promise<JsonObject> {
  const object = admitted(call, body, undefined, options) ?? body;
  const concern = call.core.dynamic.concerning(call, 'CREATE');
  if (concern === undefined) return object;
  const request: AdmissionRequest = {
    call,
    operation: 'CREATE',
    object,
    old: undefined,
    options: writeOptionsOf(call, 'CREATE'),
    dryRun: options.dryRun,
  };
  const mutated = (await concern.mutate(request, patched => patched)) ?? object;
  await concern.validate({ ...request, object: mutated });
  return mutated;
}

/** Throws when somebody refuses the deletion. */
export async function judgedDelete(
  call: Call,
  concern: Concern,
  old: JsonObject,
  options: DeleteOptions,
): Promise<void> {
  const { dryRun } = options;
  const request: AdmissionRequest = {
    call,
    operation: 'DELETE',
    object: undefined,
    old,
    options: deleteOptionsShown(options),
    dryRun,
  };
  await concern.mutate(request, patched => patched);
  await concern.validate(request);
}

function deleteOptionsShown(options: DeleteOptions): JsonObject {
  const { graceSeconds, propagation, orphanDependents, uid, resourceVersion, dryRun } = options;
  const preconditions = present({ uid, resourceVersion });
  return present({
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    gracePeriodSeconds: graceSeconds,
    preconditions: Object.keys(preconditions).length === 0 ? undefined : preconditions,
    orphanDependents,
    propagationPolicy: propagation,
    dryRun: dryRun ? ['All'] : undefined,
  });
}

const present = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
