// One at a time per name: a VM, a golden base, or the collector's deletions.

/** Runs work that concerns one name alone, in the order it came. */
export interface Locks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Whether somebody holds or awaits this name. */
  busy(name: string): boolean;
}

export function locks(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    busy: name => last.has(name),
    run: (name, work) => {
      const mine = (last.get(name) ?? Promise.resolve()).then(work, work);
      const over = mine.then(
        () => undefined,
        () => undefined,
      );
      last.set(name, over);
      return mine.finally(() => {
        if (last.get(name) === over) last.delete(name);
      });
    },
  };
}
