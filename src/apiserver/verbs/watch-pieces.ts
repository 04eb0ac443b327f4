// What watches at the same place have ready: joined once, and the same bytes for all of them (api-9).

/** The frames of the changes between two positions of a storage's history. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** Kinds of watches whose newest piece is kept. */
const MAX_KEPT = 16;

/** The piece that was joined last for each kind of watch: all that watch alike ask for it within a moment. */
export class PieceCache {
  readonly #pieces = new Map<string, Piece>();

  /** `watched`: what all watches that see the same have in common. */
  get(watched: string, from: number): Piece | undefined {
    const piece = this.#pieces.get(watched);
    return piece?.from === from ? piece : undefined;
  }

  keep(watched: string, piece: Piece): void {
    // As the newest of the map.
    this.#pieces.delete(watched);
    this.#pieces.set(watched, piece);
    if (this.#pieces.size <= MAX_KEPT) return;
    for (const [oldest] of this.#pieces) {
      this.#pieces.delete(oldest);
      return;
    }
  }
}
