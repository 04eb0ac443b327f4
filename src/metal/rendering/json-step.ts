// The YAML of a section, with what becomes of texts on upstream's way through JSON: some characters are refused, one is folded.

import { defineError } from '../../base/errors.ts';
import { toYaml, type YamlValue } from '../../base/yaml/document.ts';

const notYaml = defineError('PIPPIN_E_METAL_NOT_YAML', {
  retry: 'never',
  remedy: 'Take the character out of the template, or of the label or annotation that it is filled from',
  says: (where: string, what: string) => `${where}: ${what} cannot be written as YAML`,
});

/** `name` says in refusals whose value this is. */
export const sectionYaml = (value: YamlValue, name: string): string => toYaml(asReadFromJson(value, name));

/** The value as upstream writes it: marshalled as JSON, then read by its YAML reader. */
export function asReadFromJson(value: YamlValue, where: string): YamlValue {
  if (typeof value === 'string') return textAsRead(value, where);
  if (typeof value === 'number' && !Number.isFinite(value)) throw notYaml(where, `the number ${value}`);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.map((item, index) => asReadFromJson(item, `${where}[${index}]`));
  const entries = Object.entries(value).map(([key, item]) => [
    keyAsRead(key, where),
    asReadFromJson(item, `${where}.${key}`),
  ]);
  return Object.fromEntries(entries);
}

/** The reader's control characters, less those that JSON escapes. */
const REFUSED = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/u;
const NEXT_LINE = '\u0085';

function textAsRead(text: string, where: string): string {
  const [refused] = REFUSED.exec(text) ?? [];
  if (refused !== undefined) throw notYaml(where, `the character ${nameOf(refused)}`);
  const whole = text.toWellFormed();
  if (!whole.includes(NEXT_LINE)) return whole;
  if (DOCUMENT_SIGN.test(whole)) throw notYaml(where, `a document's sign after the character ${nameOf(NEXT_LINE)}`);
  return whole.replace(FOLDED, breaks => '\n'.repeat(breaks.split(NEXT_LINE).length - 2) || ' ');
}

/** A break among spaces is read as one space, several as one newline less. */
const FOLDED = / *\u0085[ \u0085]*/g;
const DOCUMENT_SIGN = /\u0085(?:---|\.\.\.)[ \u0085]/;

/** A key is read from one line, and from no more than this many characters of JSON. */
const LONGEST_KEY = 1024;

function keyAsRead(key: string, where: string): string {
  if (key.includes(NEXT_LINE)) throw notYaml(where, `the character ${nameOf(NEXT_LINE)} in a key`);
  if (jsonLength(key) > LONGEST_KEY) throw notYaml(where, `a key of ${key.length} characters`);
  return textAsRead(key, where);
}

/** Go escapes more characters than JSON asks for. */
const jsonLength = (text: string): number => [...JSON.stringify(text).replace(/[<>&\u2028\u2029]/g, '\\u....')].length;

const nameOf = (character: string): string =>
  `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

const isList = (value: YamlValue): value is readonly YamlValue[] => Array.isArray(value);
