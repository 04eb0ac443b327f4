// The one source of time: everything that waits, ages or expires asks this seam.

/** Time, as the program sees it. Virtual in fault runs, so nothing else may ask the system. */
export interface Clock {
  /** Milliseconds since 1970, UTC. Can jump. */
  now(): number;
  /** Milliseconds that only grow: deadlines and leases use this one. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fn` once after `ms` milliseconds, unless the returned function is called first. */
  after(ms: number, fn: () => void): () => void;
  /** A signal that aborts after `ms` milliseconds with a TimeoutError. */
  deadline(ms: number): AbortSignal;
}

/** Milliseconds in `n` seconds. */
export const seconds = (n: number): number => n * 1000;

/** Milliseconds in `n` minutes. */
export const minutes = (n: number): number => n * 60_000;

/** RFC 3339 in whole seconds, UTC: what Kubernetes calls `Time`. */
export function kubeTime(ms: number): string {
  return `${isoOf(Math.floor(ms / 1000) * 1000).slice(0, 19)}Z`;
}

/** RFC 3339 with exactly six fraction digits, UTC: what Kubernetes calls `MicroTime` (Leases, Events). */
export function kubeMicroTime(ms: number): string {
  return `${isoOf(ms).slice(0, 23)}000Z`;
}

/** A time in a header of HTTP: `Fri, 02 Jan 2026 03:04:05 UTC`. */
export const headerTime = (ms: number): string => new Date(ms).toUTCString().replace('GMT', 'UTC');

/** Milliseconds since 1970 of a Kubernetes `Time` or `MicroTime`; NaN when it is none. */
export function millisOf(time: string | undefined): number {
  return time === undefined ? Number.NaN : Date.parse(time);
}

/** `sleep` for any clock, made of its `after`. */
export function sleepOn(clock: Pick<Clock, 'after'>, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    });
    const giveUp = (): void => {
      cancel();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}

/** Formats a given instant; reads no clock. */
function isoOf(ms: number): string {
  const known = formatted.get(ms);
  if (known !== undefined) return known;
  const text = new Date(ms).toISOString();
  if (formatted.size >= MAX_FORMATTED) formatted.clear();
  formatted.set(ms, text);
  return text;
}

/** Instants that were formatted a moment ago: the same few stand in all objects that are written now. */
const formatted = new Map<number, string>();
const MAX_FORMATTED = 256;
