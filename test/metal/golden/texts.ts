// Values that are hard to write as YAML, one of each kind, so that every run holds the writer to them.

import type { YamlValue } from '../../../src/base/yaml/document.ts';

const PROSE =
  'every link of the bond has one, and so has the bond itself; what it is is told by the switch on the other side';

const hardTexts: YamlValue = [
  ...'yes No on OFF y N true False null ~ .inf -.Inf .NaN << 0 007 0x1F 0b-1 1_000 1e3 1e999 .5 .8_5 .8__5 ._8 1. 0o17 -'.split(
    ' ',
  ),
  ...'18446744073709551615 18446744073709551616 0x10000000000000000 2001-01-01 2001-02-29 2001-1-1T1:2:3Z 2001-1-1T24:00:00Z'.split(
    ' ',
  ),
  ...'12:34:56 12:34:56:78:9A:BC 00:11:22:33:44:55 -1:2 fe80::1 ::1 --- ... --a -a ?a :a a:b #a a#b & * ! | > % @'.split(
    ' ',
  ),
  ...['', ' ', 'a ', ' a', 'a: b', 'a #b', '- a', '[]', '{}', "it's", '"so"', '\\', '`', ','],
  ...['a\nb', 'a\n', 'a\n\n', '\n', ' a\nb', 'a \nb', 'a\n b', 'a\tb', 'a\r\nb', '\na', 'tab\tand\nline', 'a\nb '],
  ...[
    'é',
    '漢字',
    '😀',
    '\u00a0',
    '\u2028',
    'a\u2028b',
    '\ufeffa b',
    '\0',
    '\u001b',
    'a\u0085b',
    'a \u0085 \u0085 b',
    '\ud800',
  ],
  ...[
    PROSE,
    `${PROSE.replace('one, ', 'one,  ')} `,
    `${PROSE}: "as seen"`,
    `"${PROSE}"`,
    `'${PROSE}\u2028`,
    `${PROSE}\n${PROSE}`,
    `😀 ${PROSE.replaceAll(' ', '  ')}`,
  ],
];

const hardKeys: YamlValue = {
  ...Object.fromEntries(
    'a10 a2 a02 a A b aa é 1 10 2 _ - 0 00 .5 x-10 x-9 yes 12:34:56'.split(' ').map(key => [key, 1]),
  ),
  '': 'empty',
  ' ': 'space',
  'a: b': [],
  'line\nbreak': {},
  'line\u2028break': ['in', { a: 'list' }],
  ['k'.repeat(128)]: ['short enough'],
  ['k'.repeat(129)]: ['too long'],
  ['long key '.repeat(15)]: { in: { a: ['map'] } },
  nested: [
    [[], {}],
    [['a'], [{ b: ['c', { d: null }] }]],
  ],
};

const numbers: YamlValue = [
  ...[0, -1, 1500, 2 ** 53, 2 ** 63, 2 ** 64, -(2 ** 63), -(2 ** 64), 1e20, 1e21, 1e300],
  ...[0.5, -0.25, 1e-4, 1e-5, 1.5e-7, 123456.5, 1234567.5, 5e-324],
  ...[true, false, null],
];

export const hardDocuments: Readonly<Record<string, YamlValue>> = {
  'hard-texts': hardTexts,
  'hard-keys': hardKeys,
  numbers,
};
