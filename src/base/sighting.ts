// What a read of the outside world says: there, not there, or unknown. Unknown is never absence (safe-2).

export interface Present<T> {
  readonly kind: 'present';
  readonly value: T;
}

/** Not there, as the one who was asked said it, by which id, and when. One such answer is not yet a proof (safe-2). */
export interface NotSeen {
  readonly kind: 'absent';
  readonly asked: string;
  readonly subject: string;
}

/** Not known: refused, broken, timed out or unparsable. */
export interface Unknown {
  readonly kind: 'unknown';
  readonly reason: string;
}

export type Sighting<T> = Present<T> | NotSeen | Unknown;

export const present = <T>(value: T): Present<T> => ({ kind: 'present', value });

export const notSeen = (asked: string, subject: string): NotSeen => ({ kind: 'absent', asked, subject });

export const unknown = (reason: string): Unknown => ({ kind: 'unknown', reason });
