// A TypeScript file as the house rules see it: text, syntax tree, comments, and what it imports how.

import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** One node of the syntax tree (ESTree with TypeScript's nodes), as far as rules look at it. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** A node, where it hangs, and under which key. */
export interface Placed {
  readonly node: Node;
  readonly parent: Node | undefined;
  readonly key: string;
}

export interface Import {
  /** As written: `../base/clock.ts`, `node:fs`, `commander`. */
  readonly from: string;
  /** From the root, for a relative import. */
  readonly path: string | undefined;
  readonly how: 'value' | 'type' | 'dynamic';
  /** Imported names; `*` for a namespace or a side effect. */
  readonly names: readonly string[];
  readonly line: number;
}

export interface Comment {
  readonly text: string;
  readonly line: number;
  readonly start: number;
}

export interface SourceFile {
  /** From the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly nodes: readonly Placed[];
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
  lineAt(offset: number): number;
}

export const root = resolve(import.meta.dirname, '../..');

const PROGRAM = '{src,sim,test,bench,scripts}/**/*.ts';

export const isTest = ({ path }: { path: string }): boolean =>
  /\.(test|contract|testing)\.ts$/.test(path) || path.startsWith('test/');

export const isGenerated = ({ path }: { path: string }): boolean => path.includes('.generated.');

/** Every TypeScript file of the program, parsed. */
export function readSources(): SourceFile[] {
  const paths = globSync(PROGRAM, { cwd: root, exclude: ['**/node_modules/**'] });
  return paths.sort().map(path => sourceFile(path, readFileSync(join(root, path), 'utf8')));
}

/** `path` from the root decides which rules hold for it. */
export function sourceFile(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text, { lang: 'ts', sourceType: 'module' });
  const lineAt = lineFinder(text);
  return {
    path,
    text,
    nodes: placed(parsed.program),
    comments: parsed.comments.map(({ value, start }) => ({ text: value, line: lineAt(start), start })),
    imports: importsOf(path, text, parsed.module, lineAt),
    lineAt,
  };
}

function lineFinder(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    const next = starts.findIndex(start => start > offset);
    return next < 0 ? starts.length : next;
  };
}

type Module = ReturnType<typeof parseSync>['module'];

function importsOf(path: string, text: string, module: Module, lineAt: (offset: number) => number): Import[] {
  const at = (from: string, offset: number, how: Import['how'], names: string[]): Import => ({
    from,
    path: from.startsWith('.') ? join(dirname(path), from) : undefined,
    how,
    names,
    line: lineAt(offset),
  });
  const how = (entries: readonly { isType: boolean }[]): 'value' | 'type' =>
    entries.length > 0 && entries.every(entry => entry.isType) ? 'type' : 'value';
  const statics = module.staticImports.map(({ moduleRequest, entries, start }) =>
    at(
      moduleRequest.value,
      start,
      how(entries),
      entries.length === 0 ? ['*'] : entries.map(entry => entry.importName.name ?? '*'),
    ),
  );
  const exported = module.staticExports.flatMap(({ entries, start }) =>
    entries.flatMap(entry =>
      entry.moduleRequest === null
        ? []
        : [at(entry.moduleRequest.value, start, how([entry]), [entry.importName.name ?? '*'])],
    ),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    at(text.slice(start, end).replaceAll(/^['"`]|['"`]$/g, ''), start, 'dynamic', ['*']),
  );
  return [...statics, ...exported, ...dynamic];
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** The tree as a list, parents first. */
function placed(program: unknown): Placed[] {
  const list: Placed[] = [];
  const visit = (value: unknown, parent: Node | undefined, key: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, parent, key);
    else if (isNode(value)) {
      list.push({ node: value, parent, key });
      for (const [childKey, child] of Object.entries(value)) visit(child, value, childKey);
    }
  };
  visit(program, undefined, '');
  return list;
}
