// What `npm run soak:kill` would say of a server that loses, halves, hides or repeats: its books see each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Books } from './kill/books.ts';

/** `a` is acknowledged as `one` at revision 5; then a write of `two` begins. */
function booksAtWork(): Books {
  const books = new Books();
  books.began('a', 'one');
  books.acknowledged('a', 'one', 5);
  books.began('a', 'two');
  return books;
}

test('a write that was cut off may have happened or not', () => {
  for (const mark of ['one', 'two']) {
    const books = booksAtWork();
    books.restarted(6, [{ name: 'a', revision: mark === 'one' ? 5 : 6, mark }]);
    assert.deepEqual(books.violations, []);
  }
});

test('an acknowledged write that is not there is a loss', () => {
  const books = booksAtWork();
  books.restarted(6, []);
  assert.deepEqual(books.violations, ['a is absent after the restart, expected one or two']);
});

test('half of a write is no write', () => {
  const books = booksAtWork();
  books.restarted(6, [{ name: 'a', revision: 6, mark: 'half of two' }]);
  assert.match(books.violations.join(), /a is half of two after the restart/);
});

test('what a watch has shown must be there', () => {
  const books = booksAtWork();
  books.watched({ name: 'a', revision: 6, mark: 'two' });
  books.restarted(6, [{ name: 'a', revision: 5, mark: 'one' }]);
  assert.match(books.violations.join(), /a is one after the restart, expected two/);
});

test('a revision that comes again with other content is seen', () => {
  const books = booksAtWork();
  books.restarted(5, [{ name: 'a', revision: 5, mark: 'one' }]);
  books.began('b', 'three');
  books.acknowledged('b', 'three', 5);
  assert.match(books.violations.join(), /used twice: a one at 5, and b three at 5/);
});

test('a server that goes back in revisions is seen', () => {
  const books = booksAtWork();
  books.restarted(4, [{ name: 'a', revision: 5, mark: 'one' }]);
  assert.match(books.violations.join(), /revision 4 after the restart, but 5 was seen/);
});
