// How texts, numbers and lists are written in YAML: byte by byte as the real server's library does it.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const acceptYaml = { headers: { accept: 'application/yaml' } };

/** Notes what a custom object's field is in YAML. */
async function noteWritten(t: Trial, every: unknown): Promise<void> {
  const { path, api } = await widgets(t, {});
  const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, every };
  await t.quietly({ method: 'POST', path, body });
  const answer = await t.quietly({ method: 'GET', path: `${path}/a`, ...acceptYaml });
  t.note('every', answer.body.toString().split('every:\n')[1]?.split('\nkind:')[0]);
}

export const yamlTexts: readonly Case[] = [
  {
    says: 'keys that YAML could read as something else are quoted only where they must be',
    steps: async t => {
      const keys = [...'.-_/+=:#?!&*@%|>,[]{}`~<"', "'", '', ' ', '-a', '?a', ': ', 'a: b', 'a:', ':a', 'a #b', '#a'];
      const read = ['7', '.5', '2026-01-02', '.inf', '-.INF', '.nan', 'y', 'N', 'on'];
      const more = [
        'NULL',
        'True',
        '2026-01-02',
        '1:30',
        '<<',
        '---',
        '...',
        'a\nb',
        'a\tb',
        'é',
        '\u0001',
        'a ',
        '=',
        '+.5',
      ];
      const every = Object.fromEntries([...keys, ...read, ...more].map(key => [key, key]));
      await noteWritten(t, every);
    },
  },
  {
    says: 'texts of several lines, and long ones, in YAML',
    steps: async t => {
      const maps = await t.in('configmaps');
      const words = 'word '.repeat(40);
      const texts = [
        'a\nb',
        'a\nb\n',
        'a\n\n',
        '\na',
        ' a\nb',
        'a \nb',
        'a\n b\n',
        '\n',
        '\n\n',
        'a\tb\nc',
        'a\r\nb\r\n',
      ];
      const long = [
        words,
        words.trim(),
        `${words}\n${words}`,
        'x'.repeat(200),
        `it's: ${words}`,
        `\u0001${words}`,
        '\u2028',
        '\ufeff',
      ];
      const data = Object.fromEntries([...texts, ...long].map((text, index) => [`k${index + 10}`, text]));
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' }, data } });
      const { body } = await t.quietly({ method: 'GET', path: `${maps}/a`, ...acceptYaml });
      t.note('data', body.toString().split('\nkind:')[0]);
    },
  },
  {
    says: 'an object with managedFields in YAML',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a', labels: { a: 'b' } }, data: { key: 'value' } }, acceptYaml);
    },
  },
  {
    says: 'keys are in the order of people in YAML: numbers in them count',
    steps: async t => {
      const names =
        'a1 a10 a2 a-b ab a_ a01 10a 2b 09 9 b10c b9c b09c A a B é z 007 07 7 a.b a/b 0 00 a0 a00 x1y2 x1y10 x-1 x--1';
      const every = Object.fromEntries(names.split(' ').map((name, index) => [name, index]));
      await noteWritten(t, every);
    },
  },
  {
    says: 'texts of letters beyond the usual ones, and keys that are long, in YAML',
    steps: async t => {
      const texts = [
        '\u{1f600}',
        'a\u00a0b',

        'a\u2028b',
        'a \u2028b',

        '\ufffd',
        'ünï',
        '日本語 '.repeat(30),
        'a\\b',
        'é\n',
        '\u2028\n',
        '"\u0001',
      ];
      const [long, longer] = ['k'.repeat(128), `${'l'.repeat(100)} ${'l'.repeat(100)}`];
      const keys = {
        [long]: 1,
        [longer]: 'v',
        [`${longer}a`]: {},
        [`${longer}b`]: { a: 1, b: [2] },
        [`${longer}c`]: [1, { d: 2 }],
        [`${longer}e`]: [],
      };
      const every = { texts, keys, ['é'.repeat(65)]: 1 };
      await noteWritten(t, every);
    },
  },
  {
    says: 'texts that look like numbers and times, or nearly, in YAML',
    steps: async t => {
      const numbers =
        '09 0_9 1__0 +1 -1 - + +- 1. 1.e3 .5e3 ._5 .5_ 1e999 .5e999 0x 0xg -0x1F +0x1f 0X1F 0b12 0b11 -0b1 0o8 0o7 0O7 18446744073709551615 18446744073709551616 99999999999999999999 0xffffffffffffffffff 1_ _1 1e 1e+ 1e+3 1.5.1 0.0.1 1,000 1:3 1:60 1:59:59 -1:30 +1:30.5 190:20:30 1:2: 12:30:45.67 1_2:30 1/2 0777 0888 -017 Infinity NaN nan inf +.inf -.inf .INF .Inf +.INF';
      const times = [
        '2026-1-2',
        '2026-13-01',
        '2026-02-30',
        '2024-02-29',
        '2026-01-02T03:04:05Z',
        '2026-01-02t03:04:05Z',
        '2026-01-02T3:4:5Z',
        '2026-01-02 03:04:05',
        '2026-01-02 03:04:05.123',
        '2026-01-02T03:04:05',
        '2026-01-02T03:04:05+01:00',
        '2026-01-02T24:00:00Z',
        '2026-01-02T03:04:05.5z',
        '2026-01-02T03:04',
        '2026-',
        '20261-1-1',
        '2026-001-01',
        '2026-01-02 3:4:5 Z',
      ];
      const words =
        'y Y n N yes Yes YES yEs on On ON oN off OFF true True TRUE tRUE false null Null NULL nUll ~ ~a y1 nope none None'.split(
          ' ',
        );
      const every = [...numbers.split(' '), ...times, ...words];
      await noteWritten(t, every);
    },
  },
  {
    says: 'numbers, empty things and nested lists in YAML',
    steps: async t => {
      const every = {
        numbers: [0, -1, 1.5, 1e3, 1e21, 1e-7, 123456789012, 0.1, -0.5, 1e20, 100000, 1000000, 1234567.5],
        none: null,
        lists: [[], [[1, 2], [3]], [{}], [{ a: 1, b: [] }, { c: {} }]],
        map: {},
        deep: { list: ['a', { b: ['c'] }] },
      };
      await noteWritten(t, every);
    },
  },
];
