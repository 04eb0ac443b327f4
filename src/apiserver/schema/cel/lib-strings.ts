// String functions: searching with RE2, and those of CEL's strings extension that the library lacks.

import type { Environment } from '@marcbachmann/cel-js';
import { compilePattern, patternProblem } from '../patterns.ts';
import type { Register } from './environment.ts';
import { formatText } from './format-text.ts';
import { spendOnSize } from './meter.ts';

class StringsNamespace {}

/** A duration of the library. */
interface Span {
  readonly seconds: bigint;
  readonly nanos: number;
}

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
  register(
    'string(google.protobuf.Duration): string',
    ({ seconds, nanos }: Span) => `${Number(seconds) + nanos / 1e9}s`,
  );
  register('string.__substring(int): string', (text: string, start: bigint) => substring(text, start));
  register('string.__substring(int, int): string', substring);
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
