// Loops with two variables, `list.all(index, value, ...)` and `map.transformMap(key, value, ...)`: the CEL library has
// those with one only. They are macros of its own kind, so that mistakes in them are told at their places.

import type { ASTNode } from '@marcbachmann/cel-js';
import type { Register } from './environment.ts';
import {
  type Checker,
  type Evaluator,
  type Macro,
  nameIn,
  notIterable,
  refused,
  type Scope,
  type Type,
} from './macro.ts';
import { spend } from './meter.ts';

/** What one turn of the loop runs on: a part of it, with both variables set. */
type Run = (part: ASTNode) => unknown;

/** How a loop goes: what its parts must be, and what comes of them. */
interface Loop {
  /** How many parts there are at most: of two the first one chooses. */
  readonly parts: 1 | 2;
  /** The type of the whole, of the type of the last part. */
  typed(checker: Checker, macro: Macro, types: { readonly key: Type; readonly last: Type }): Type;
  run(turns: Iterable<Turn>): unknown;
}

interface Turn {
  readonly key: unknown;
  /** Whether the turn counts; of loops without a choice: always. */
  isChosen(): boolean;
  last(): unknown;
}

const LOOPS: Readonly<Record<string, Loop>> = {
  all: { parts: 1, typed: ofBool, run: turns => decided(turns, 'all') },
  exists: { parts: 1, typed: ofBool, run: turns => decided(turns, 'exists') },
  existsOne: { parts: 1, typed: ofChoice, run: onlyOne },
  exists_one: { parts: 1, typed: ofChoice, run: onlyOne },
  transformList: {
    parts: 2,
    typed: ({ registry }, _, { last }) => registry.getListType(last),
    run: turns => [...turns].filter(turn => turn.isChosen()).map(turn => turn.last()),
  },
  transformMap: {
    parts: 2,
    typed: ({ registry }, _, { key, last }) => registry.getMapType(key, last),
    run: turns => new Map([...turns].filter(turn => turn.isChosen()).map(turn => [turn.key, turn.last()])),
  },
  transformMapEntry: { parts: 2, typed: ofEntries, run: inserted },
};

export const isTwoVariableLoop = (name: string, args: readonly unknown[]): boolean => {
  const loop = Object.hasOwn(LOOPS, name) ? LOOPS[name] : undefined;
  return loop !== undefined && (args.length === 3 || (loop.parts === 2 && args.length === 4));
};

/** There is no such loop with one variable. */
export const isLoopOfTwoOnly = (name: string): boolean => name === 'existsOne' || name.startsWith('transform');

export function registerTwoVariableLoops(register: Register): void {
  for (const [name, loop] of Object.entries(LOOPS)) {
    for (let parts = 1; parts <= loop.parts; parts += 1) {
      const args = ['ast', 'ast', ...Array.from({ length: parts }, () => 'ast')].join(', ');
      register(`list.${name}(${args}): dyn`, (macro: Macro) => expanded(loop, macro));
    }
  }
}

function expanded(loop: Loop, macro: Macro): object {
  const [first, second, ...parts] = macro.args;
  const [keyName, valueName] = [nameIn(first), nameIn(second)];
  if (keyName === valueName && second !== undefined) throw refused(`duplicate variable name: ${keyName}`, second);
  const weight = parts.length + 1;
  let keyScope: Scope | undefined;
  let valueScope: Scope | undefined;
  return {
    ast: macro.ast,
    async: false,
    typeCheck: (checker: Checker, _: unknown, scope: Scope): Type => {
      const { key, value } = rangeOf(checker, macro.receiver, checker.check(macro.receiver, scope));
      keyScope = scope.forkWithVariable(keyName, key);
      valueScope = keyScope.forkWithVariable(valueName, value);
      const inside = valueScope;
      const types = parts.map(part => checker.check(part, inside));
      const [choice] = types;
      const last = types.at(-1) ?? value;
      const whole = loop.typed(checker, { ...macro, args: parts }, { key, last });
      if (types.length > 1 && choice !== undefined) chosenBy(checker, macro, choice, whole);
      macro.ast.setMeta?.('async', false);
      return whole;
    },
    evaluate: (evaluator: Evaluator, _: unknown, scope: Scope): unknown => {
      const entries = entriesOf(evaluator.run(macro.receiver, scope));
      return loop.run(
        turnsOf(entries, parts, (key, value) => part => {
          if (keyScope === undefined || valueScope === undefined) throw new Error('no such overload');
          spend(weight);
          const outer = keyScope.reuse(scope).setIterValue(key, evaluator);
          return evaluator.run(part, valueScope.reuse(outer).setIterValue(value, evaluator));
        }),
      );
    },
  };
}

