// `list.sortBy(variable, key)`: a list in the order of what an expression says of each item.

import type { Register } from './environment.ts';
import { type Checker, type Evaluator, type Macro, nameIn, notIterable, type Scope, type Type } from './macro.ts';
import { spend } from './meter.ts';
import { compared } from './order.ts';

export function registerSortBy(register: Register): void {
  register('list.sortBy(ast, ast): list', ({ ast, receiver, args: [variable, key] }: Macro) => {
    const name = nameIn(variable);
    let inside: Scope | undefined;
    return {
      ast,
      async: false,
      typeCheck: (checker: Checker, _: unknown, scope: Scope): Type => {
        const type = checker.check(receiver, scope);
        if (type.kind !== 'list' && type.kind !== 'dyn') throw notIterable(checker, receiver, type);
        inside = scope.forkWithVariable(name, type.valueType ?? checker.getType('dyn'));
        if (key !== undefined) checker.check(key, inside);
        ast.setMeta?.('async', false);
        return type;
      },
      evaluate: (evaluator: Evaluator, _: unknown, scope: Scope): unknown => {
        const list = evaluator.run(receiver, scope);
        if (!Array.isArray(list) || inside === undefined || key === undefined) throw new Error('no such overload');
        const within = inside.reuse(scope);
        const keyOf = (item: unknown): unknown => {
          spend(1);
          return evaluator.run(key, within.setIterValue(item, evaluator));
        };
        const keyed = list.map((item: unknown) => [keyOf(item), item] as const);
        return keyed.toSorted(([a], [b]) => compared(a, b)).map(([, item]) => item);
      },
    };
  });
}
