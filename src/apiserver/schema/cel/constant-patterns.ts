// Patterns that a rule spells out: one that is none is told of when the rule is written, not when it first runs.

import type { ASTNode } from '@marcbachmann/cel-js';
import { patternProblem } from '../patterns.ts';
import { childrenOf } from './rewrite.ts';

/** The first argument of `text.matches(...)` that is spelt out and no pattern; undefined: there is none. */
export function badPattern(ast: ASTNode): ASTNode | undefined {
  if (ast.op === 'rcall' && ast.args[0] === 'matches') {
    const [pattern] = ast.args[2];
    if (pattern?.op === 'value' && typeof pattern.args === 'string' && patternProblem(pattern.args) !== undefined) {
      return pattern;
    }
  }
  for (const child of childrenOf(ast)) {
    const found = badPattern(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
