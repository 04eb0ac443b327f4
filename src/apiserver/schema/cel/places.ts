// Where the parts of an expression are, as CEL in Kubernetes counts.

import type { ASTNode } from '@marcbachmann/cel-js';
import { typeOf } from './macro.ts';

/** Where CEL says that a part of an expression is: operators, dots and parentheses, not where they begin. */
export function placeIn(source: string, node: ASTNode, start: number = node.start): number {
  switch (node.op) {
    case '&&':
    case '||': {
      // What is no bool is one of the two.
      const [left, right] = node.args;
      const wrong = typeOf(left)?.name === 'bool' ? right : left;
      return placeIn(source, wrong);
    }
    case 'call':
      return source.indexOf('(', node.start);
    case 'rcall':
      return source.indexOf('(', source.indexOf(node.args[0], node.args[1].end));
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return source.indexOf(node.op, node.args[0].end);
    case '.':
    case '.?':
      return source.indexOf('.', node.args[0].end);
    case '[]':
    case '[?]':
      return source.indexOf('[', node.args[0].end);
    case '?:':
      return source.indexOf('?', node.args[0].end);
    default:
      return start;
  }
}
