// For tests: an API in this process under a clock that the test moves, asked and answered in JSON.

import type { Clock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { ApiRequest, ApiResponse, EventStream, Identity } from '../kube/transport.ts';
import { createApi, type EmbeddedApi } from './api.ts';
import {
  builtinSchema,
  fieldOwnership,
  openApi,
  printer,
  protobufCodec,
  resources,
  strategicMerge,
} from './builtin/index.ts';
import type { ApiParts, Json, JsonObject } from './parts.ts';
import { isObject, objectAt, stringAt } from './rules/json.ts';
import { crdCheck, customSchemaWork } from './schema/index.ts';
import { memoryStore } from './store-memory.ts';

const ADMIN: Identity = { name: 'admin', groups: ['system:masters'] };
/** The instant at which every test begins: 2026-01-01T00:00:00Z. */
const START_MS = 1_767_225_600_000;

/** Time that stands still until it is moved. */
export class HandClock implements Clock {
  #now = START_MS;
  #timers: { readonly due: number; readonly fn: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { due: this.#now + ms, fn };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter(other => other !== timer);
    };
  }

  sleep(ms: number): Promise<void> {
    return new Promise(resolve => this.after(ms, resolve));
  }

  deadline(ms: number): AbortSignal {
    const controller = new AbortController();
    this.after(ms, () => controller.abort());
    return controller.signal;
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Moves on, calling what is due in its order. */
  move(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#timers.filter(timer => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter(timer => timer !== next);
      this.#now = next.due;
      next.fn();
    }
    this.#now = end;
  }
}

/** Counts instead of drawing. */
class CountingRandom implements Random {
  #count = 0;

  below(n: number): number {
    this.#count += 1;
    return this.#count % n;
  }

  uuid(): string {
    this.#count += 1;
    return `00000000-0000-4000-8000-${String(this.#count).padStart(12, '0')}`;
  }

  bytes(n: number): Uint8Array {
    return new Uint8Array(n);
  }

  stream(): Random {
    return this;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject;
  readonly text: string;
}

export interface Ask {
  readonly body?: Json | Uint8Array;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly identity?: Identity;
}

/** An API and short ways to ask it. */
export class ApiUnderTest {
  readonly clock: HandClock;
  readonly api: EmbeddedApi;

  constructor(api: EmbeddedApi, clock: HandClock) {
    this.api = api;
    this.clock = clock;
  }

  async ask(method: ApiRequest['method'], path: string, ask: Ask = {}): Promise<Answer> {
    const response = await this.send(method, path, ask);
    const text = new TextDecoder().decode(response.body);
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : {};
    return { status: response.status, headers: response.headers, text, body: isObject(body) ? body : {} };
  }

  get = (path: string, ask?: Ask): Promise<Answer> => this.ask('GET', path, ask);
  create = (path: string, body: Json | Uint8Array, ask: Ask = {}): Promise<Answer> =>
    this.ask('POST', path, { ...ask, body });
  update = (path: string, body: Json, ask: Ask = {}): Promise<Answer> => this.ask('PUT', path, { ...ask, body });
  delete = (path: string, ask?: Ask): Promise<Answer> => this.ask('DELETE', path, ask);

  patch(path: string, body: Json, type = 'merge-patch+json', query = ''): Promise<Answer> {
    return this.ask('PATCH', path, { body, query, headers: { 'content-type': `application/${type}` } });
  }

  async watch(path: string, query = '', ask: Ask = {}): Promise<Watched> {
    const response = await this.send('GET', path, { ...ask, query: `watch=1&${query}` });
    if (response.stream === undefined) throw new Error(`no watch: ${new TextDecoder().decode(response.body)}`);
    return new Watched(response.stream);
  }

  send(method: ApiRequest['method'], path: string, ask: Ask): Promise<ApiResponse> {
    const { body, query = '', headers = {}, identity = ADMIN } = ask;
    const bytes =
      body === undefined || body instanceof Uint8Array ? body : new TextEncoder().encode(JSON.stringify(body));
    return this.api.transport({
      method,
      path,
      query,
      headers,
      identity,
      ...(bytes === undefined ? {} : { body: bytes }),
    });
  }
}

/** A watch whose events are read one by one. */
export class Watched {
  readonly stream: EventStream;

  constructor(stream: EventStream) {
    this.stream = stream;
  }

  async next(): Promise<{ type: string; object: JsonObject } | undefined> {
    const frame = await this.stream.next();
    if (frame === undefined) return undefined;
    const event: unknown = JSON.parse(new TextDecoder().decode(frame));
    return isObject(event) ? { type: stringAt(event, 'type'), object: objectAt(event, 'object') } : undefined;
  }

  /** `ADDED a` for the next `count` events. */
  async said(count: number): Promise<readonly string[]> {
    const events: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const event = await this.next();
      events.push(event === undefined ? 'END' : `${event.type} ${nameOf(event.object)}`);
    }
    return events;
  }
}

export const nameOf = (object: JsonObject): string => stringAt(objectAt(object, 'metadata'), 'name');
export const metaOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata');
export const versionOf = (object: JsonObject): string => stringAt(metaOf(object), 'resourceVersion');

const PARTS: ApiParts = {
  resources,
  builtinSchema,
  customSchema: customSchemaWork,
  crdCheck,
  protobuf: protobufCodec,
  strategicMerge,
  fieldOwnership,
  printer,
  openApi,
};

/** A new API in memory; `more` replaces or adds parts. */
export async function anApi(more: Partial<ApiParts> = {}, log = silentLog): Promise<ApiUnderTest> {
  const clock = new HandClock();
  const random = new CountingRandom();
  const api = await createApi({ store: memoryStore(), clock, random, parts: () => ({ ...PARTS, ...more }), log });
  return new ApiUnderTest(api, clock);
}
