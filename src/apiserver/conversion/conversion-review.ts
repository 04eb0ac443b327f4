// ConversionReview: objects go to the webhook of their definition and come back in another version.

import { CallFailed, callWebhook, kindText } from '../admission/webhook-client.ts';
import type { WebhookClient } from '../admission/webhook-port.ts';
import { unexpected } from '../answer/status.ts';
import type { Core } from '../core.ts';
import type { Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, stringAt, withMeta } from '../rules/json.ts';

/** As long as the real server waits. */
const TIMEOUT_SECONDS = 30;
const VERSION = 'apiextensions.k8s.io/v1';
/** The real server sends one along. */
const NO_RESPONSE: JsonObject = { uid: '', convertedObjects: null, result: { metadata: {} } };

/** The objects, all of one kind, in this version; refused with 500 when the webhook does not do its part. */
export async function convertedByWebhook(
  core: Core,
  webhook: WebhookClient,
  objects: readonly JsonObject[],
  desiredAPIVersion: string,
): Promise<readonly JsonObject[]> {
  const about = `conversion webhook for ${kindText(objects[0] ?? {})}`;
  const uid = core.random.uuid();
  const request = { uid, desiredAPIVersion, objects: objects.map(unversioned) };
  const review = { kind: 'ConversionReview', apiVersion: VERSION, request, response: NO_RESPONSE };
  const made = await answered(core, webhook, review, uid).catch((error: unknown) => {
    if (error instanceof CallFailed) throw unexpected(`${about} failed: ${error.message}`);
    throw error;
  });
  if (made.length !== objects.length) {
    throw unexpected(`${about} returned ${made.length} objects, expected ${objects.length}`);
  }
  return objects.map((object, index) => {
    const converted = made[index];
    const at = `${about} returned invalid object at index ${index}`;
    if (!isObject(converted)) throw unexpected(`${at}: it is none`);
    const wrong = wrongKind(object, converted, desiredAPIVersion);
    if (wrong !== undefined) throw unexpected(`${at}: ${wrong}`);
    const changed = changedIdentity(objectAt(object, 'metadata'), objectAt(converted, 'metadata'));
    if (changed !== undefined) {
      throw unexpected(`${objects.length === 1 ? `${about} returned invalid object` : at}: ${changed}`);
    }
    return withMetadataOf(object, converted);
  });
}

/** The version is not part of what is stored. */
const unversioned = (object: JsonObject): JsonObject => withMeta(object, { resourceVersion: undefined });

async function answered(core: Core, webhook: WebhookClient, review: JsonObject, uid: string): Promise<readonly Json[]> {
  const answer = await callWebhook(core, webhook, review, TIMEOUT_SECONDS);
  if (answer.kind !== 'ConversionReview' || answer.apiVersion !== VERSION) {
    throw new CallFailed(`expected webhook response of ${kindText(review)}, got ${kindText(answer)}`);
  }
  const { response } = answer;
  if (!isObject(response)) throw new CallFailed('no response provided');
  const said = stringAt(response, 'uid');
  if (said !== uid) throw new CallFailed(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(said)}`);
  const result = objectAt(response, 'result');
  const [status, message] = [stringAt(result, 'status'), stringAt(result, 'message')];
  if (status !== 'Success') {
    throw new CallFailed(message || `response.result.status was '${status}', expected 'Success'`);
  }
  return listAt(response, 'convertedObjects');
}

function wrongKind(object: JsonObject, converted: JsonObject, version: string): string | undefined {
  const [kind, made] = [stringAt(object, 'kind'), stringAt(converted, 'kind')];
  if (kind !== made) return `invalid kind (expected ${kind}, received ${made})`;
  const received = stringAt(converted, 'apiVersion');
  return received === version ? undefined : `invalid groupVersion (expected ${version}, received ${received})`;
}

const IDENTITY = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['UID', 'uid'],
] as const;

function changedIdentity(before: JsonObject, after: JsonObject): string | undefined {
  for (const [word, key] of IDENTITY) {
    const [was, is] = [stringAt(before, key), stringAt(after, key)];
    if (was !== is) return `must have the same ${word}: ${was} != ${is}`;
  }
  return undefined;
}

/** Of the metadata a webhook may change labels and annotations. */
function withMetadataOf(object: JsonObject, converted: JsonObject): JsonObject {
  const { labels: _, annotations: __, ...kept } = objectAt(object, 'metadata');
  const { labels, annotations } = objectAt(converted, 'metadata');
  const metadata = {
    ...kept,
    ...(isObject(labels) ? { labels } : {}),
    ...(isObject(annotations) ? { annotations } : {}),
  };
  return { ...converted, metadata };
}
