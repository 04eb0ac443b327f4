// How a request reaches an API server: over HTTP(S), in process, or through a wrapper that injects faults.

/** Who asks. Over HTTP the connection's credentials say so; in process the request carries it. */
export interface Identity {
  readonly name: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Header names are lower case. `query` is already encoded, without the question mark. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Ignored over HTTP. In process, absent means: authenticate by the headers. */
  readonly identity?: Identity;
  /** Aborting gives the request up; whether it was carried out is then unknown. */
  readonly signal?: AbortSignal;
}

/** A watch: one frame (one JSON document, or one protobuf WatchEvent) per `next()`. */
export interface EventStream {
  /** The next frame; undefined once the stream has ended in order. Rejects when the connection broke. One call at a time. */
  next(): Promise<Uint8Array | undefined>;
  /**
   * Further frames that are there already, joined up to about so many bytes, if the stream can tell: whoever writes frames
   * on writes several at once. Streams at the same place may give the same bytes.
   */
  ready?(maxBytes: number): Uint8Array | undefined;
  /** Other streams give the very same bytes, which nobody changes: who reads frames in this process can read each once. */
  readonly sameBytes?: true;
  /** Ends the stream: a pending `next()` resolves to undefined. Can be called again. */
  close(reason: string): void;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `Set-Cookie` headers of a server behind this one: the only ones that cannot be told in one. */
  readonly cookies?: readonly string[];
  /** The whole body, or empty when `stream` is there. */
  readonly body: Uint8Array;
  /** The same body piece by piece, when it is large: whoever writes it out need not hold it whole. */
  readonly pieces?: () => Iterable<Uint8Array>;
  readonly stream?: EventStream;
}

/** Carries one request. Rejects with `unavailable` (kube/errors.ts) when no answer came; every HTTP status resolves. */
export type Transport = (request: ApiRequest) => Promise<ApiResponse>;
