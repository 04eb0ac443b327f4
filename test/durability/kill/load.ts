// Writes and watches of one life of the server, over HTTPS: every answer and event goes into the books until the server is gone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpTransport } from '../../../src/adapters/http/client.ts';
import type { Random } from '../../../src/base/random.ts';
import { Unavailable } from '../../../src/kube/errors.ts';
import type { ApiRequest, EventStream, Transport } from '../../../src/kube/transport.ts';
import type { Books, Sighting } from './books.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const OURS = 'soak-';
const WRITERS = 6;
/** Each writer has objects of its own, so that it knows what each of its writes meets. */
const OBJECTS = 4;
/** How far back a watch of a new life begins: history is compared too. */
const REPLAYED = 200;

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: { readonly mark?: string; readonly pad?: string };
}

export interface Tally {
  acknowledged: number;
  inFlight: number;
  events: number;
}

export class Load {
  readonly tally: Tally = { acknowledged: 0, inFlight: 0, events: 0 };
  readonly #api: Transport;
  readonly #books: Books;
  readonly #random: Random;
  readonly #life: number;
  readonly #acknowledged = new Set<() => void>();
  #watch: EventStream | undefined;

  constructor(url: string, dataDir: string, to: { books: Books; random: Random; life: number }) {
    const read = (file: string): string => readFileSync(join(dataDir, 'pki', file), 'utf8').trim();
    const token = read('admin.token');
    this.#api = httpTransport({ server: url, caPem: read('ca.crt'), token: () => Promise.resolve(token) });
    this.#books = to.books;
    this.#random = to.random;
    this.#life = to.life;
  }

  /** Compares what is there with the books. */
  async judge(): Promise<void> {
    const { status, body } = await this.#ask('GET', PATH);
    if (status !== 200) throw new Error(`the list was answered with ${status}`);
    const list = JSON.parse(body) as { metadata: { resourceVersion: string }; items: ConfigMap[] };
    const ours = list.items.filter(({ metadata }) => metadata.name.startsWith(OURS));
    this.#books.restarted(Number(list.metadata.resourceVersion), ours.map(sightingOf));
  }

  /** Begins; resolves once the server is gone and every write and the watch have ended. */
  async run(): Promise<void> {
    const writers = Array.from({ length: WRITERS }, (_, writer) => this.#write(writer));
    await Promise.all([this.#follow(), ...writers]);
    this.#watch?.close('the server was killed');
  }

  /** Resolves at the `count`th acknowledgement from now on. */
  acknowledgements(count: number): Promise<void> {
    let left = count;
    return new Promise(resolve => {
      const one = (): void => {
        left -= 1;
        if (left > 0) return;
        this.#acknowledged.delete(one);
        resolve();
      };
      this.#acknowledged.add(one);
    });
  }

  async #write(writer: number): Promise<void> {
    const random = this.#random.stream(`writer ${writer}`);
    for (let n = 0; ; n += 1) {
      const name = `${OURS}${writer}-${random.below(OBJECTS)}`;
      const mark = `${this.#life}-${writer}-${n}`;
      try {
        await this.#one(name, mark, random);
      } catch (error) {
        if (error instanceof Unavailable) return;
        throw error;
      }
    }
  }

  async #one(name: string, mark: string, random: Random): Promise<void> {
    const exists = this.#books.markOf(name) !== undefined;
    const next = exists && random.below(4) === 0 ? undefined : mark;
    const data = { mark, pad: padOf(mark, random.below(400)) };
    this.#books.began(name, next);
    this.tally.inFlight += 1;
    const answer = await this.#send(exists ? (next === undefined ? 'DELETE' : 'PATCH') : 'POST', name, data);
    this.tally.inFlight -= 1;
    if (answer.status >= 300) return this.#books.refused(name, `${answer.status} ${answer.body}`);
    const sighting = next === undefined ? undefined : sightingOf(JSON.parse(answer.body) as ConfigMap);
    this.#books.acknowledged(name, next, sighting?.revision);
    this.tally.acknowledged += 1;
    for (const tell of this.#acknowledged) tell();
  }

  #send(method: 'POST' | 'PATCH' | 'DELETE', name: string, data: object): Promise<{ status: number; body: string }> {
    if (method === 'DELETE') return this.#ask(method, `${PATH}/${name}`);
    if (method === 'PATCH') return this.#ask(method, `${PATH}/${name}`, { data });
    return this.#ask(method, PATH, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  }

  async #follow(): Promise<void> {
    try {
      const from = Math.max(1, this.#books.newest - REPLAYED);
      const query = `watch=true&resourceVersion=${from}`;
      const { status, stream } = await this.#api({ method: 'GET', path: PATH, query, headers: {} });
      if (status !== 200 || stream === undefined) throw new Error(`the watch was answered with ${status}`);
      this.#watch = stream;
      for (let frame = await stream.next(); frame !== undefined; frame = await stream.next()) this.#event(frame);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }

  #event(frame: Uint8Array): void {
    const { type, object } = JSON.parse(new TextDecoder().decode(frame)) as { type: string; object: ConfigMap };
    if (type === 'ERROR') throw new Error(`the watch ended: ${JSON.stringify(object)}`);
    if (!object.metadata.name.startsWith(OURS)) return;
    this.tally.events += 1;
    const sighting = sightingOf(object);
    this.#books.watched(type === 'DELETED' ? { ...sighting, mark: undefined } : sighting);
  }

  async #ask(method: ApiRequest['method'], path: string, body?: object): Promise<{ status: number; body: string }> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    const answer = await this.#api({ method, path, query: '', headers: { 'content-type': type }, ...sent });
    return { status: answer.status, body: new TextDecoder().decode(answer.body) };
  }
}

const padOf = (mark: string, times: number): string => `${mark}.`.repeat(times);

/** A mark stands for all of a write: one whose pad is not its own is half of one. */
function sightingOf({ metadata, data }: ConfigMap): Sighting {
  const { mark = '', pad = '' } = data ?? {};
  const isWhole = mark !== '' && pad === padOf(mark, pad.length / (mark.length + 1));
  return { name: metadata.name, revision: Number(metadata.resourceVersion), mark: isWhole ? mark : `half of ${mark}` };
}
