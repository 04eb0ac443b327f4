// How much an expression can cost at worst, before there is any object: as CEL in Kubernetes estimates it.

import type { ASTNode } from '@marcbachmann/cel-js';
import { isTwoVariableLoop } from '../two-variables.ts';
import type { CelType, Declared } from './declared.ts';
import { addedCost, calledCost, comparedCost } from './functions.ts';
import { isLoop, unfolded } from './macros.ts';
import { fixed, NOTHING, ONE, type Range, sum, UNKNOWN, union } from './range.ts';
import { resultType } from './result-types.ts';
import {
  DYN,
  declaredSize,
  type Entry,
  foundSize,
  isScalar,
  isText,
  literalSize,
  type Seen,
  sizeOf,
  unionOfEntries,
} from './seen.ts';

/** `root` is what the rule stands on: `self` and `oldSelf`. */
export function estimatedCost(expression: ASTNode, root: Declared, oldSelf: 'plain' | 'optional'): number {
  return seen(expression, { root, locals: new Map(), oldSelf }).cost.max;
}

interface Scope {
  readonly root: Declared;
  readonly oldSelf: 'plain' | 'optional';
  readonly locals: ReadonlyMap<string, Seen>;
}

const NEW_LIST = fixed(10);
const NEW_MAP = fixed(30);
const BOOL: CelType = { kind: 'bool' };

function seen(node: ASTNode, scope: Scope): Seen {
  switch (node.op) {
    case 'value':
      return { cost: NOTHING, type: { kind: kindOf(node.args) }, size: literalSize(node.args), literal: node.args };
    case 'id':
      return seenName(node.args, scope);
    case '.':
      return seenField(seen(node.args[0], scope), node.args[1], scope);
    case '.?':
    case '[?]':
      return plain(sum(ONE, seen(node.args[0], scope).cost), DYN);
    case '[]':
      return seenEntry(seen(node.args[0], scope), seen(node.args[1], scope), scope);
    case 'call':
      return seenCall(node.args[0], undefined, node.args[1], scope);
    case 'rcall':
      return seenMethod(node.args, scope);
    default:
      return seenMade(node, scope);
  }
}

/** A value of which nothing but its type is known. */
const plain = (cost: Range, type: CelType): Seen => ({ cost, type, size: isScalar(type) ? ONE : undefined });

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (value instanceof Uint8Array) return 'bytes';
  const kinds: Readonly<Record<string, string>> = {
    string: 'string',
    bigint: 'int',
    number: 'double',
    boolean: 'bool',
  };
  return kinds[typeof value] ?? 'uint';
}

function seenName(name: string, { root, locals, oldSelf }: Scope): Seen {
  const local = locals.get(name);
  if (local !== undefined) return { ...local, cost: ONE };
  const isValue = name === 'self' || (name === 'oldSelf' && oldSelf === 'plain');
  const type = isValue ? root.type : name === 'oldSelf' ? { kind: 'optional', item: root.type } : { kind: 'type' };
  return { cost: ONE, type, path: [name], size: declaredSize(root, [name]) };
}

function typeAt(root: Declared, path: readonly string[]): CelType | undefined {
  let at: Declared | undefined = root;
  for (const step of path.slice(1))
    at = step.startsWith('@') ? (step === '@keys' ? at?.key : at?.item) : at?.fields?.get(step);
  return at?.type;
}

function seenField(target: Seen, field: string, { root }: Scope): Seen {
  const { kind, item } = target.type;
  const cost = kind === 'map' || kind === 'struct' ? sum(target.cost, ONE) : target.cost;
  const path = [...(target.path ?? []), field];
  const known = path.length > 1 ? typeAt(root, path) : undefined;
  const type = kind === 'map' ? (item ?? DYN) : (known ?? DYN);
  return { cost, type, path, size: foundSize(root, type, path) };
}

function seenEntry(target: Seen, index: Seen, { root }: Scope): Seen {
  const { kind, item = DYN } = target.type;
  const path = [...(target.path ?? []), kind === 'map' ? '@values' : '@items'];
  const cost = sum(ONE, target.cost, index.cost);
  return { cost, type: item, path, size: target.entry?.value ?? foundSize(root, item, path) };
}

