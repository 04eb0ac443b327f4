// An object in YAML, as the real server writes it: keys in order, lists as far in as their keys, long lines broken.

import type { Json, JsonObject } from '../../parts.ts';
import { isObject } from '../../rules/json.ts';
import { byKey } from './key-order.ts';
import { numberText } from './numbers.ts';
import { yamlText } from './texts.ts';

const STEP = 2;
/** In bytes: longer keys get a line of their own. */
const LONGEST_KEY = 128;

export const toYaml = (value: Json): string => `${isHeld(value) ? block(value, 0) : scalar(value, 0, STEP)}\n`;

type Holder = JsonObject | readonly Json[];

/** What has lines of its own. */
const isHeld = (value: Json): value is Holder =>
  (isObject(value) && Object.values(value).some(each => each !== undefined)) ||
  (Array.isArray(value) && value.length > 0);

const block = (holder: Holder, indent: number): string =>
  isObject(holder) ? entries(holder, indent) : items(holder, indent);

/** Its first line is not indented: it stands where the holder begins. */
function entries(object: JsonObject, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  return Object.keys(object)
    .filter(key => object[key] !== undefined)
    .sort(byKey)
    .map(key => entry(key, object[key] ?? null, indent))
    .join(margin);
}

function items(list: readonly Json[], indent: number): string {
  const [margin, inner] = [`\n${' '.repeat(indent)}`, indent + STEP];
  return list.map(item => `- ${nested(item, inner)}`).join(margin);
}

/** After a sign and a space. */
const nested = (value: Json, indent: number): string =>
  isHeld(value) ? block(value, indent) : scalar(value, indent, indent);

function entry(key: string, value: Json, indent: number): string {
  const inner = indent + STEP;
  const [isLong, hasLines] = [Buffer.byteLength(key) > LONGEST_KEY, /[\n\u2028\u2029]/.test(key)];
  if (isLong || hasLines) {
    const name = yamlText(key, { column: inner, indent: inner, lines: 'many' });
    return `? ${name}\n${' '.repeat(indent)}: ${nested(value, inner)}`;
  }
  const name = yamlText(key, { column: indent, indent: inner, lines: 'one' });
  if (!isHeld(value)) return `${name}: ${scalar(value, indent + [...name].length + 2, inner)}`;
  // A list stands as far in as its key.
  const at = isObject(value) ? inner : indent;
  return `${name}:\n${' '.repeat(at)}${block(value, at)}`;
}

function scalar(value: Json, column: number, indent: number): string {
  if (typeof value === 'string') return yamlText(value, { column, indent, lines: 'many' });
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[]' : '{}';
  return String(value);
}
