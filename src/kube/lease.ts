// What a Lease says of who leads, and what each side writes into it. The wire format is client-go's.

import { kubeMicroTime, seconds } from '../base/clock.ts';
import { Lease } from './core/node.ts';
import type { ObjectKey } from './object.ts';

/** Who holds a lease; undefined when nobody does or it was let go. */
export const holderOf = (lease: Lease): string | undefined => lease.spec?.holderIdentity || undefined;

/** How long others must see a lease unchanged before they take it: what its holder wrote, if that is longer than ours. */
const patienceMs = (lease: Lease, oursMs: number): number =>
  Math.max(oursMs, seconds(lease.spec?.leaseDurationSeconds ?? 0));

/** The lease that nobody has made yet. */
export function newLease(key: ObjectKey, holder: string, durationMs: number, nowMs: number): Lease {
  const empty: Lease = { apiVersion: 'coordination.k8s.io/v1', kind: Lease.kind, metadata: { ...key } };
  return taken(empty, holder, durationMs, nowMs);
}

/** `lease` as `holder` takes it, or renews it. */
export function taken(lease: Lease, holder: string, durationMs: number, nowMs: number): Lease {
  const time = kubeMicroTime(nowMs);
  const same = holderOf(lease) === holder;
  const transitions = lease.spec?.leaseTransitions ?? -1;
  return {
    ...lease,
    spec: {
      ...lease.spec,
      holderIdentity: holder,
      leaseDurationSeconds: Math.ceil(durationMs / 1000),
      acquireTime: same ? (lease.spec?.acquireTime ?? time) : time,
      renewTime: time,
      leaseTransitions: Math.max(0, same ? transitions : transitions + 1),
    },
  };
}

/** What a holder that leads, and does nothing, tells those who look at its lease. */
const STANDS_STILL = 'pippin.dev/stands-still';

/** `lease` with this told on it, or nothing. */
export function noted(lease: Lease, text: string | undefined): Lease {
  const { [STANDS_STILL]: before, ...others } = lease.metadata.annotations ?? {};
  if (before === text) return lease;
  const annotations = text === undefined ? others : { ...others, [STANDS_STILL]: text };
  return { ...lease, metadata: { ...lease.metadata, annotations } };
}

/** `lease` as its holder lets it go: others need not wait. */
export function letGo(lease: Lease, nowMs: number): Lease {
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime: kubeMicroTime(nowMs) },
  };
}

/** What one program has seen of a lease, by its own clock: from when on it may take it. */
export class LeaseSight {
  lease: Lease | undefined;
  private sinceMs: number | undefined;
  private everThere = false;

  /** The lease as it was just read or written (undefined: it is not there). Unchanged, it ages. */
  see(lease: Lease | undefined, nowMs: number): void {
    const version = lease?.metadata.resourceVersion;
    if (this.sinceMs === undefined || version !== this.lease?.metadata.resourceVersion) this.sinceMs = nowMs;
    this.lease = lease;
    this.everThere ||= lease !== undefined;
  }

  isOf(holder: string): boolean {
    return this.lease !== undefined && holderOf(this.lease) === holder;
  }

  /** Whether somebody else, or nobody, is known to hold it. */
  isNotOf(holder: string): boolean {
    return this.sinceMs !== undefined && !this.isOf(holder);
  }

  /** Whether `holder` may write itself in: it is the one, nobody is, or whoever is has been silent for too long. */
  isFreeFor(holder: string, nowMs: number, durationMs: number): boolean {
    if (this.sinceMs === undefined) return false;
    if (this.isOf(holder)) return true;
    const ageMs = nowMs - this.sinceMs;
    // Deleted by somebody: its holder may not know yet, and is given its time.
    if (this.lease === undefined) return !this.everThere || ageMs >= durationMs;
    return holderOf(this.lease) === undefined || ageMs >= patienceMs(this.lease, durationMs);
  }
}
