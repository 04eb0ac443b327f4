// Cuts the byte stream of a watch into frames, one JSON document a line, and holds no more of it than it must.

/** No object is near this size (etcd refuses 1.5 MB): what is, is no watch. */
const LARGEST_FRAME_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;

/** Bytes in, whole lines out. Throws a RangeError on a line that does not end. */
export class FrameCutter {
  private parts: Buffer[] = [];
  private sizeBytes = 0;

  /** The frames that `chunk` completes. */
  cut(chunk: Buffer): readonly Buffer[] {
    const frames: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.hold(chunk.subarray(from, at));
      const frame = this.release();
      if (frame.length > 0) frames.push(frame);
      from = at + 1;
    }
    this.hold(chunk.subarray(from));
    return frames;
  }

  private hold(part: Buffer): void {
    this.sizeBytes += part.length;
    if (this.sizeBytes > LARGEST_FRAME_BYTES) throw new RangeError(`a frame of more than ${LARGEST_FRAME_BYTES} bytes`);
    if (part.length > 0) this.parts.push(part);
  }

  private release(): Buffer {
    const [only] = this.parts;
    const frame = this.parts.length === 1 && only !== undefined ? only : Buffer.concat(this.parts, this.sizeBytes);
    this.parts = [];
    this.sizeBytes = 0;
    return frame;
  }
}
