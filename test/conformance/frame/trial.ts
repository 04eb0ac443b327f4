// One case on one server: it asks, and everything that it is told is kept, masked, in order.

import { createHash } from 'node:crypto';
import type { Ground } from './ground.ts';
import { Mask } from './mask.ts';
import { type Shown, shownAnswer, shownHeaders } from './shown.ts';
import { FrameReader } from './watching.ts';
import { type Answer, type Ask, ask, headersOf, open } from './wire.ts';

const SETTLED_DEADLINE_MS = 60_000;

/** A body as JSON, for a step that needs something out of an earlier answer. */
export interface Told extends Answer {
  /** Of whatever shape the server gave it: a case knows what it asked for. */
  readonly json: ReturnType<typeof JSON.parse>;
}

type Options = Omit<Ask, 'method' | 'path' | 'body'>;

export interface Watched {
  /** The next frames are recorded; fewer if the server ends the stream. */
  frames(count: number): Promise<readonly Told['json'][]>;
  /** Records frames until the server ends the stream, and that it did. */
  toEnd(): Promise<void>;
  close(): void;
}

export class Trial {
  /** The case's own Namespace; made when it is first named. */
  readonly ns: string;
  readonly ground: Ground;
  readonly shown: Shown[] = [];
  readonly mask: Mask;
  readonly #slug: string;
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #hasNamespace = false;

  constructor(ground: Ground, says: string) {
    this.ground = ground;
    this.#slug = slugOf(says);
    this.ns = `${ground.prefix}${this.#slug}`;
    this.mask = new Mask(ground.prefix);
  }

  /** A name of the case's own, for what is not in a Namespace. */
  own(part: string): string {
    return `${this.ns}-${part}`;
  }

  /** `/api/v1/namespaces/NS/PLURAL...`: makes the Namespace when it is not there yet. */
  async in(rest: string, api = '/api/v1'): Promise<string> {
    if (!this.#hasNamespace) {
      this.#hasNamespace = true;
      await this.quietly({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: this.ns } } });
      this.after(() => this.quietly({ method: 'DELETE', path: `/api/v1/namespaces/${this.ns}` }));
    }
    return `${api}/namespaces/${this.ns}/${rest}`;
  }

  get = (path: string, options: Options = {}): Promise<Told> => this.send({ method: 'GET', path, ...options });
  post = (path: string, body: unknown, options: Options = {}): Promise<Told> =>
    this.send({ method: 'POST', path, body, ...options });
  put = (path: string, body: unknown, options: Options = {}): Promise<Told> =>
    this.send({ method: 'PUT', path, body, ...options });
  delete = (path: string, body?: unknown, options: Options = {}): Promise<Told> =>
    this.send({ method: 'DELETE', path, body, ...options });

  /** `how` is the patch's media type without `application/`: `merge-patch+json`, `apply-patch+yaml`, ... */
  patch(path: string, how: string, body: unknown, options: Options = {}): Promise<Told> {
    const headers = { 'content-type': `application/${how}`, ...options.headers };
    return this.send({ method: 'PATCH', path, body, ...options, headers });
  }

  /** Asks and records the whole answer. */
  async send(what: Ask): Promise<Told> {
    const told = await this.quietly(what);
    this.shown.push(shownAnswer(this.mask.text(`${what.method} ${what.path}`), told, this.mask));
    return told;
  }

  /** Asks without recording: preparation. */
  async quietly(what: Ask): Promise<Told> {
    const answer = await ask(this.ground, what);
    return { ...answer, json: jsonOf(answer) };
  }

  /** Records something worked out of answers: a difference of times, an order of versions. */
  note(what: string, value: unknown): void {
    this.shown.push([this.mask.text(what), this.mask.json(value)]);
  }

  /** Opens a watch; its head is recorded now, its frames as they are asked for. */
  async watch(path: string, options: Options = {}): Promise<Watched> {
    const incoming = await open(this.ground, { method: 'GET', path, ...options });
    const asked = this.mask.text(`WATCH ${path}`);
    if (incoming.statusCode !== 200) {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const answer = { status: incoming.statusCode ?? 0, headers: headersOf(incoming), body: Buffer.concat(chunks) };
      this.shown.push(shownAnswer(asked, answer, this.mask));
      return { frames: async () => [], toEnd: async () => undefined, close: () => undefined };
    }
    this.shown.push([asked, 200, shownHeaders(headersOf(incoming), this.mask)]);
    const reader = new FrameReader(incoming);
    this.after(async () => reader.close());
    const one = async (): Promise<Told['json'] | undefined> => {
      const frame = await reader.next();
      this.shown.push(['frame', frame === undefined ? 'the stream ended' : this.#frame(frame)]);
      return frame;
    };
    return {
      frames: async count => {
        const frames: Told['json'][] = [];
        while (frames.length < count) {
          const frame = await one();
          if (frame === undefined) break;
          frames.push(frame);
        }
        return frames;
      },
      toEnd: async () => {
        while ((await one()) !== undefined);
      },
      close: () => reader.close(),
    };
  }

  /** Others write meanwhile, so the version of a bookmark is only that: one. */
  #frame(frame: { type: string; object: Readonly<Record<string, unknown>> }): unknown {
    if (frame.type !== 'BOOKMARK') return this.mask.json(frame);
    const text = JSON.stringify(frame).replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"<bookmark-rv>"');
    return this.mask.json({ ...JSON.parse(text) });
  }

  /** Waits on a watch until the object is as told (undefined: it is gone), then asks for it once more, recorded. */
  async until(path: string, settled: (object: Told['json'] | undefined) => boolean): Promise<Told> {
    const deadline = Date.now() + SETTLED_DEADLINE_MS;
    const cut = path.lastIndexOf('/');
    const [collection, name] = [path.slice(0, cut), path.slice(cut + 1)];
    for (;;) {
      const now = await this.quietly({ method: 'GET', path });
      if (settled(now.status === 404 ? undefined : now.json)) return this.get(path);
      if (Date.now() > deadline) throw new Error(`${path} did not settle; it is ${now.body.toString()}`);
      await this.#change(`${collection}?watch=1&timeoutSeconds=5&fieldSelector=metadata.name%3D${name}`, now);
    }
  }

  async #change(watch: string, now: Told): Promise<void> {
    const version = now.json?.metadata?.resourceVersion;
    const path = version === undefined ? watch : `${watch}&resourceVersion=${version}`;
    const reader = new FrameReader(await open(this.ground, { method: 'GET', path }));
    await reader.next().catch(() => undefined);
    reader.close();
  }

  /** Runs when the case has ended, last first, without being recorded. */
  after(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup().catch(() => undefined);
  }
}

/** Short, unique, and a name that anything may have. */
function slugOf(says: string): string {
  const words = says
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-|-$/g, '');
  return `${words}-${createHash('sha256').update(says).digest('hex').slice(0, 5)}`;
}

function jsonOf({ body, headers }: Answer): unknown {
  if (!(headers['content-type'] ?? '').includes('json')) return undefined;
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
