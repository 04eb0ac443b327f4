import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { fromTarball, fromZip } from './archives.ts';

function tarEntry(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(content.length.toString(8).padStart(11, '0'), 124);
  return Buffer.concat([
    header,
    Buffer.alloc(Math.ceil(content.length / 512) * 512, content, 'utf8').fill(0, content.length),
  ]);
}

/** A zip of one deflated file, with something before it, as self-extracting archives have. */
function zipOf(name: string, content: string, before = ''): Buffer {
  const [raw, packed] = [Buffer.from(content), deflateRawSync(content)];
  const sizes = (at: Buffer, from: number): void => {
    at.writeUInt32LE(crc32(raw), from);
    at.writeUInt32LE(packed.length, from + 4);
    at.writeUInt32LE(raw.length, from + 8);
    at.writeUInt16LE(name.length, from + 12);
  };
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  sizes(local, 14);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  sizes(entry, 16);
  entry.writeUInt32LE(before.length, 42);
  const body = Buffer.concat([Buffer.from(before), local, Buffer.from(name), packed]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(body.length, 16);
  return Buffer.concat([body, entry, Buffer.from(name), end]);
}

test('a file is found in a tarball behind others', () => {
  const tarball = gzipSync(Buffer.concat([tarEntry('package/a', 'x'.repeat(700)), tarEntry('package/b', 'wanted')]));

  assert.equal(fromTarball(tarball, 'package/b').toString(), 'wanted');
});

test('a file is found in a zip and unpacked', () => {
  const zip = zipOf('helm/helm', 'a program '.repeat(50), 'something else');

  assert.equal(fromZip(zip, 'helm/helm').toString(), 'a program '.repeat(50));
});

test('a file that is not there is named', () => {
  assert.throws(() => fromTarball(gzipSync(tarEntry('a', '')), 'package/b'), /the archive has no file package\/b/);
  assert.throws(() => fromZip(zipOf('a', 'x'), 'b'), /the archive has no file b/);
  assert.throws(() => fromZip(Buffer.from('no zip at all'), 'b'), /no zip archive/);
});
