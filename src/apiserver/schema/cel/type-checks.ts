// What CEL in Kubernetes asks of the types in an expression and the library does not: literals of one type, optional
// entries that are optional, no scalar beside null, fields by their names, texts that are formatted by what fits them.

import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf } from './children.ts';
import { formatProblem } from './format-checks.ts';
import { type Type, typeOf } from './macro.ts';
import { isBare } from './optional-literals.ts';
import { placeIn } from './places.ts';
import { typeNamesIn } from './type-names.ts';

/** The fields of types of objects, by the type's name. */
export type TypeFields = ReadonlyMap<string, ReadonlySet<string>>;

export interface TypeProblem {
  readonly start: number;
  readonly words: string;
}

interface Walk {
  readonly source: string;
  readonly fields: TypeFields;
  /** What is formatted may be a list of anything, and so may what stands for an object. */
  readonly isMixed: boolean;
}

/** The first one. The expression has been checked: its parts know their types. */
export function typeProblem(node: ASTNode, walk: Walk): TypeProblem | undefined {
  const isFormat = node.op === 'rcall' && node.args[0] === 'format';
  const inside = isFormat ? { ...walk, isMixed: true } : walk;
  for (const child of childrenOf(node)) {
    const below = typeProblem(child, inside);
    if (below !== undefined) return below;
  }
  return ownProblem(node, walk);
}

function ownProblem(node: ASTNode, walk: Walk): TypeProblem | undefined {
  switch (node.op) {
    case 'list':
      return unlike(node.args, walk);
    case 'map': {
      const keys = node.args.map(([key]) => key);
      const values = node.args.map(([, value]) => value);
      return unlike(keys, walk) ?? unlike(values, walk);
    }
    case '==':
    case '!=':
      return besideNull(node, walk);
    case '[]':
      return indexed(node, walk);
    case '?:':
      return chosen(node, walk);
    case '.?':
      return unknownField(node, walk);
    case 'rcall':
      return node.args[0] === 'format' ? formatProblem(node, walk.source) : undefined;
    default:
      return undefined;
  }
}

const at = ({ source }: Walk, node: ASTNode, words: string): TypeProblem => ({
  start: placeIn(source, node),
  words: typeNamesIn(words),
});

function unlike(parts: readonly ASTNode[], walk: Walk): TypeProblem | undefined {
  let first: Type | undefined;
  for (const part of parts) {
    const type = typeOf(part);
    if (type === undefined) return undefined;
    if (isBare(part)) return at(walk, part, `expected type 'optional_type(${type.name})' but found '${type.name}'`);
    first ??= type;
    if (!walk.isMixed && !isLike(first, type))
      return at(walk, part, `expected type '${first.name}' but found '${type.name}'`);
  }
  return undefined;
}

/** An empty list is of any type. */
function isLike(a: Type, b: Type): boolean {
  if (a.name === b.name || /^[A-Z]$/.test(a.name) || /^[A-Z]$/.test(b.name)) return true;
  if (a.kind !== b.kind || a.valueType === undefined || b.valueType === undefined) return false;
  const sameKeys = a.keyType === undefined || b.keyType === undefined || isLike(a.keyType, b.keyType);
  return sameKeys && isLike(a.valueType, b.valueType);
}

/** What can never be null. */
const NEVER_NULL: ReadonlySet<string> = new Set(['int', 'uint', 'double', 'bool', 'string', 'bytes', 'list', 'map']);

function besideNull(node: ASTNode & { op: '==' | '!=' }, walk: Walk): TypeProblem | undefined {
  const [left, right] = [typeOf(node.args[0]), typeOf(node.args[1])];
  if (left === undefined || right === undefined) return undefined;
  const other = left.name === 'null' ? right : left;
  if ((left.name !== 'null' && right.name !== 'null') || !NEVER_NULL.has(other.name.replace(/<.*/, '')))
    return undefined;
  return at(walk, node, `found no matching overload for '_${node.op}_' applied to '(${left.name}, ${right.name})'`);
}

function indexed(node: ASTNode & { op: '[]' }, walk: Walk): TypeProblem | undefined {
  const [target, index] = [typeOf(node.args[0]), typeOf(node.args[1])];
  if (target === undefined || index === undefined) return undefined;
  const isKey = target.keyType === undefined || index.kind === 'dyn' || isLike(target.keyType, index);
  if (isKey && !walk.fields.has(target.name)) return undefined;
  return at(walk, node, `found no matching overload for '_[_]' applied to '(${target.name}, ${index.name})'`);
}

function chosen(node: ASTNode & { op: '?:' }, walk: Walk): TypeProblem | undefined {
  const [condition, yes, no] = node.args.map(typeOf);
  if (condition === undefined || yes === undefined || no === undefined) return undefined;
  if (yes.kind === 'dyn' || no.kind === 'dyn' || isLike(yes, no) || mayBeNull(yes, no) || mayBeNull(no, yes))
    return undefined;
  const types = `(${condition.name}, ${yes.name}, ${no.name})`;
  return at(walk, node, `found no matching overload for '_?_:_' applied to '${types}'`);
}

const mayBeNull = (value: Type, other: Type): boolean =>
  other.name === 'null' && !NEVER_NULL.has(value.name.replace(/<.*/, ''));

function unknownField(node: ASTNode & { op: '.?' }, walk: Walk): TypeProblem | undefined {
  const target = typeOf(node.args[0]);
  const fields = walk.fields.get((target?.kind === 'optional' ? target.valueType?.name : target?.name) ?? '');
  if (fields === undefined || fields.has(node.args[1])) return undefined;
  return at(walk, node, `undefined field '${node.args[1]}'`);
}
