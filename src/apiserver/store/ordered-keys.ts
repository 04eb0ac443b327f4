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

  /** The keys from `from` on that start with `prefix`, in order. */
  from(from: string, prefix: string): string[] {
    const found: string[] = [];
    for (let at = this.#chunkFor(from); at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at] ?? [];
      for (let index = lowerBound(chunk, from); index < chunk.length; index += 1) {
        const key = chunk[index] ?? '';
        if (!key.startsWith(prefix)) return found;
        found.push(key);
      }
    }
    return found;
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
