// When things happened to a VM in this run of the agent: for metrics, and to ask a guest only once. Lost with the agent.

/** All in milliseconds of the monotonic clock. */
export interface VmMoments {
  /** The Pod first asked for its base. */
  askedMs?: number;
  /** The VM was started by this agent; absent for one that was found running (agent-112). */
  startedMs?: number;
  /** Its first address was seen. */
  addressSeen?: boolean;
  /** The guest was asked to shut down. */
  shutDownMs?: number;
}

export interface Moments {
  of(vm: string): VmMoments;
  forget(vm: string): void;
}

export function moments(): Moments {
  const all = new Map<string, VmMoments>();
  return {
    of: vm => {
      const known = all.get(vm) ?? {};
      all.set(vm, known);
      return known;
    },
    forget: vm => void all.delete(vm),
  };
}
