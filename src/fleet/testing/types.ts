// What `pippin/testing` offers, in types that stand alone: a program that imports it needs no other file of ours.

/** What can run beside the API. On Kubernetes these are controllers of kube-controller-manager, and the scheduler. */
export type ControllerName =
  | 'clusterrole-aggregation'
  | 'disruption'
  | 'garbage-collector'
  | 'namespace'
  | 'namespace-defaults'
  | 'node-certificates'
  | 'node-lifecycle'
  | 'pod-garbage-collector'
  | 'scheduler'
  | 'service-account-tokens'
  | 'taint-eviction';

export interface StartOptions {
  /** Serve HTTPS on this port of 127.0.0.1; 0: any free one. Left out: in process only. */
  readonly port?: number;
  /** Keep everything in this folder. Left out: in memory, gone with the process. Needs Node 24. */
  readonly dataDir?: string;
  /** Definitions to install before `startApi` resolves: objects, or files and folders of YAML or JSON. */
  readonly crds?: readonly (string | object)[];
  /** Which controllers run; none unless told otherwise, as with kube-apiserver alone. */
  readonly controllers?: 'all' | 'none' | readonly ControllerName[];
  /** `virtual` stands still until `advance` moves it. `system` unless told otherwise. */
  readonly clock?: 'system' | 'virtual';
  /** Where a virtual clock starts, as `2026-01-01T00:00:00Z`: that time unless told otherwise. */
  readonly startAt?: string;
}

/** Who asks. Without groups: only `system:authenticated`, to which everybody belongs. */
export interface TestIdentity {
  readonly user: string;
  readonly groups?: readonly string[];
}

export interface TestRequest {
  /** GET unless told otherwise. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the query: `/api/v1/pods?limit=10`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; for a PATCH without `content-type` it is a merge patch. */
  readonly body?: object | string | Uint8Array;
  /** Aborting gives the request up. */
  readonly signal?: AbortSignal;
}

/** Every status is an answer: look at `status` before the object. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  text(): string;
  /** The body as JSON: the object, the list, or the Status of a refusal. */
  json<T = unknown>(): T;
}

export interface WatchEvent<T = unknown> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

/** An open watch. It ends with the API. */
export interface TestWatch<T = unknown> extends AsyncIterable<WatchEvent<T>> {
  /** The next event; undefined once the watch has ended. One call at a time. */
  next(): Promise<WatchEvent<T> | undefined>;
  close(): void;
}

export interface KubeconfigOptions {
  /** How the file proves who one is: a client certificate unless told otherwise. */
  readonly credential?: 'certificate' | 'token';
}

/** The API for one identity. What needs a port says so where there is none. */
export interface TestClient {
  request(request: TestRequest): Promise<TestResponse>;
  /** Opens a watch on a collection: `/api/v1/pods?resourceVersion=12`. */
  watch<T = unknown>(path: string): Promise<TestWatch<T>>;
  /** The API as the web's `fetch`, for clients that take one; no socket is opened, of the address only the path counts. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** A bearer token of this identity. */
  readonly token: string;
  /** The text of a kubeconfig that leads here. Needs a port. */
  kubeconfig(options?: KubeconfigOptions): Promise<string>;
  /** The same as a file that nobody else can read; it goes when the API is closed. Needs a port. */
  kubeconfigFile(options?: KubeconfigOptions): Promise<string>;
}

/** A running API; as a client it is the administrator's (`system:masters`). */
export interface TestApi extends TestClient, AsyncDisposable {
  /** `https://127.0.0.1:PORT`. Needs a port. */
  readonly url: string;
  /** Whom to trust there. */
  readonly caPem: string;
  as(identity: TestIdentity): TestClient;
  /** What time the API thinks it is, in milliseconds since 1970. */
  now(): number;
  /** Moves a virtual clock on by `ms`; what falls due happens in order, and has settled when this resolves. */
  advance(ms: number): Promise<void>;
  /** Ends watches, controllers and connections. Can be called again. */
  close(): Promise<void>;
}
