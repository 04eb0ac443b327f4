// YAML as Kubernetes reads it: version 1.1 without dates, no key twice, and no text that costs more than its length.

import { isMap, isScalar, Lexer, parseDocument, type Tags, visit, type YAMLMap } from 'yaml';
import { messageOf } from '../../base/errors.ts';

export type YamlValue = { readonly value: unknown } | { readonly problem: string };

/** What the text says, or the sentence that says why it cannot be read. */
export function yamlValue(text: string, maxDepth: number): YamlValue {
  if (nestsDeeper(text, maxDepth)) return { problem: `yaml: exceeded max depth of ${maxDepth}` };
  try {
    // The library compares each key with all others; below every key is looked up once.
    const document = parseDocument(text, { version: '1.1', customTags: withoutTimes, uniqueKeys: false });
    const [error] = document.errors;
    if (error !== undefined) return { problem: messageOf(error) };
    const twice = keyTwice(document);
    if (twice !== undefined)
      return { problem: `yaml: unmarshal errors: key ${JSON.stringify(twice)} already set in map` };
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** As Go's YAML reader: no dates, and `1:30` is a text. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter(tag => typeof tag === 'string' || !(tag.tag.endsWith(':timestamp') || isTime(tag)));
}

const isTime = (tag: object): boolean => 'format' in tag && tag.format === 'TIME';

const NESTING: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/** Whether brackets nest too deep: the library would take seconds to find out by running out of stack. */
function nestsDeeper(text: string, maxDepth: number): boolean {
  const brackets = text.match(/[[{]/g)?.length ?? 0;
  if (brackets <= maxDepth) return false;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    depth += NESTING[token] ?? 0;
    if (depth > maxDepth) return true;
  }
  return false;
}

/** A key that one map has twice. */
function keyTwice(document: ReturnType<typeof parseDocument>): string | undefined {
  let found: string | undefined;
  visit(document, {
    Map: (_, map) => {
      found ??= repeatedIn(map);
      return found === undefined ? undefined : visit.BREAK;
    },
  });
  return found;
}

function repeatedIn(map: YAMLMap): string | undefined {
  if (!isMap(map)) return undefined;
  const seen = new Set<string>();
  for (const { key } of map.items) {
    if (!isScalar(key)) continue;
    const text = String(key.value);
    if (seen.has(text)) return text;
    seen.add(text);
  }
  return undefined;
}
