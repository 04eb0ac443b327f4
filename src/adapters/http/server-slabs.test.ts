import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slabs } from './server-slabs.ts';

const KIB = 1024;
const SLAB_BYTES = 128 * KIB;

/** Pieces of so many bytes, each of another letter than its neighbours. */
const pieces = (...sizes: readonly number[]): readonly Uint8Array[] =>
  sizes.map((size, n) => Buffer.alloc(size, 0x61 + (n % 26)));

test('pieces of any size fill slab after slab, and nothing is lost between two', () => {
  const many = [...pieces(1, 0, 300 * KIB, 5), ...pieces(SLAB_BYTES - 2, SLAB_BYTES, 3)];

  const filled = [...new Slabs().filled(many)].map(({ joined }) => Buffer.from(joined.bytes));

  assert.ok(Buffer.concat(filled).equals(Buffer.concat(many)));
  assert.ok(filled.slice(0, -1).every(({ length }) => length === SLAB_BYTES));
});

test('the same bytes are there as one chunk of HTTP/1.1', () => {
  const [slab] = new Slabs().filled([Buffer.from('some'), Buffer.from(' bytes\n')]);

  assert.deepEqual([slab?.joined.bytes, slab?.joined.chunk].map(String), ['some bytes\n', 'b\r\nsome bytes\n\r\n']);
});

test('a full slab says its length in as many digits as that takes', () => {
  const [slab] = new Slabs().filled(pieces(SLAB_BYTES));

  assert.equal(Buffer.from(slab?.joined.chunk ?? []).toString('latin1', 0, 7), '20000\r\n');
});

test('a slab that was given back is filled anew, and no other while it is being written', () => {
  const slabs = new Slabs();
  const [first] = slabs.filled(pieces(10));
  const [second] = slabs.filled(pieces(20));
  if (first !== undefined) slabs.giveBack(first);

  const [third] = slabs.filled([Buffer.from('new')]);

  assert.notEqual(second, first);
  assert.equal(third, first);
  assert.equal(String(third?.joined.bytes), 'new');
});
