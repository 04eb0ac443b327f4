// How webhooks are reached: over HTTPS, or in process where a Service is registered.

/** A Service that answers as a webhook. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** Where a webhook is. */
export interface WebhookClient {
  readonly url: string;
  readonly service: WebhookService | undefined;
  /** Empty: what the system trusts. */
  readonly caPem: string;
}

/** One call of a webhook. */
export interface WebhookCall {
  /** Whole, with its query. */
  readonly url: string;
  /** When the URL only names it: who is registered for this Service answers. */
  readonly service: WebhookService | undefined;
  /** The authorities that may have signed its certificate; empty: those of the system. */
  readonly caPem: string;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** Calls webhooks. Rejects when no answer came, and says why in the words of the real server: they reach its users. */
export type WebhookPort = (call: WebhookCall) => Promise<WebhookAnswer>;