/** Functions that are called by a name with a dot: no value stands before it. */
const NAMESPACES: ReadonlySet<string> = new Set(['ip', 'sets', 'math', 'format', 'strings', 'optional', 'lists']);

function seenMethod([name, receiver, args]: readonly [string, ASTNode, ASTNode[]], scope: Scope): Seen {
  if (receiver.op === 'id' && NAMESPACES.has(receiver.args) && !scope.locals.has(receiver.args)) {
    return seenCall(`${receiver.args}.${name}`, undefined, args, scope);
  }
  const [variable, second] = args;
  const target = seen(receiver, scope);
  if (variable?.op === 'id' && second?.op === 'id' && isTwoVariableLoop(name, args))
    return seenTwo(name, target, [variable.args, second.args], { bodies: args.slice(2), scope });
  if (variable?.op === 'id' && args.length > 1) {
    if (isLoop(name)) return seenLoop(name, target, variable.args, { bodies: args.slice(1), scope });
    if (name === 'optMap' || name === 'optFlatMap')
      return seenOptional(name, target, variable.args, { bodies: args.slice(1), scope });
  }
  return seenCall(name, target, args, scope);
}

function seenCall(name: string, target: Seen | undefined, args: readonly ASTNode[], scope: Scope): Seen {
  const [first] = args;
  // Asking whether a field is there costs nothing but the way to it.
  if (name === 'has' && target === undefined && first?.op === '.') return plain(seen(first.args[0], scope).cost, BOOL);
  const given = args.map(each => seen(each, scope));
  if (name === 'dyn' && given[0] !== undefined) return { ...given[0], cost: sum(ONE, given[0].cost), path: [] };
  const called = calledCost(name, { target, args: given, itemSize: () => itemSizeOf(target, scope) });
  const type = resultType(name, target, given);
  const cost = sum(called.cost, target?.cost ?? NOTHING, ...given.map(each => each.cost));
  return { cost, type, size: called.size ?? (isScalar(type) ? ONE : undefined), entry: called.entry };
}

const itemSizeOf = (target: Seen | undefined, { root }: Scope): Range =>
  (target?.path === undefined ? undefined : declaredSize(root, [...target.path, '@items'])) ?? UNKNOWN;

interface Bodies {
  readonly bodies: readonly ASTNode[];
  readonly scope: Scope;
}

function seenLoop(name: string, list: Seen, variable: string, { bodies, scope }: Bodies): Seen {
  const element = elementOf(list, scope);
  const inside = { ...scope, locals: new Map([...scope.locals, [variable, element]]) };
  const loop = { list, element, bodies: bodies.map(body => seen(body, inside)) };
  return unfolded(name, loop) ?? plain(UNKNOWN, DYN);
}

function seenTwo(name: string, list: Seen, names: readonly [string, string], { bodies, scope }: Bodies): Seen {
  const isMap = list.type.kind === 'map';
  const first = isMap ? elementOf(list, scope) : plain(ONE, { kind: 'int' });
  const element = isMap ? mapValueOf(list, scope) : elementOf(list, scope);
  const entries = [[names[0], first] as const, [names[1], element] as const];
  const inside = { ...scope, locals: new Map([...scope.locals, ...entries]) };
  const loop = { list, element, key: first, bodies: bodies.map(body => seen(body, inside)) };
  return unfolded(name, loop) ?? plain(UNKNOWN, DYN);
}

function mapValueOf(map: Seen, { root }: Scope): Seen {
  const path = [...(map.path ?? []), '@values'];
  const type = map.type.item ?? DYN;
  return { cost: ONE, type, path, size: foundSize(root, type, path) ?? map.entry?.value };
}

/** Of a list its items, of a map its keys. */
function elementOf(list: Seen, { root }: Scope): Seen {
  const isMap = list.type.kind === 'map';
  const path = [...(list.path ?? []), isMap ? '@keys' : '@items'];
  const type = (isMap ? list.type.key : list.type.item) ?? DYN;
  const size = foundSize(root, type, path) ?? (isMap ? list.entry?.key : list.entry?.value);
  return { cost: ONE, type, path, size };
}

