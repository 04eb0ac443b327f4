// The one source of chance: seeded in fault runs, so that every failure replays.

/** Chance, as the program sees it. */
export interface Random {
  /** An integer in [0, n). */
  below(n: number): number;
  /** A version 4 UUID, lower case. */
  uuid(): string;
  /** `n` random bytes. */
  bytes(n: number): Uint8Array;
  /** An independent stream: one more draw on it does not shift any other stream's seed. */
  stream(name: string): Random;
}

/** Kubernetes' alphabet for generated names: no vowels and no look-alikes. */
const NAME_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A random suffix as `metadata.generateName` gets it: five characters unless told otherwise. */
export function nameSuffix(random: Random, length = 5): string {
  return Array.from({ length }, () => NAME_ALPHABET[random.below(NAME_ALPHABET.length)]).join('');
}
