// What a house rule is: a question to the whole tree, answered by findings that say what to do instead.

import type { SourceFile } from './source.ts';

export interface Finding {
  readonly path: string;
  readonly line: number;
  /** What is wrong and what to do instead, in one sentence. */
  readonly says: string;
}

/** A text file that is no TypeScript: a page of the docs, a script, a configuration. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export interface Tree {
  readonly sources: readonly SourceFile[];
  /** Every tracked text file, sources included. */
  readonly texts: readonly TextFile[];
}

export interface Rule {
  /** Kebab-case: how the exemptions name it. */
  readonly name: string;
  /** The rule itself, as a sentence. */
  readonly holds: string;
  check(tree: Tree): readonly Finding[];
}

/** A rule that looks at one source file at a time. */
export function fileRule(name: string, holds: string, check: (file: SourceFile) => readonly Finding[]): Rule {
  return { name, holds, check: ({ sources }) => sources.flatMap(check) };
}
