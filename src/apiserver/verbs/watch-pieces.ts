// What watches at the same place have ready: joined once, and the same bytes for all of them (api-9).

/** The frames of the changes between two positions of a storage's history. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** While the server is busy watches have their turns one after the other: what the first is given the last must find. */
const MAX_KEPT = 64;
const MAX_BYTES = 2 * 1024 * 1024;

/** The pieces that were joined last: all that watch alike go from one to the next, each at its own pace. */
export class PieceCache {
  /** By kind of watch and where they begin, the oldest first. */
  readonly #pieces = new Map<string, Piece>();
  /** Where pieces that are kept end. */
  readonly #ends = new Set<string>();
  #bytes = 0;

  /** `watched`: what all watches that see the same have in common. */
  get(watched: string, from: number): Piece | undefined {
    return this.#pieces.get(`${watched} ${from}`);
  }

  /** Whether others go on there: who stops there too is given what they are given. */
  isMeeting(watched: string, position: number): boolean {
    const place = `${watched} ${position}`;
    return this.#pieces.has(place) || this.#ends.has(place);
  }

  keep(watched: string, piece: Piece): void {
    this.#forget(`${watched} ${piece.from}`, watched);
    this.#pieces.set(`${watched} ${piece.from}`, piece);
    this.#ends.add(`${watched} ${piece.to}`);
    this.#bytes += piece.bytes.length;
    for (const [place] of this.#pieces) {
      if (this.#pieces.size <= MAX_KEPT && this.#bytes <= MAX_BYTES) return;
      this.#forget(place, place.slice(0, place.lastIndexOf(' ')));
    }
  }

  #forget(place: string, watched: string): void {
    const piece = this.#pieces.get(place);
    if (piece === undefined) return;
    this.#pieces.delete(place);
    this.#ends.delete(`${watched} ${piece.to}`);
    this.#bytes -= piece.bytes.length;
  }
}
