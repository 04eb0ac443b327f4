// Webhooks that stand behind a Service in this process: who is registered for it answers, without a network.

import type { WebhookAnswer, WebhookCall, WebhookPort, WebhookService } from '../apiserver/admission/webhook-port.ts';
import type { Stored } from '../apiserver/parts.ts';

/** Answers the review that was posted to the path. */
export type WebhookHandler = (path: string, review: unknown) => Promise<unknown>;

/** By `namespace/name:port`. */
export type WebhookHandlers = ReadonlyMap<string, WebhookHandler>;

/** Those that look at what the API holds. */
export type WebhooksOver = (stored: Stored) => WebhookHandlers;

export const webhookKey = ({ namespace, name, port }: WebhookService): string => `${namespace}/${name}:${port}`;

/** Webhooks with a URL are called by `byUrl`. */
export function webhookPort(handlers: WebhookHandlers, byUrl: WebhookPort): WebhookPort {
  return call => (call.service === undefined ? byUrl(call) : answered(handlers, call, call.service));
}

async function answered(
  handlers: WebhookHandlers,
  { url, body, signal }: WebhookCall,
  service: WebhookService,
): Promise<WebhookAnswer> {
  const handler = handlers.get(webhookKey(service));
  if (handler === undefined) throw new Error(`service ${JSON.stringify(service.name)} not found`);
  const answer = await Promise.race([
    handler(new URL(url).pathname, JSON.parse(new TextDecoder().decode(body))),
    late(signal),
  ]);
  return { status: 200, contentType: 'application/json', body: new TextEncoder().encode(JSON.stringify(answer)) };
}

const late = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('context deadline exceeded')), { once: true });
  });

/** Where nothing leaves the process. */
export const noWebhooksByUrl: WebhookPort = () => Promise.reject(new Error('this server calls no webhooks by URL'));
