// Mutating webhooks: one after the other, each with what the one before made; some are asked again at the end.

import { internalError } from '../answer/status.ts';
import type { Json, JsonObject } from '../parts.ts';
import { sameJson } from '../rules/json.ts';
import { PatchMisfit, patchedBy } from '../verbs/patching.ts';
import { ask, askedAs } from './asking.ts';
import { type AdmissionRequest, fromVersion, inVersion } from './request.ts';
import type { Response } from './review.ts';
import type { Webhook } from './webhooks.ts';

/** Reads a patched object as the schema does. */
export type Reread = (patched: JsonObject) => JsonObject;

/** The object as the webhooks leave it; undefined on a delete. */
export async function mutatedByWebhooks(
  request: AdmissionRequest,
  webhooks: readonly Webhook[],
  reread: Reread,
): Promise<JsonObject | undefined> {
  const again = new Set<Webhook>();
  const asked: Webhook[] = [];
  const step = async (current: AdmissionRequest, webhook: Webhook): Promise<AdmissionRequest> => {
    const { object, isAsked } = await mutatedBy(current, webhook, reread);
    if (!sameJson(object as Json | undefined, current.object as Json | undefined)) {
      for (const before of asked.splice(0)) again.add(before);
    }
    if (isAsked && webhook.isReinvoked) asked.push(webhook);
    return { ...current, object };
  };
  let current = request;
  for (const webhook of webhooks) current = await step(current, webhook);
  for (const webhook of [...again]) current = await step(current, webhook);
  return current.object;
}

interface Mutated {
  readonly object: JsonObject | undefined;
  readonly isAsked: boolean;
}

async function mutatedBy(request: AdmissionRequest, webhook: Webhook, reread: Reread): Promise<Mutated> {
  const { object } = request;
  const matched = askedAs(webhook, request);
  if (matched === undefined) return { object, isAsked: false };
  const response = await ask(webhook, request, matched, 'mutating');
  if (response === undefined || isEmpty(response)) return { object, isAsked: true };
  if (object === undefined) {
    throw internalError(
      `admission webhook ${JSON.stringify(webhook.name)} attempted to modify the object, which is not supported for this operation`,
    );
  }
  const { call } = request;
  const before = inVersion(call, object, matched);
  const patched = fitting(before, response.patch ?? []);
  if (patched.kind !== before.kind || patched.apiVersion !== before.apiVersion) throw unknownKind(patched);
  return { object: reread(fromVersion(call, patched, matched)), isAsked: true };
}

/** A patch may not make an object of another kind. */
function unknownKind({ kind, apiVersion }: JsonObject): Error {
  const [what, version] = [kind, apiVersion].map(said => JSON.stringify(typeof said === 'string' ? said : ''));
  return internalError(`no kind ${what} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`);
}

function fitting(object: JsonObject, operations: readonly Json[]): JsonObject {
  try {
    return patchedBy(object, operations);
  } catch (error) {
    throw error instanceof PatchMisfit ? internalError(error.message) : error;
  }
}

const isEmpty = ({ patch }: Response): boolean => patch === undefined || patch.length === 0;
