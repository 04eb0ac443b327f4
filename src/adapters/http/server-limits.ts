// How much a server takes on at once: requests in flight, bytes of bodies that are being read, seconds that a client may stall (api-37).

import type { ServedRequest } from '../../apiserver/access.ts';
import { seconds } from '../../base/clock.ts';
import { defaultUnread, Unread, type UnreadBounds } from './server-unread.ts';

export interface ServerLimits {
  /** As kube-apiserver's --max-requests-inflight and --max-mutating-requests-inflight; watches are not counted. */
  readonly reads: number;
  readonly writes: number;
  /** So many more wait for their turn; what comes then is refused with 429. */
  readonly waiting: number;
  /** Large bodies that are being read, of all clients together; small ones are bounded by the connections (server-body.ts). */
  readonly bodyBytes: number;
  /** A client that reads or sends nothing for so long loses its request. */
  readonly stallMs: number;
  /** How long a connection may take until TLS is agreed on: anybody can begin that. */
  readonly handshakeMs: number;
  /** Connections that are not so far; one more ends the one that has been at it for longest. */
  readonly handshakes: number;
  /** What is held for clients that do not read their watches. */
  readonly unread: UnreadBounds;
}

export const defaultLimits: ServerLimits = {
  reads: 400,
  writes: 200,
  waiting: 4000,
  bodyBytes: 256 * 1024 * 1024,
  stallMs: seconds(60),
  handshakeMs: seconds(10),
  handshakes: 1024,
  unread: defaultUnread,
};

/** To be called once, when the request has been answered. */
export type Release = () => void;

/** Requests of one kind: so many at once, so many that wait. */
export class InFlight {
  readonly #most: number;
  readonly #mostWaiting: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(most: number, mostWaiting: number) {
    this.#most = most;
    this.#mostWaiting = mostWaiting;
  }

  /** Undefined: too many wait already. */
  enter(): Release | Promise<Release> | undefined {
    if (this.#running < this.#most) {
      this.#running += 1;
      return this.#release;
    }
    if (this.#queue.length >= this.#mostWaiting) return undefined;
    return new Promise(resolve => this.#queue.push(() => resolve(this.#release)));
  }

  /** Whoever waits longest takes the place. */
  readonly #release = (): void => {
    const next = this.#queue.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  };
}

/** What the requests of one server share. */
export class Load {
  readonly limits: ServerLimits;
  readonly unread: Unread;
  readonly #reads: InFlight;
  readonly #writes: InFlight;
  #bodyBytes = 0;

  constructor(limits: ServerLimits) {
    this.limits = limits;
    this.unread = new Unread(limits.unread);
    this.#reads = new InFlight(limits.reads, limits.waiting);
    this.#writes = new InFlight(limits.writes, limits.waiting);
  }

  enter(request: ServedRequest): Release | Promise<Release> | undefined {
    if (isLongRunning(request)) return () => undefined;
    return (request.method === 'GET' ? this.#reads : this.#writes).enter();
  }

  /** Whether there is room for these bytes of a body; they are given back when the body has been read or given up. */
  takeBody(bytes: number): boolean {
    if (this.#bodyBytes + bytes > this.limits.bodyBytes) return false;
    this.#bodyBytes += bytes;
    return true;
  }

  giveBody(bytes: number): void {
    this.#bodyBytes -= bytes;
  }
}

/** As kube-apiserver's `--max-requests-inflight` leaves out: what lasts as long as its client wants. */
function isLongRunning({ path, query }: ServedRequest): boolean {
  if (/(^|&)(watch|follow)=(1|t|true)(&|$)/i.test(query)) return true;
  return /\/(exec|attach|portforward|proxy)(\/|$)/.test(path) || path.includes('/watch/');
}
