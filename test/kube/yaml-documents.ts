// Documents drawn from a seed, of what is hard to write as YAML: look-alikes, breaks, spaces, long lines and keys.

import type { Random } from '../../src/base/random.ts';
import type { YamlValue } from '../../src/base/yaml/document.ts';
import { compareKeys } from '../../src/base/yaml/key-order.ts';

/** What reads as something else than a text, what nearly does, and what begins like syntax. */
const LOOK_ALIKES = (
  'y Y yes Yes YES yEs on ON off n N no true True tRUE false null Null NULL nULL ~ ~~ << .nan .NaN .inf -.INF +.Inf .NAN ' +
  '0 -0 +1 08 0777 -077 0o17 0o8 0x1F 0xG 0x 0b1 0b12 0b-1 0b+1 -0b1 0B1 0b 1_000 _1 1__ +_ - + 0_x1F 1e5 1e400 1. .5 .5e3 ' +
  '.e5 ._5 .8_5 .8__5 .8_ .5e1_0 .5_e1 +.5 1.5.2 9223372036854775807 9223372036854775808 -9223372036854775808 -9223372036854775809 +9223372036854775808 ' +
  '18446744073709551615 18446744073709551616 0x10000000000000000 2001-01-01 2001-1-1 2001-02-29 2000-02-29 2001-13-1 ' +
  '2001-1-1T1:2:3Z 2001-1-1t1:2:3.5+01:00 2001-1-1T24:00:00Z 2001-1-1T1:2:3 2001-1-1T1:2:3-25:00 2001-1-1T1:2:3,5Z ' +
  '12:34:56 12:34:56:78:9A:BC 00:11:22:33:44:55 190:20:30.15 1:60 -1:2 --- ... --a .-- - -a ? ?a : :a a: a:b # #a a#b & * ! | > ' +
  '% @ ` [ ] { } , [] {} \' " \\ = a?b a,b 192.168.0.10 fe80::1 ::1 1::'
).split(' ');

const SPACED = [
  '2001-1-1 1:2:3.5',
  '2001-1-1  1:2:3',
  'a #b',
  'a: b',
  '- a',
  ' a',
  'a ',
  '? a',
  '# a',
  '',
  ' ',
  '  ',
  '--- a',
];

const CHARACTERS = [
  ...'abcxyzABC0123456789',
  ...'    ::##--\'"\\/.,?!&*{}[]|>%@`~=+_<',
  ...['\n', '\n', '\n', '\r', '\t', '\u2028', '\u2029', '\u0085', '\0', '\u001b', '\u0007'],
  ...['é', 'ß', '\u00a0', '€', '漢', '٣', '०', '😀', '𝒳', '\ufeff', '\ue000', '\ufffd', '\ud800', '\udc00'],
];
/** Upstream's reader refuses these: rare, or there would be no documents left. */
const REFUSED = ['\u007f', '\u0080', '\u009f', '\ufffe', '\uffff'];
const NUMERALS = [...'0123456789abexoBEXOinfTtZz+-_.: ,'];
const KEY_LETTERS = [...'ab01290AB_-é٣'];
const WORDS = [
  'mac',
  'of',
  'eth0',
  "it's",
  '"so"',
  'a:b',
  'key:',
  '#1',
  'naïve',
  '漢字',
  '10.0.0.1',
  '😀',
  '-',
  'longer-word-here',
  '\u2028',
];

/** One document: a map as often as not, as what is rendered is. */
export function drawDocument(random: Random): YamlValue {
  return random.below(4) === 0 ? drawValue(random, 3) : drawMap(random, 3);
}

function drawValue(random: Random, depth: number): YamlValue {
  const kind = random.below(depth === 0 ? 10 : 14);
  if (kind < 7) return drawText(random);
  if (kind < 8) return drawNumber(random);
  if (kind < 10) return pick(random, [true, false, null]);
  if (kind < 12) return Array.from({ length: random.below(4) }, () => drawValue(random, depth - 1));
  return drawMap(random, depth - 1);
}

function drawMap(random: Random, depth: number): YamlValue {
  const keys = Array.from({ length: random.below(7) }, () => drawKey(random));
  return Object.fromEntries(inAnOrder(keys).map(key => [key, drawValue(random, depth)]));
}

/** Upstream's order of keys runs in circles for some: what it writes of those is chance, and nothing to compare. */
function inAnOrder(keys: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const key of keys) if (!closesCircle(kept, key)) kept.push(key);
  return kept;
}

const closesCircle = (keys: readonly string[], added: string): boolean =>
  keys.some(one => keys.some(other => isBefore(one, other) && isBefore(other, added) && isBefore(added, one)));

const isBefore = (one: string, other: string): boolean => compareKeys(one, other) < 0;

function drawKey(random: Random): string {
  const kind = random.below(12);
  if (kind < 6) return drawFrom(random, KEY_LETTERS, 1 + random.below(6));
  if (kind < 7) return drawFrom(random, ['a', 'é', 'b c'], 60 + random.below(80));
  if (kind < 8 && random.below(20) === 0) return drawFrom(random, ['a', '<'], 500 + random.below(600));
  return drawText(random);
}

function drawText(random: Random): string {
  const kind = random.below(12);
  if (kind < 3) return pick(random, LOOK_ALIKES);
  if (kind < 4) return pick(random, SPACED);
  if (kind < 6) return drawFrom(random, NUMERALS, 1 + random.below(8));
  if (kind < 9) return drawFrom(random, CHARACTERS, random.below(12));
  if (kind < 10) return drawProse(random);
  if (kind < 11) return drawLines(random);
  return random.below(20) === 0 ? drawFrom(random, [...REFUSED, 'a'], 3) : pick(random, WORDS);
}

/** Long enough to be folded, with single spaces and with more. */
function drawProse(random: Random): string {
  const words = Array.from({ length: 5 + random.below(40) }, () => pick(random, WORDS));
  return words.map(word => word + ' '.repeat(random.below(8) === 0 ? random.below(4) : 1)).join('');
}

function drawLines(random: Random): string {
  const lines = Array.from({ length: 1 + random.below(5) }, () =>
    drawFrom(random, ['a', 'b', ' ', ':', '#', "'"], random.below(9)),
  );
  return lines.join('\n') + '\n'.repeat(random.below(3));
}

function drawNumber(random: Random): number {
  const digits = random.below(1_000_000_000) - 500_000_000;
  return random.below(2) === 0 ? digits : digits * 10 ** (random.below(50) - 25);
}

const drawFrom = (random: Random, parts: readonly string[], length: number): string =>
  Array.from({ length }, () => pick(random, parts)).join('');

function pick<T>(random: Random, from: readonly T[]): T {
  const drawn = from[random.below(from.length)];
  if (drawn === undefined) throw new Error('nothing to draw from');
  return drawn;
}