function seenOptional(name: string, target: Seen, variable: string, { bodies: [body], scope }: Bodies): Seen {
  const value = plain(ONE, target.type.item ?? DYN);
  const inside = { ...scope, locals: new Map([...scope.locals, [variable, value]]) };
  const made = body === undefined ? NOTHING : seen(body, inside).cost;
  const asked = sum(ONE, target.cost);
  const wrapped = name === 'optMap' ? ONE : NOTHING;
  return plain(sum(asked, union(sum(wrapped, NEW_LIST, asked, made), ONE)), DYN);
}

type Made = Exclude<ASTNode, { op: 'value' | 'id' | '.' | '.?' | '[?]' | '[]' | 'call' | 'rcall' }>;

function seenMade(node: Made, scope: Scope): Seen {
  switch (node.op) {
    case 'list':
      return seenList(node.args.map(each => seen(each, scope)));
    case 'map':
      return seenMap(node.args.map(([key, value]) => [seen(key, scope), seen(value, scope)] as const));
    case '!_':
      return plain(sum(ONE, seen(node.args, scope).cost), BOOL);
    case '-_': {
      const operand = seen(node.args, scope);
      return plain(sum(ONE, operand.cost), operand.type);
    }
    case '?:': {
      const [condition, yes, no] = node.args.map(each => seen(each, scope));
      return seenChoice(condition, yes, no);
    }
    default: {
      const [a, b, ...more] = node.args.map(each => seen(each, scope));
      return a === undefined || b === undefined ? plain(NOTHING, DYN) : seenOperator(node.op, a, b, more);
    }
  }
}

function seenList(items: readonly Seen[]): Seen {
  const value = items.map(sizeOf).reduce(union, items.length === 0 ? NOTHING : NO_SIZE);
  const type = { kind: 'list', item: items[0]?.type ?? DYN };
  const cost = sum(NEW_LIST, ...items.map(item => item.cost));
  return { cost, type, size: fixed(items.length), entry: { key: ONE, value } };
}

/** What any size is added to. */
const NO_SIZE: Range = { min: UNKNOWN.max, max: 0 };

function seenMap(entries: readonly (readonly [Seen, Seen])[]): Seen {
  const begin = entries.length === 0 ? NOTHING : NO_SIZE;
  const key = entries.map(([each]) => sizeOf(each)).reduce(union, begin);
  const value = entries.map(([, each]) => sizeOf(each)).reduce(union, begin);
  const cost = sum(NEW_MAP, ...entries.flat().map(each => each.cost));
  const type = { kind: 'map', key: entries[0]?.[0].type ?? DYN, item: entries[0]?.[1].type ?? DYN };
  return { cost, type, size: fixed(entries.length), entry: { key, value } };
}

function seenChoice(condition: Seen | undefined, yes: Seen | undefined, no: Seen | undefined): Seen {
  if (condition === undefined || yes === undefined || no === undefined) return plain(NOTHING, DYN);
  const entry: Entry | undefined = unionOfEntries(yes.entry, no.entry);
  const cost = sum(condition.cost, union(yes.cost, no.cost));
  return { cost, type: yes.type.kind === 'dyn' ? no.type : yes.type, size: union(sizeOf(yes), sizeOf(no)), entry };
}

function seenOperator(op: string, a: Seen, b: Seen, more: readonly Seen[]): Seen {
  const operands = sum(a.cost, b.cost, ...more.map(each => each.cost));
  switch (op) {
    case '&&':
    case '||':
      return plain(operands, BOOL);
    case '==':
    case '!=':
      return plain(sum(comparedCost(a, b), operands), BOOL);
    case 'in':
      return plain(sum(b.type.kind === 'map' ? ONE : sizeOf(b), operands), BOOL);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return plain(sum(orderedCost(a, b), operands), BOOL);
    case '+':
      return seenSum(a, b, operands);
    default:
      return plain(sum(ONE, operands), a.type.kind === 'dyn' ? b.type : a.type);
  }
}

const orderedCost = (a: Seen, b: Seen): Range => (isText(a.type) || isText(b.type) ? comparedCost(a, b) : ONE);

function seenSum(a: Seen, b: Seen, operands: Range): Seen {
  const { cost, size, entry } = addedCost(a, b);
  const type = a.type.kind === 'dyn' ? b.type : a.type;
  return { cost: sum(cost, operands), type, size: size ?? (isScalar(type) ? ONE : undefined), entry };
}
