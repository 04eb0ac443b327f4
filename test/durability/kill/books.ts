// What a client knows of the objects that it wrote, and what no restart of the server may contradict (api-1, api-3).

/** What was written, whole, in one word; undefined: the object is not there. */
export type Mark = string | undefined;

/** An object as an answer, a list or a watch showed it. */
export interface Sighting {
  readonly name: string;
  readonly revision: number;
  readonly mark: Mark;
}

interface Entry {
  mark: Mark;
  /** The newest at which it was seen. */
  revision: number;
  /** A write that has not been answered; `shown` once a watch has shown it. */
  pending?: { readonly mark: Mark; shown: boolean };
}

export class Books {
  readonly violations: string[] = [];
  readonly #entries = new Map<string, Entry>();
  readonly #atRevision = new Map<number, string>();
  #newest = 0;

  get newest(): number {
    return this.#newest;
  }

  markOf(name: string): Mark {
    return this.#entry(name).mark;
  }

  began(name: string, mark: Mark): void {
    this.#entry(name).pending = { mark, shown: false };
  }

  /** The write was answered; the answer to a deletion names no revision. */
  acknowledged(name: string, mark: Mark, revision?: number): void {
    const entry = this.#entry(name);
    delete entry.pending;
    entry.mark = mark;
    if (revision === undefined) return;
    this.#note({ name, revision, mark });
    entry.revision = Math.max(entry.revision, revision);
  }

  refused(name: string, why: string): void {
    delete this.#entry(name).pending;
    this.violations.push(`a write of ${name} was refused, as if an acknowledged one were not there: ${why}`);
  }

  /** Durable before visible: what a watch has shown must be there after any restart. */
  watched(sighting: Sighting): void {
    this.#note(sighting);
    const entry = this.#entry(sighting.name);
    if (sighting.revision <= entry.revision) return;
    const { pending } = entry;
    if (pending !== undefined && pending.mark === sighting.mark) pending.shown = true;
    else if (entry.mark !== sighting.mark) this.violations.push(`a watch showed what nobody wrote: ${text(sighting)}`);
    entry.revision = sighting.revision;
  }

  /** What a restarted server lists is compared with what was known when its predecessor was killed. */
  restarted(revision: number, listed: readonly Sighting[]): void {
    if (revision < this.#newest) {
      this.violations.push(`revision ${revision} after the restart, but ${this.#newest} was seen before`);
    }
    const byName = new Map(listed.map(one => [one.name, one]));
    for (const name of byName.keys()) this.#entry(name);
    for (const [name, entry] of this.#entries) this.#compare(name, entry, byName.get(name));
  }

  #compare(name: string, entry: Entry, found: Sighting | undefined): void {
    const { mark, pending } = entry;
    const possible = pending === undefined ? [mark] : pending.shown ? [pending.mark] : [mark, pending.mark];
    if (!possible.includes(found?.mark)) {
      const expected = possible.map(one => one ?? 'absent').join(' or ');
      this.violations.push(`${name} is ${found?.mark ?? 'absent'} after the restart, expected ${expected}`);
    }
    if (found !== undefined) {
      this.#note(found);
      if (found.revision < entry.revision) {
        this.violations.push(`${text(found)} after the restart, but it was seen at ${entry.revision}`);
      }
      entry.revision = found.revision;
    }
    entry.mark = found?.mark;
    delete entry.pending;
  }

  /** One revision is one change, for ever. */
  #note(sighting: Sighting): void {
    const now = text(sighting);
    const before = this.#atRevision.get(sighting.revision) ?? now;
    if (before !== now) this.violations.push(`a revision was used twice: ${before}, and ${now}`);
    this.#atRevision.set(sighting.revision, now);
    this.#newest = Math.max(this.#newest, sighting.revision);
  }

  #entry(name: string): Entry {
    let entry = this.#entries.get(name);
    if (entry === undefined) {
      entry = { mark: undefined, revision: 0 };
      this.#entries.set(name, entry);
    }
    return entry;
  }
}

const text = ({ name, revision, mark }: Sighting): string => `${name} ${mark ?? 'deleted'} at ${revision}`;
