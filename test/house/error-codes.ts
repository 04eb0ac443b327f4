// Which errors the program defines: read from the syntax trees, for the rule and for the index in docs/errors.md.

import type { Finding, Rule, Tree } from './rule.ts';
import { isTest, type Node, type SourceFile } from './source.ts';

export interface ErrorRow {
  readonly code: string;
  readonly path: string;
  readonly line: number;
  readonly retry: string;
  readonly remedy: string;
  /** The message, with `${...}` where values go; empty where it is the other side's own. */
  readonly says: string;
}

const INDEX = 'docs/errors.md';

/** Every definition: `defineError(code, { ... })`, or an object that has code, retry and remedy. */
export function errorRows(sources: readonly SourceFile[]): ErrorRow[] {
  const program = sources.filter(file => file.path.startsWith('src/') && !isTest(file));
  return program
    .flatMap(rowsOf)
    .sort((a, b) => a.code.localeCompare(b.code, 'en') || a.path.localeCompare(b.path, 'en'));
}

function rowsOf(file: SourceFile): ErrorRow[] {
  return file.nodes.flatMap(({ node }): ErrorRow[] => {
    const found = definitionOf(node);
    if (found === undefined) return [];
    const { code, fields } = found;
    return [
      {
        code,
        path: file.path,
        line: file.lineAt(node.start),
        retry: textOf(fields.get('retry')) ?? 'depends',
        remedy: textOf(fields.get('remedy')) ?? '',
        says: messageOf(fields.get('says')),
      },
    ];
  });
}

interface Definition {
  readonly code: string;
  readonly fields: ReadonlyMap<string, Node>;
}

function definitionOf(node: Node): Definition | undefined {
  if (node.type === 'CallExpression' && nodeIn(node, 'callee')?.name === 'defineError') {
    const [code, fields] = nodesIn(node, 'arguments');
    const text = textOf(code);
    return text === undefined || fields === undefined ? undefined : { code: text, fields: fieldsOf(fields) };
  }
  if (node.type !== 'ObjectExpression') return undefined;
  const fields = fieldsOf(node);
  const code = textOf(fields.get('code'));
  return code?.startsWith('PIPPIN_E_') === true && fields.has('remedy') ? { code, fields } : undefined;
}

function fieldsOf(object: Node): Map<string, Node> {
  const fields = new Map<string, Node>();
  for (const property of nodesIn(object, 'properties')) {
    const key = nodeIn(property, 'key')?.name;
    const value = nodeIn(property, 'value');
    if (typeof key === 'string' && value !== undefined) fields.set(key, value);
  }
  return fields;
}

/** A string literal's value, a template's text, or several joined with `+`; undefined for anything computed. */
function textOf(node: Node | undefined): string | undefined {
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [textOf(nodeIn(node, 'left')), textOf(nodeIn(node, 'right'))];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral' || nodesIn(node, 'expressions').length > 0) return undefined;
  return templateText(node);
}

function templateText(template: Node): string {
  const parts = nodesIn(template, 'quasis').map(quasi => {
    const value = quasi.value;
    return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : '';
  });
  const holes = nodesIn(template, 'expressions').map(hole => `<${holeName(hole)}>`);
  return parts.map((part, i) => part + (holes[i] ?? '')).join('');
}

const holeName = (hole: Node): string => (typeof hole.name === 'string' ? hole.name : '...');

/** The message that a `says` function builds, when it is one string or template. */
function messageOf(says: Node | undefined): string {
  const body = says === undefined ? undefined : nodeIn(says, 'body');
  if (body?.type === 'TemplateLiteral') return templateText(body);
  return textOf(body) ?? '';
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

function nodeIn(node: Node, key: string): Node | undefined {
  const value = node[key];
  return isNode(value) ? value : undefined;
}

function nodesIn(node: Node, key: string): Node[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export const errorCodes: Rule = {
  name: 'error-codes',
  holds: 'an error code is defined once, has a remedy, and is the one that the docs name',
  check: tree => [...definitionTrouble(tree), ...citationTrouble(tree)],
};

function definitionTrouble({ sources }: Tree): Finding[] {
  const first = new Map<string, ErrorRow>();
  return errorRows(sources).flatMap(row => {
    const { code, path, line, remedy } = row;
    const before = first.get(code);
    if (before === undefined) first.set(code, row);
    if (before !== undefined)
      return [{ path, line, says: `${code} is defined in ${before.path} too: an error is never reused` }];
    return remedy === ''
      ? [{ path, line, says: `${code} has no remedy in plain text: say what the reader can do` }]
      : [];
  });
}

/** Both ways: a code in the docs is defined, and a code in the program is in the index. */
function citationTrouble({ sources, texts }: Tree): Finding[] {
  const defined = new Set(errorRows(sources).map(row => row.code));
  const docs = texts.filter(({ path }) => path.endsWith('.md'));
  const unknown = docs.flatMap(({ path, text }) =>
    codesIn(text).flatMap(({ code, line }) =>
      defined.has(code)
        ? []
        : [{ path, line, says: `${code} is no longer defined: run npm run generate, or correct the text` }],
    ),
  );
  const indexed = new Set(codesIn(docs.find(({ path }) => path === INDEX)?.text ?? '').map(({ code }) => code));
  const missing = [...defined].flatMap(code =>
    indexed.has(code) ? [] : [{ path: INDEX, line: 1, says: `${code} is missing: run npm run generate` }],
  );
  return [...unknown, ...missing];
}

function codesIn(text: string): { code: string; line: number }[] {
  return text
    .split('\n')
    .flatMap((line, i) => (line.match(/PIPPIN_E_[A-Z0-9_]+/g) ?? []).map(code => ({ code, line: i + 1 })));
}
