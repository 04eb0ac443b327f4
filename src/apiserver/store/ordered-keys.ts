// Keys in order, in chunks: the cost of an insertion does not grow with the number of keys (api-5).

/** Chunks split at this size; a split costs one copy of half a chunk. */
const CHUNK = 512;

/** A sorted set of strings. */
export class OrderedKeys {
  #chunks: string[][] = [];

  add(key: string): void {
    const at = this.#chunkFor(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) {
      this.#chunks.push([key]);
      return;
    }
    const index = lowerBound(chunk, key);
    if (chunk[index] === key) return;
    chunk.splice(index, 0, key);
    if (chunk.length > CHUNK) this.#chunks.splice(at + 1, 0, chunk.splice(CHUNK / 2));
  }

  delete(key: string): void {
    const at = this.#chunkFor(key);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return;
    const index = lowerBound(chunk, key);
    if (chunk[index] !== key) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(at, 1);
  }

  /** The first `limit` keys from `from` on that start with `prefix`, in order. */
  from(from: string, prefix: string, limit = Number.POSITIVE_INFINITY): string[] {
    const found: string[] = [];
    for (let at = this.#chunkFor(from); at < this.#chunks.length && found.length < limit; at += 1) {
      const chunk = this.#chunks[at] ?? [];
      const start = lowerBound(chunk, from);
      const end = Math.min(lowerBound(chunk, after(prefix)), start + limit - found.length);
      for (let index = start; index < end; index += 1) found.push(chunk[index] ?? '');
      if ((chunk.at(-1) ?? '') >= after(prefix)) break;
    }
    return found;
  }

  /** How many keys from `from` on start with `prefix`. */
  count(from: string, prefix: string): number {
    const first = this.#chunkFor(from);
    const last = this.#chunkFor(after(prefix));
    let count = lowerBound(this.#chunks[last] ?? [], after(prefix)) - lowerBound(this.#chunks[first] ?? [], from);
    for (let at = first; at < last; at += 1) count += this.#chunks[at]?.length ?? 0;
    return Math.max(0, count);
  }

  /** The chunk that holds `key`, or would: the last one whose first key is not above it. */
  #chunkFor(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.[0] ?? '') <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** Above every key that starts with `prefix`: no name has this character. */
const after = (prefix: string): string => `${prefix}\uffff`;

/** The index of the first element that is not below `key`. */
function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
