// A Kubernetes API just large enough for the tests of this folder: objects, versions, watches, and nothing else.

import type { KubeObject } from './object.ts';
import type { ApiRequest, ApiResponse, EventStream, Transport } from './transport.ts';

interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly object: KubeObject;
}

interface Address {
  readonly collection: string;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

type Body = Record<string, unknown>;

const bytes = (body: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(body));
const answer = (status: number, body: unknown): ApiResponse => ({ status, headers: {}, body: bytes(body) });

/** Serves any kind; namespaced or not is read from the path. */
export class TinyApi {
  version = 100;
  /** Every write that was carried out: `PATCH /api/v1/nodes/mac-0/status`. */
  readonly writes: string[] = [];
  readonly open = new Set<TinyStream>();
  private compacted = 0;
  private readonly changes: Change[] = [];
  private readonly objects = new Map<string, Map<string, KubeObject>>();

  readonly transport: Transport = async request => {
    await Promise.resolve();
    const at = parsePath(request.path);
    const query = new URLSearchParams(request.query);
    if (query.get('watch') === 'true') return this.watch(at, Number(query.get('resourceVersion')));
    if (request.method === 'GET') return at.name === undefined ? this.list(at, query) : this.get(at);
    const body = request.body === undefined ? {} : (JSON.parse(new TextDecoder().decode(request.body)) as Body);
    const before = this.version;
    const result = this.write(request, at, body);
    if (this.version > before) this.writes.push(`${request.method} ${request.path}`);
    return result;
  };

  /** What is stored, by `namespace/name`. */
  stored(collection: string): ReadonlyMap<string, KubeObject> {
    return this.objects.get(collection) ?? new Map();
  }

  /** Forgets history: lists and watches from before answer 410. */
  compact(): void {
    this.compacted = this.version;
  }

  /** Sends every watch a bookmark. */
  bookmark(): void {
    for (const stream of this.open) {
      stream.push({ type: 'BOOKMARK', object: { metadata: { resourceVersion: String(this.version) } } });
    }
  }

  private get(at: Address): ApiResponse {
    const object = this.stored(at.collection).get(keyIn(at));
    return object === undefined ? notFound(at) : answer(200, object);
  }

  private list(at: Address, query: URLSearchParams): ApiResponse {
    const [atVersion, from] = (query.get('continue') ?? `${this.version}:0`).split(':').map(Number);
    if ((atVersion ?? 0) < this.compacted) return expired();
    const all = [...this.asOf(at, atVersion ?? 0).values()];
    const end = (from ?? 0) + Number(query.get('limit') ?? all.length);
    const metadata = {
      resourceVersion: String(atVersion),
      ...(end < all.length ? { continue: `${atVersion}:${end}` } : {}),
    };
    return answer(200, { metadata, items: all.slice(from, end) });
  }

  private asOf(at: Address, version: number): Map<string, KubeObject> {
    const objects = new Map<string, KubeObject>();
    for (const change of this.changes) {
      if (!concerns(change, at) || change.version > version) continue;
      const key = keyIn({ ...at, namespace: change.namespace, name: change.object.metadata.name });
      if (change.type === 'DELETED') objects.delete(key);
      else objects.set(key, change.object);
    }
    return objects;
  }

  private watch(at: Address, from: number): ApiResponse {
    if (from < this.compacted) return expired();
    const stream = new TinyStream(at, () => this.open.delete(stream));
    for (const change of this.changes) if (change.version > from && concerns(change, at)) stream.push(change);
    this.open.add(stream);
    return { status: 200, headers: {}, body: new Uint8Array(), stream };
  }

  private write(request: ApiRequest, at: Address, body: Body): ApiResponse {
    if (request.method === 'POST') return this.create(at, body);
    const live = this.stored(at.collection).get(keyIn(at));
    if (live === undefined) return notFound(at);
    if (request.method === 'DELETE') return this.delete(at, live, body);
    const sent = request.method === 'PUT' ? body : patched(live, body, request.headers['content-type'] ?? '');
    return sent === undefined ? conflict(at) : this.replace(at, live, sent);
  }

  private create(at: Address, body: Body): ApiResponse {
    const sent = body as Body & KubeObject;
    const where = { ...at, name: sent.metadata.name };
    if (this.stored(at.collection).has(keyIn(where))) return refusal(409, 'AlreadyExists', where);
    const uid = `uid-${this.version + 1}`;
    const creationTimestamp = '2026-01-01T00:00:00Z';
    return this.record('ADDED', where, {
      ...sent,
      metadata: { ...sent.metadata, uid, generation: 1, creationTimestamp },
    });
  }

  private replace(at: Address, live: KubeObject, body: Body): ApiResponse {
    const sent = body as Body & KubeObject;
    const locked = sent.metadata.resourceVersion;
    if (locked !== undefined && locked !== live.metadata.resourceVersion) return conflict(at);
    const { status } = live as Body & KubeObject;
    const next = at.subresource === 'status' ? { ...live, status: sent.status } : { ...sent, status };
    if (next.status === undefined) delete next.status;
    if (same(next, live)) return answer(200, live);
    if (next.metadata.deletionTimestamp !== undefined && (next.metadata.finalizers ?? []).length === 0) {
      return this.record('DELETED', at, next);
    }
    return this.record('MODIFIED', at, next);
  }

