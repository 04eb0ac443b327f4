// Which Nodes that Pods are bound to are missing, and for how long: a Node counts as gone only after a quarantine.

/** When each missing Node was first missed, in monotonic milliseconds. */
export type Quarantine = ReadonlyMap<string, number>;

/** Nodes that left the quarantine, to be looked up live, and the quarantine that goes on. */
export interface Suspicion {
  readonly quarantine: Quarantine;
  readonly overdue: readonly string[];
}

/** Moves the quarantine on: `boundTo` are the Node names that Pods bear, `existing` the Nodes in the cache. */
export function suspect(
  quarantine: Quarantine,
  nodes: { readonly boundTo: Iterable<string>; readonly existing: ReadonlySet<string> },
  time: { readonly nowMs: number; readonly quarantineMs: number },
): Suspicion {
  const missing = [...new Set(nodes.boundTo)].filter(name => name !== '' && !nodes.existing.has(name));
  const next = new Map(missing.map(name => [name, quarantine.get(name) ?? time.nowMs]));
  const overdue = missing.filter(name => time.nowMs - (next.get(name) ?? time.nowMs) >= time.quarantineMs);
  return { quarantine: next, overdue };
}
