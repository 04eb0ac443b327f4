// What a macro of our own meets of the CEL library: its types, scopes, checker and evaluator.

import { type ASTNode, ParseError } from '@marcbachmann/cel-js';

export interface Type {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: Type;
  readonly valueType?: Type;
  isDynOrBool(): boolean;
}

/** Of a part of an expression that was checked; undefined where the library did not get to. */
export function typeOf(node: ASTNode): Type | undefined {
  return 'checkedType' in node ? (node.checkedType as Type | undefined) : undefined;
}

export interface Scope {
  forkWithVariable(name: string, type: Type): Scope;
  reuse(parent: Scope): Scope;
  setIterValue(value: unknown, evaluator: Evaluator): Scope;
}

export interface Checker {
  check(node: ASTNode, scope: Scope): Type;
  getType(name: string): Type;
  formatType(type: Type): string;
  createError(code: string, message: string, node: ASTNode): Error;
  readonly registry: { getListType(item: Type): Type; getMapType(key: Type, value: Type): Type };
}

export interface Evaluator {
  run(node: ASTNode, scope: Scope): unknown;
}

export interface Macro {
  readonly ast: ASTNode & { setMeta?(key: string, value: unknown): unknown };
  readonly receiver: ASTNode;
  readonly args: readonly ASTNode[];
}

/** The variable of a loop. */
export function nameIn(node: ASTNode | undefined): string {
  if (node?.op === 'id') return node.args;
  throw refused('argument must be a simple name', node);
}

export const refused = (message: string, node: ASTNode | undefined): ParseError =>
  new ParseError({ code: 'invalid_macro_argument', message, ...(node === undefined ? {} : { node }) });

export const notIterable = (checker: Checker, node: ASTNode, type: Type): Error =>
  checker.createError(
    'invalid_comprehension_range',
    `expression of type '${checker.formatType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    node,
  );
