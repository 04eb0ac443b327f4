// YAML as Kubernetes reads it: version 1.1 without dates, no key twice, and no text that costs more than its length.

import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  parseDocument,
  type Tags,
  visit,
  type YAMLMap,
} from 'yaml';
import { messageOf } from '../../base/errors.ts';
import { inexact, isChanged } from './exact-numbers.ts';

interface Unreadable {
  readonly problem: string;
  /** It can be read, but JSON has nothing like it. */
  readonly isOfJson?: true;
}

export type YamlValue =
  | {
      readonly value: unknown;
      /** Keys that a map has twice, of which the last stands: `line 5: key "a" already set in map`. */
      readonly repeated: readonly string[];
    }
  | Unreadable;

/** What the text says, or the sentence that says why it cannot be read. */
export function yamlValue(text: string, maxDepth: number): YamlValue {
  if (nestsDeeper(text, maxDepth)) return { problem: `yaml: exceeded max depth of ${maxDepth}` };
  try {
    // The library compares each key with all others; below every key is looked up once.
    const lines = new LineCounter();
    const options = { version: '1.1', customTags: withoutTimes, uniqueKeys: false, lineCounter: lines } as const;
    const document = parseDocument(text, options);
    // Of several documents the first is read.
    const error = document.errors.find(({ code }) => code !== 'MULTIPLE_DOCS');
    if (error !== undefined) return { problem: messageOf(error) };
    const problem = withoutItself(document) ?? exactNumbers(document);
    if (problem !== undefined) return problem;
    const repeated = keysTwice(document, at => lines.linePos(at).line);
    return { value: document.toJS({ maxAliasCount: 100 }), repeated };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/** Makes a number beyond all doubles a text, as Go's YAML reader does; one that would be another is told, with its field. */
function exactNumbers(document: ReturnType<typeof parseDocument>): Unreadable | undefined {
  let problem: Unreadable | undefined;
  visit(document, {
    Scalar: (_, scalar, path) => {
      const { value, source = '' } = scalar;
      // Bytes are a text to Go.
      if (value instanceof Uint8Array) scalar.value = Buffer.from(value).toString();
      if (typeof value !== 'number') return undefined;
      if (isChanged(source)) problem = { problem: inexact(source, fieldOf([...path, scalar])) };
      else if (/^[-+]?\.inf$|^\.nan$/i.test(source)) problem = { problem: unsupported(value), isOfJson: true };
      else if (!Number.isFinite(value)) scalar.value = source;
      return problem === undefined ? undefined : visit.BREAK;
    },
  });
  return problem;
}

/** What holds itself has no end, and no JSON has a key that is nothing, a list or a map. */
function withoutItself(document: ReturnType<typeof parseDocument>): Unreadable | undefined {
  let problem: string | undefined;
  visit(document, {
    Alias: (_, { source }, path) => {
      const holds = path.some(node => isNode(node) && 'anchor' in node && node.anchor === source);
      if (holds) problem = `yaml: anchor '${source}' value contains itself`;
      return problem === undefined ? undefined : visit.BREAK;
    },
    Pair: (_, { key, value }) => {
      if (isMap(key) || isSeq(key)) problem = 'yaml: invalid map key';
      if (key === null || (isScalar(key) && key.value === null))
        problem = nullKey(isScalar(value) ? value.value : value);
      return problem === undefined ? undefined : visit.BREAK;
    },
  });
  return problem === undefined ? undefined : { problem, isOfJson: true };
}

const nullKey = (value: unknown): string =>
  `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${typeof value === 'string' ? JSON.stringify(value) : 'of its own'}`;

function unsupported(value: number): string {
  if (Number.isNaN(value)) return 'json: unsupported value: NaN';
  return `json: unsupported value: ${value > 0 ? '+Inf' : '-Inf'}`;
}

/** `spec.list[0].number`. */
function fieldOf(path: readonly unknown[]): string {
  const steps = path.map((node, at) => {
    if (isSeq(node)) return `[${node.items.indexOf(path[at + 1])}]`;
    return isPair(node) && isScalar(node.key) ? `.${node.key.value}` : '';
  });
  return steps.join('').replace(/^\./, '');
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

/** More are not told. */
const MAX_REPEATED = 100;

interface Repeated {
  readonly told: string;
  /** Where its value ends: Go tells of a key once it has read the value. */
  readonly end: number;
}

function keysTwice(document: ReturnType<typeof parseDocument>, lineAt: (offset: number) => number): string[] {
  const found: Repeated[] = [];
  visit(document, {
    Map: (_, map) => {
      found.push(...repeatedIn(map, lineAt));
      return found.length < MAX_REPEATED ? undefined : visit.BREAK;
    },
  });
  return found
    .sort((a, b) => a.end - b.end)
    .slice(0, MAX_REPEATED)
    .map(({ told }) => told);
}

function repeatedIn(map: YAMLMap, lineAt: (offset: number) => number): readonly Repeated[] {
  if (!isMap(map)) return [];
  const seen = new Set<string>();
  const found: Repeated[] = [];
  for (const { key, value } of map.items) {
    if (!isScalar(key)) continue;
    const text = String(key.value);
    if (seen.has(text) && found.length < MAX_REPEATED) {
      const told = `line ${lineAt(key.range?.[0] ?? 0)}: key ${JSON.stringify(text)} already set in map`;
      found.push({ told, end: (isNode(value) ? value.range?.[1] : key.range?.[1]) ?? 0 });
    }
    seen.add(text);
  }
  return found;
}