  private delete(at: Address, live: KubeObject, body: Body): ApiResponse {
    const { uid } = (body.preconditions ?? {}) as { uid?: string };
    if (uid !== undefined && uid !== live.metadata.uid) return conflict(at);
    if ((live.metadata.finalizers ?? []).length === 0) return this.record('DELETED', at, live);
    const deletionTimestamp = live.metadata.deletionTimestamp ?? '2026-01-01T00:00:00Z';
    return this.replace(at, live, { ...live, metadata: { ...live.metadata, deletionTimestamp } });
  }

  private record(type: Change['type'], at: Address, object: KubeObject): ApiResponse {
    const version = ++this.version;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const collection = this.objects.get(at.collection) ?? new Map<string, KubeObject>();
    this.objects.set(at.collection, collection);
    if (type === 'DELETED') collection.delete(keyIn(at));
    else collection.set(keyIn(at), stored);
    const change = { version, type, collection: at.collection, namespace: at.namespace, object: stored };
    this.changes.push(change);
    for (const stream of this.open) if (concerns(change, stream.at)) stream.push(change);
    if (type !== 'DELETED') return answer(type === 'ADDED' ? 201 : 200, stored);
    return answer(200, { kind: 'Status', status: 'Success', details: { uid: object.metadata.uid } });
  }
}

/** A watch: frames wait here until they are asked for. */
export class TinyStream implements EventStream {
  readonly at: Address;
  private readonly frames: Uint8Array[] = [];
  private ended = false;
  private broken: Error | undefined;
  private wake: () => void = () => undefined;
  private readonly onClose: () => void;

  constructor(at: Address, onClose: () => void) {
    this.at = at;
    this.onClose = onClose;
  }

  push({ type, object }: { type: string; object: unknown }): void {
    this.frames.push(bytes({ type, object }));
    this.wake();
  }

  /** Loses what was not read, as a torn connection does. */
  break(): void {
    this.frames.length = 0;
    this.broken = new Error('socket hang up');
    this.close();
  }

  async next(): Promise<Uint8Array | undefined> {
    while (this.frames.length === 0 && !this.ended) {
      await new Promise<void>(resolve => {
        this.wake = resolve;
      });
    }
    if (this.broken !== undefined) throw this.broken;
    return this.frames.shift();
  }

  close(): void {
    this.ended = true;
    this.onClose();
    this.wake();
  }
}

function parsePath(path: string): Address {
  const segments = path.split('/').slice(1);
  const root = segments[0] === 'api' ? 2 : 3;
  const namespaced = segments[root] === 'namespaces' && segments.length > root + 2;
  const [plural, name, subresource] = segments.slice(namespaced ? root + 2 : root);
  const collection = [...segments.slice(0, root), plural].join('/');
  return { collection, name, subresource, namespace: namespaced ? segments[root + 1] : undefined };
}

const keyIn = (at: Address): string => (at.namespace === undefined ? `${at.name}` : `${at.namespace}/${at.name}`);

const concerns = (change: Change, at: Address): boolean =>
  change.collection === at.collection && (at.namespace === undefined || at.namespace === change.namespace);

const same = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Undefined when a JSON patch does not fit. */
function patched(live: KubeObject, patch: unknown, contentType: string): Body | undefined {
  if (!contentType.includes('json-patch')) return merged(live, patch) as Body;
  const document: Body = structuredClone({ ...live });
  const fits = (patch as readonly Operation[]).every(operation => isApplied(document, operation));
  return fits ? document : undefined;
}

/** Those that our clients send. */
interface Operation {
  readonly op: 'test' | 'add' | 'replace' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

function isApplied(document: Body, { op, path, value }: Operation): boolean {
  const steps = path.split('/').map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = steps.pop() ?? '';
  const holder = steps.slice(1).reduce<unknown>((at, step) => (isBody(at) ? at[step] : undefined), document);
  if (!isBody(holder)) return false;
  if (op === 'test') return JSON.stringify(sorted(holder[key])) === JSON.stringify(sorted(value));
  if (op !== 'add' && !Object.hasOwn(holder, key)) return false;
  if (Array.isArray(holder)) spliced(holder, key, { op, path, value });
  else if (op === 'remove') delete holder[key];
  else holder[key] = value;
  return true;
}

function spliced(list: unknown[], key: string, { op, value }: Operation): void {
  const index = key === '-' ? list.length : Number(key);
  list.splice(index, op === 'add' ? 0 : 1, ...(op === 'remove' ? [] : [value]));
}

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null;

function merged(live: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const result: Body = typeof live === 'object' && live !== null && !Array.isArray(live) ? { ...live } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

const expired = (): ApiResponse => answer(410, { kind: 'Status', reason: 'Expired', code: 410 });
const notFound = (at: Address): ApiResponse => refusal(404, 'NotFound', at);
const conflict = (at: Address): ApiResponse => refusal(409, 'Conflict', at);

function refusal(code: number, reason: string, at: Address): ApiResponse {
  const [group, , plural] = at.collection.startsWith('api/')
    ? ['', '', at.collection.split('/')[2]]
    : at.collection.split('/').slice(1);
  const details = { name: at.name, kind: plural, ...(group === '' ? {} : { group }) };
  return answer(code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code, details });
}
