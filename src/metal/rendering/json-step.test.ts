import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { YamlValue } from '../../base/yaml/document.ts';
import { asReadFromJson } from './json-step.ts';

for (const [title, text, read] of [
  ['one next-line character is one space', 'a\u0085b', 'a b'],
  ['spaces around it go with it', 'a  \u0085 b', 'a b'],
  ['two of them are one newline', 'a\u0085 \u0085b', 'a\nb'],
  ['three of them are two newlines', 'a\u0085\u0085\u0085', 'a\n\n'],
  ['half of a surrogate pair is the replacement character', 'a\ud800', 'a\ufffd'],
  ['what JSON escapes stays', 'a\n\t\u0000\u2028', 'a\n\t\u0000\u2028'],
] as const) {
  test(`on the way through JSON ${title}`, () => {
    assert.equal(asReadFromJson(text, 'value'), read);
  });
}

const refused: readonly (readonly [title: string, value: YamlValue, says: string])[] = [
  ['a control character', { a: ['b', 'c\u007f'] }, 'data.a[1]: the character U+007F cannot be written as YAML'],
  ['a character that is none', 'a\uffff', 'data: the character U+FFFF cannot be written as YAML'],
  ['a control character in a key', { 'a\u0080': 1 }, 'data: the character U+0080 cannot be written as YAML'],
  ['a break in a key', { 'a\u0085': 1 }, 'data: the character U+0085 in a key cannot be written as YAML'],
  [
    'a key of more than a kilobyte',
    { ['k'.repeat(1023)]: 1 },
    'data: a key of 1023 characters cannot be written as YAML',
  ],
  [
    'a key that JSON makes too long',
    { ['<'.repeat(171)]: 1 },
    'data: a key of 171 characters cannot be written as YAML',
  ],
  ['a number that is none', { a: Number.NaN }, 'data.a: the number NaN cannot be written as YAML'],
];

for (const [title, value, message] of refused) {
  test(`${title} is refused, as upstream's reader does`, () => {
    assert.throws(() => asReadFromJson(value, 'data'), { message });
  });
}

test('a key as long as the reader takes is kept', () => {
  const value = { ['k'.repeat(1022)]: 1 };

  assert.deepEqual(asReadFromJson(value, 'data'), value);
});
