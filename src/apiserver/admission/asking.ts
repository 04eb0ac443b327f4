// Asks one webhook about one request: what it says, or how it could not be asked.

import { forbidden, internalError, Refusal } from '../answer/status.ts';
import { subjectOf } from '../core.ts';
import type { JsonObject, Resource } from '../parts.ts';
import { numberAt, stringAt } from '../rules/json.ts';
import { judge } from './conditions.ts';
import { type AdmissionRequest, inputsOf, labelledBy, nameOf } from './request.ts';
import { InvalidResponse, type Response, responseIn, reviewOf, UndecodablePatch } from './review.ts';
import { matchedAs, selects } from './rules.ts';
import { CallFailed, callWebhook } from './webhook-client.ts';
import type { Webhook } from './webhooks.ts';

/** As which resource the webhook is to be asked about the request; undefined: it is not. */
export function askedAs(webhook: Webhook, request: AdmissionRequest): Resource | undefined {
  const { call, operation } = request;
  const { resource, path, core } = call;
  const target = { resource, subresource: path.subresource, operation };
  const matched = matchedAs(webhook.match, target, () => core.registry.equivalentsOf(resource, path.subresource));
  if (matched === undefined || !selects(webhook.match, labelledBy(request))) return undefined;
  if (webhook.conditions.length === 0) return matched;
  const answer = judge(webhook.conditions, inputsOf(request, matched));
  if (answer.kind === 'hold') return matched;
  if (answer.kind === 'do not hold' || webhook.failurePolicy === 'Ignore') return undefined;
  throw forbidden(subjectOf(call, nameOf(request)), answer.why);
}

/** The response of the webhook; undefined when it failed and its policy is to pass over that. */
export async function ask(
  webhook: Webhook,
  request: AdmissionRequest,
  matched: Resource,
  kind: 'mutating' | 'validating',
): Promise<Response | undefined> {
  const { call } = request;
  const { uid, body } = reviewOf(request, matched);
  try {
    const answer = await callWebhook(call.core, webhook.client, body, webhook.timeoutSeconds);
    const response = responseIn(answer, uid, kind);
    call.warnings.push(...response.warnings);
    if (!response.allowed) throw denied(webhook.name, response.status);
    return response;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (webhook.failurePolicy === 'Ignore') return undefined;
    throw internalError(`failed calling webhook ${JSON.stringify(webhook.name)}: ${whyOf(error)}`);
  }
}

function whyOf(error: unknown): string {
  if (error instanceof CallFailed) return `failed to call webhook: ${error.message}`;
  if (error instanceof InvalidResponse) return `received invalid webhook response: ${error.message}`;
  if (error instanceof UndecodablePatch) return `received undecodable patch in webhook response: ${error.message}`;
  throw error;
}

const BAD_REQUEST = 400;

/** The webhook's own status, with who refused put before its message. */
function denied(name: string, status: JsonObject = {}): Refusal {
  const by = `admission webhook ${JSON.stringify(name)} denied the request`;
  const [said, reason] = [stringAt(status, 'message'), stringAt(status, 'reason')];
  const why = said || reason;
  const code = numberAt(status, 'code') ?? 0;
  return new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: why === '' ? `${by} without explanation` : `${by}: ${why}`,
    ...(reason === '' ? {} : { reason }),
    ...(status.details === undefined ? {} : { details: status.details as NonNullable<Refusal['status']['details']> }),
    code: Math.max(code, BAD_REQUEST),
  });
}
