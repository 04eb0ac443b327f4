// Chance that replays: the same seed gives the same draws, and no stream's draws shift another's.

import type { Random } from '../../src/base/random.ts';

/** Random numbers from `seed`. Named streams depend on seed and name only; asking for a name again goes on with that stream. */
export function seededRandom(seed: number | string): Random {
  return new SeededStream(String(seed));
}

class SeededStream implements Random {
  private readonly seed: string;
  private readonly state: Uint32Array;
  private readonly streams = new Map<string, SeededStream>();

  constructor(seed: string) {
    this.seed = seed;
    this.state = stateOf(seed);
  }

  below(n: number): number {
    const high = this.next() >>> 5;
    const low = this.next() >>> 6;
    return Math.floor(((high * 2 ** 26 + low) / 2 ** 53) * n);
  }

  bytes(n: number): Uint8Array {
    return Uint8Array.from({ length: n }, () => this.next() >>> 24);
  }

  uuid(): string {
    const hex = [...this.bytes(16)].map(byte => byte.toString(16).padStart(2, '0')).join('');
    const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) & 3];
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  stream(name: string): Random {
    const known = this.streams.get(name);
    if (known !== undefined) return known;
    const stream = new SeededStream(`${this.seed}/${name}`);
    this.streams.set(name, stream);
    return stream;
  }

  /** One 32-bit draw of sfc32 (a small fast counting generator; its counter rules out short cycles). */
  private next(): number {
    const state = this.state;
    const [a = 0, b = 0, c = 0, counter = 0] = state;
    const drawn = (a + b + counter) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = c + (c << 3);
    state[2] = ((c << 21) | (c >>> 11)) + drawn;
    state[3] = counter + 1;
    return drawn >>> 0;
  }
}

/** Four words out of a text: FNV-1a, spread by multiplying and shifting, one word after the other. */
function stateOf(seed: string): Uint32Array {
  let hash = 2_166_136_261;
  for (let at = 0; at < seed.length; at++) hash = Math.imul(hash ^ seed.charCodeAt(at), 16_777_619);
  return Uint32Array.from({ length: 4 }, () => {
    hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507) + 0x9e3779b9;
    hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
    return hash ^ (hash >>> 16);
  });
}
