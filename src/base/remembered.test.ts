import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remembered } from './remembered.ts';

test('a text is worked on once, unless it is long or came and went among many others', () => {
  const worked: string[] = [];
  const sizeOf = remembered(text => {
    worked.push(text);
    return text.length;
  });

  assert.deepEqual([sizeOf('a'), sizeOf('a'), sizeOf('bb')], [1, 1, 2]);
  assert.deepEqual(worked, ['a', 'bb']);

  const long = 'x'.repeat(101);
  assert.deepEqual([sizeOf(long), sizeOf(long)], [101, 101]);
  assert.deepEqual(worked, ['a', 'bb', long, long]);

  for (let n = 0; n < 1000; n += 1) sizeOf(`text ${n}`);
  sizeOf('a');
  assert.equal(worked.filter(text => text === 'a').length, 2);
});

test('nothing is remembered as well as anything else', () => {
  let asked = 0;
  const none = remembered(() => {
    asked += 1;
    return undefined;
  });

  none('a');
  none('a');

  assert.equal(asked, 1);
});
