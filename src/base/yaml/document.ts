// Writes one value as YAML, byte for byte as sigs.k8s.io/yaml v1.6.0 does: what the real API answers, and Metal3 renders (metal-R3).

import { isBreak } from './characters.ts';
import { compareKeys } from './key-order.ts';
import { formatNumber } from './number.ts';
import { Page } from './page.ts';
import { writeText } from './scalar.ts';

export type YamlValue = null | boolean | number | string | readonly YamlValue[] | YamlMap;
export interface YamlMap {
  readonly [key: string]: YamlValue;
}

/** Numbers are finite. A key without a value is left out, as in JSON. */
export function toYaml(value: YamlValue): string {
  const page = new Page();
  writeNode(page, value, { indent: -INDENT, follows: 'nothing' });
  page.indent(0);
  return page.text;
}

const INDENT = 2;
/** In UTF-8; a longer key is written after a question mark. */
const LONGEST_SIMPLE_KEY_BYTES = 128;

interface NodePlace {
  /** The column of the entries that this node is one of. */
  readonly indent: number;
  readonly follows: 'nothing' | 'dash' | 'key';
}

function writeNode(page: Page, value: YamlValue, place: NodePlace): void {
  if (isList(value)) writeList(page, value, place);
  else if (typeof value === 'object' && value !== null) writeMap(page, value, place);
  else if (typeof value === 'string')
    writeText(page, value, { indent: Math.max(place.indent, 0) + INDENT, isKey: false });
  else page.indicator(typeof value === 'number' ? formatNumber(value) : String(value), { spaced: true });
}

/** A list below a key is not indented further, unless it starts on the key's own line. */
function writeList(page: Page, items: readonly YamlValue[], { indent, follows }: NodePlace): void {
  if (items.length === 0) page.indicator('[]', { spaced: true });
  const own = follows === 'key' && !page.isAtLineStart ? indent : indent + INDENT;
  for (const item of items) {
    page.indent(own);
    page.indicator('-', { spaced: true, opensLine: true });
    writeNode(page, item, { indent: own, follows: 'dash' });
  }
}

/** The order runs in circles for some keys (5, 091, 0b): upstream leaves those to chance, here they are sorted first. */
function writeMap(page: Page, map: YamlMap, { indent }: NodePlace): void {
  const keys = Object.keys(map)
    .filter(key => map[key] !== undefined)
    .sort()
    .sort(compareKeys);
  if (keys.length === 0) page.indicator('{}', { spaced: true });
  const own = indent + INDENT;
  for (const key of keys) {
    page.indent(own);
    if (isSimpleKey(key)) writeSimpleKey(page, key, own);
    else writeLongKey(page, key, own);
    writeNode(page, map[key] ?? null, { indent: own, follows: 'key' });
  }
}

function writeSimpleKey(page: Page, key: string, indent: number): void {
  writeText(page, key, { indent: indent + INDENT, isKey: true });
  page.indicator(':', { spaced: false });
}

function writeLongKey(page: Page, key: string, indent: number): void {
  page.indicator('?', { spaced: true, opensLine: true });
  writeText(page, key, { indent: indent + INDENT, isKey: false });
  page.indent(indent);
  page.indicator(':', { spaced: true, opensLine: true });
}

const isSimpleKey = (key: string): boolean =>
  new TextEncoder().encode(key).length <= LONGEST_SIMPLE_KEY_BYTES && ![...key].some(isBreak);

const isList = (value: YamlValue): value is readonly YamlValue[] => Array.isArray(value);
