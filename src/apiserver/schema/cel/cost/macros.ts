// What loops cost: each macro is a loop with a condition, a step and a result, as CEL unfolds it.

import { fixed, ONE, product, type Range, sum, union } from './range.ts';
import { type Entry, type Seen, sizeOf, unionOfEntries } from './seen.ts';

/** What the body of a loop runs on. */
export interface Loop {
  readonly list: Seen;
  /** One element, as the variable of the loop. */
  readonly element: Seen;
  /** Of loops with two variables: the first one. */
  readonly key?: Seen;
  /** The parts in the loop, in the order of the macro's arguments. */
  readonly bodies: readonly Seen[];
}

type Unfolded = Pick<Seen, 'cost' | 'size' | 'entry' | 'type'>;

const BOOL = { kind: 'bool' };
const NEW_LIST = fixed(10);
const NEW_MAP = fixed(30);
/** An empty list that the loop begins with. */
const EMPTY: Entry = { key: ONE, value: fixed(0) };

const looped = ({ list }: Loop, once: Range, each: Range): Range => sum(list.cost, once, product(sizeOf(list), each));

const body = ({ bodies: [first] }: Loop): Range => first?.cost ?? fixed(0);

const MACROS: Readonly<Record<string, (loop: Loop) => Unfolded>> = {
  all: loop => ({ cost: looped(loop, ONE, sum(fixed(3), body(loop))), size: ONE, type: BOOL }),
  exists: loop => ({ cost: looped(loop, ONE, sum(fixed(4), body(loop))), size: ONE, type: BOOL }),
  exists_one: loop => ({ cost: looped(loop, fixed(2), sum(fixed(2), body(loop))), size: ONE, type: BOOL }),
  filter: loop => ({
    cost: looped(loop, sum(NEW_LIST, ONE), sum(body(loop), fixed(13))),
    size: sizeOf(loop.list),
    entry: unionOfEntries({ key: ONE, value: sizeOf(loop.element) }, EMPTY),
    type: { kind: 'list', item: loop.element.type },
  }),
  map: mapped,
  sortBy: sorted,
  transformList: mapped,
  transformMap: loop => inserted(loop, 'key and value'),
  transformMapEntry: loop => inserted(loop, 'entry'),
};

/** With a condition in the middle, or without. */
function mapped(loop: Loop): Unfolded {
  const { bodies } = loop;
  const made = bodies.at(-1);
  const step = sum(fixed(12), made?.cost ?? fixed(0));
  const each = bodies.length > 1 ? sum(body(loop), union(step, ONE)) : step;
  return {
    cost: looped(loop, sum(NEW_LIST, ONE), each),
    size: sizeOf(loop.list),
    entry: unionOfEntries({ key: ONE, value: made === undefined ? fixed(0) : sizeOf(made) }, EMPTY),
    type: { kind: 'list', item: made?.type ?? { kind: 'dyn' } },
  };
}

/** The keys are worked out first, and then compared each with each. */
function sorted(loop: Loop): Unfolded {
  const keys = mapped(loop);
  const size = product(sizeOf(loop.list), sizeOf(loop.list));
  const cost = sum(keys.cost, fixed(12), fixed(11), product(size, fixed(2)));
  return { cost, size, type: loop.list.type };
}

/** A map that begins empty, and gets an entry in each turn. */
function inserted(loop: Loop, from: 'key and value' | 'entry'): Unfolded {
  const { bodies, key } = loop;
  const made = bodies.at(-1);
  const step = sum(fixed(from === 'entry' ? 2 : 3), made?.cost ?? fixed(0));
  const each = bodies.length > 1 ? sum(body(loop), union(step, ONE)) : step;
  const type = { kind: 'map', key: key?.type ?? { kind: 'dyn' }, item: made?.type ?? { kind: 'dyn' } };
  return { cost: looped(loop, sum(NEW_MAP, ONE), each), size: sizeOf(loop.list), type };
}

export const isLoop = (name: string): boolean => Object.hasOwn(MACROS, name);

export const unfolded = (name: string, loop: Loop): Unfolded | undefined =>
  MACROS[name === 'existsOne' ? 'exists_one' : name]?.(loop);
