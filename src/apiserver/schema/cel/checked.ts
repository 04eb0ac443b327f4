// Reads an expression and checks its types: what runs, and in which words it is refused.

import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { type BadConstant, badConstant } from './constants.ts';
import { drawn, errorText, undeclaredText } from './error-text.ts';
import { unmarked } from './optional-literals.ts';
import { foreignName, rewrite } from './rewrite.ts';
import { type TypeFields, typeProblem } from './type-checks.ts';

export interface Checked {
  readonly kind: 'checked';
  run(variables: object): unknown;
  /** Of its value, as the library calls it. */
  readonly type: string;
  readonly usesOldSelf: boolean;
  /** As its author wrote it. */
  readonly ast: ASTNode;
  /** What it spells out and cannot be. */
  readonly bad: BadConstant | undefined;
}

export type Check = Checked | { readonly kind: 'refused'; readonly words: string };

/** `text` is what is read, `source` what is shown: they differ where a literal had to be written anew. */
export function checkedExpression(
  environment: Environment,
  { source, text = source }: { readonly source: string; readonly text?: string },
  fields: TypeFields,
): Check {
  try {
    const { text: plain, remember } = unmarked(text);
    const written = environment.parse(plain);
    const { ast } = written;
    remember(ast);
    const foreign = foreignName(source, ast);
    if (foreign !== undefined) return refused(undeclaredText(source, foreign.name, foreign.start));
    // The rewritten text is what must compile; the original one knows the places that the author knows.
    const asWritten = written.check();
    const { text: runnable, usesOldSelf } = rewrite(ast);
    const parsed = environment.parse(runnable);
    const { valid, type = 'dyn', error } = parsed.check();
    const wrong = asWritten.valid || valid ? typeProblem(ast, { source, fields, isMixed: text !== source }) : undefined;
    if (wrong !== undefined) return refused(drawn(source, wrong.start, wrong.words));
    if (!valid) return refused(errorText(source, asWritten.error, error));
    const bad = badConstant(source, ast);
    return { kind: 'checked', run: variables => parsed({ ...variables }), type, usesOldSelf, ast, bad };
  } catch (error) {
    return refused(errorText(source, error, error));
  }
}

const refused = (words: string): Check => ({ kind: 'refused', words });