function rangeOf(checker: Checker, node: ASTNode, type: Type): { readonly key: Type; readonly value: Type } {
  const dyn = checker.getType('dyn');
  if (type.kind === 'dyn') return { key: dyn, value: dyn };
  if (type.kind === 'list') return { key: checker.getType('int'), value: type.valueType ?? dyn };
  if (type.kind === 'map') return { key: type.keyType ?? dyn, value: type.valueType ?? dyn };
  throw notIterable(checker, node, type);
}

function ofBool(checker: Checker, { args: [body] }: Macro, { last }: { readonly last: Type }): Type {
  if (last.isDynOrBool() || body === undefined) return checker.getType('bool');
  const words = `expected type 'bool' but found '${checker.formatType(last)}'`;
  throw checker.createError('invalid_condition_type', words, body);
}

function ofChoice(checker: Checker, macro: Macro, { last }: { readonly last: Type }): Type {
  chosenBy(checker, macro, last, checker.getType('int'));
  return checker.getType('bool');
}

function chosenBy(checker: Checker, { ast }: Macro, choice: Type, result: Type): void {
  if (choice.isDynOrBool()) return;
  const [condition, made] = [choice, result].map(type => checker.formatType(type));
  throw noOverload(checker, '_?_:_', `${condition}, ${made}, ${made}`, ast);
}

function ofEntries(checker: Checker, { ast }: Macro, { last }: { readonly last: Type }): Type {
  if (last.kind === 'map' || last.kind === 'dyn') return last;
  throw noOverload(checker, 'cel.@mapInsert', `map(dyn, dyn), ${checker.formatType(last)}`, ast);
}

const noOverload = (checker: Checker, name: string, applied: string, ast: ASTNode): Error =>
  checker.createError(
    'no_overload_of_macro',
    `found no matching overload for '${name}' applied to '(${applied})'`,
    ast,
  );

type Entries = Iterable<readonly [unknown, unknown]>;

function entriesOf(range: unknown): Entries {
  if (Array.isArray(range)) return range.map((value, index) => [BigInt(index), value]);
  if (range instanceof Map) return range;
  // A map that the expression spells out.
  if (typeof range === 'object' && range !== null) return Object.entries(range);
  throw new Error('no such overload');
}

function* turnsOf(
  entries: Entries,
  parts: readonly ASTNode[],
  running: (key: unknown, value: unknown) => Run,
): Generator<Turn> {
  const [first] = parts;
  const end = parts.at(-1);
  for (const [key, value] of entries) {
    const run = running(key, value);
    yield {
      key,
      isChosen: () => parts.length < 2 || first === undefined || isTrue(run(first)),
      last: () => (end === undefined ? undefined : run(end)),
    };
  }
}

function isTrue(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error('no such overload');
}

/** One turn that decides hides what went wrong in the others. */
function decided(turns: Iterable<Turn>, loop: 'all' | 'exists'): boolean {
  const decisive = loop === 'exists';
  let failure: { readonly error: unknown } | undefined;
  for (const turn of turns) {
    try {
      if (isTrue(turn.last()) === decisive) return decisive;
    } catch (error) {
      failure ??= { error };
    }
  }
  if (failure !== undefined) throw failure.error;
  return !decisive;
}

function onlyOne(turns: Iterable<Turn>): boolean {
  let found = 0;
  for (const turn of turns) if (isTrue(turn.last())) found += 1;
  return found === 1;
}

function inserted(turns: Iterable<Turn>): ReadonlyMap<unknown, unknown> {
  const whole = new Map<unknown, unknown>();
  for (const turn of turns) {
    if (!turn.isChosen()) continue;
    for (const [key, value] of entriesOf(turn.last())) {
      if (whole.has(key)) throw new Error(`insert failed: key ${String(key)} already exists`);
      whole.set(key, value);
    }
  }
  return whole;
}
