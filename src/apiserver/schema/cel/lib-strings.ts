// String functions: searching with RE2, and those of CEL's strings extension that the library lacks.

import type { Environment } from '@marcbachmann/cel-js';
import { compilePattern, patternProblem } from '../patterns.ts';
import type { Register } from './environment.ts';
import { doubleText, formatText, spanText } from './format-text.ts';
import { spendOnSize } from './meter.ts';

class StringsNamespace {}

const LARGEST_INT = 2n ** 63n - 1n;

export function registerStrings(environment: Environment, register: Register): void {
  environment.registerType('StringsNamespace', StringsNamespace);
  environment.registerConstant('strings', 'StringsNamespace', new StringsNamespace());
  register('StringsNamespace.quote(string): string', (_: unknown, text: string) => JSON.stringify(text));
  register('string.find(string): string', (text: string, pattern: string) => findAll(text, pattern, 1)[0] ?? '');
  register('string.findAll(string): list<string>', (text: string, pattern: string) => findAll(text, pattern, -1));
  register('string.findAll(string, int): list<string>', (text: string, pattern: string, most: bigint) =>
    findAll(text, pattern, Number(most)),
  );
  register('string(google.protobuf.Timestamp): string', (time: Date) => time.toISOString().replace('.000Z', 'Z'));
  register('string(google.protobuf.Duration): string', spanText);
  register('__string(double): string', doubleText);
  register('int(google.protobuf.Timestamp): int', (time: Date) => BigInt(Math.floor(time.getTime() / 1000)));
  register('int(uint): int', (value: { valueOf(): bigint }) => {
    if (value.valueOf() > LARGEST_INT) throw new Error('integer overflow');
    return value.valueOf();
  });
  register('string.__substring(int): string', (text: string, start: bigint) => substring(text, start));
  register('string.__substring(int, int): string', substring);
  register('string.__indexOf(string): int', (text: string, part: string) => indexOf(text, part, 0n));
  register('string.__indexOf(string, int): int', indexOf);
  register('string.__lastIndexOf(string): int', (text: string, part: string) => lastIndexOf(text, part));
  register('string.__lastIndexOf(string, int): int', lastIndexOf);
  register('string.__split(string): list<string>', (text: string, by: string) => split(text, by, -1n));
  register('string.__split(string, int): list<string>', split);
  register('string.__lowerAscii(): string', (text: string) =>
    text.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase()),
  );
  register('string.__upperAscii(): string', (text: string) =>
    text.replaceAll(/[a-z]+/g, letters => letters.toUpperCase()),
  );
  register('string.charAt(int): string', charAt);
  register('string.replace(string, string): string', (text: string, from: string, to: string) =>
    replace(text, from, to, -1),
  );
  register('string.replace(string, string, int): string', (text: string, from: string, to: string, most: bigint) =>
    replace(text, from, to, Number(most)),
  );
  register('string.format(list): string', (pattern: string, values: readonly unknown[]) => {
    const text = formatText(pattern, values);
    spendOnSize(text.length);
    return text;
  });
}

/** Fewer than zero: all. */
function findAll(text: string, pattern: string, most: number): readonly string[] {
  spendOnSize(text.length);
  const matcher = searchPattern(pattern).matcher(text);
  const found: string[] = [];
  while ((most < 0 || found.length < most) && matcher.find()) found.push(matcher.group() ?? '');
  return found;
}

function searchPattern(pattern: string): ReturnType<typeof compilePattern> {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new Error(`Illegal regex: ${problem}`);
  return compilePattern(pattern);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = [...text];
  const [first, last] = [Number(start), end === undefined ? characters.length : Number(end)];
  if (end !== undefined && first > last) throw new Error(`invalid substring range. start: ${first}, end: ${last}`);
  for (const at of [first, last]) {
    if (at < 0 || at > characters.length) throw new Error(`index out of range: ${at}`);
  }
  return characters.slice(first, last).join('');
}

/** Places are counted in characters, and one behind the end is no mistake. */
function indexOf(text: string, part: string, from: bigint): bigint {
  spendOnSize(text.length);
  const characters = [...text];
  const begin = Number(from);
  if (begin < 0) throw new Error(`index out of range: ${begin}`);
  if (part === '') return BigInt(begin);
  const at = text.indexOf(part, characters.slice(0, begin).join('').length);
  return BigInt(at < 0 ? -1 : [...text.slice(0, at)].length);
}

function lastIndexOf(text: string, part: string, from?: bigint): bigint {
  spendOnSize(text.length);
  const characters = [...text];
  const begin = from === undefined ? characters.length : Number(from);
  if (begin < 0) throw new Error(`index out of range: ${begin}`);
  if (part === '') return BigInt(begin);
  if (from !== undefined && begin >= characters.length) return -1n;
  const at = text.lastIndexOf(part, characters.slice(0, begin).join('').length);
  return BigInt(at < 0 ? -1 : [...text.slice(0, at)].length);
}

/** Fewer than zero: all parts. */
function split(text: string, by: string, most: bigint): readonly string[] {
  spendOnSize(text.length);
  const limit = Number(most);
  if (limit === 0) return [];
  const parts = by === '' ? [...text] : text.split(by);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(by)];
}

function charAt(text: string, index: bigint): string {
  const characters = [...text];
  const at = Number(index);
  if (at < 0 || at > characters.length) throw new Error(`index out of range: ${index}`);
  return characters[at] ?? '';
}

function replace(text: string, from: string, to: string, most: number): string {
  spendOnSize(text.length);
  if (most < 0) return text.replaceAll(from, () => to);
  const parts = text.split(from);
  const joined = parts.slice(0, most + 1).join(to);
  return parts.length > most + 1 ? [joined, ...parts.slice(most + 1)].join(from) : joined;
}
