// CEL rules that are refused with their definition, and what is said of them.

import type { Case } from '../frame/case.ts';
import { defined, type Json, list, object, text, version, whole } from './define.ts';
import { rule, short } from './rule-schemas.ts';

/** A schema with a rule that does not fit it. */
const mistaken = (wrong: string): Json =>
  object(
    {
      a: whole,
      s: short,
      o: object({ z: whole }),
      l: list(whole, { maxItems: 3 }),
      r: list(object({ z: whole }), { maxItems: 3 }),
    },
    rule(wrong, { message: 'one line' }),
  );

interface Refused {
  readonly says: string;
  readonly specs: readonly Json[];
  readonly difference?: number;
}

const REFUSED: readonly Refused[] = [
  {
    says: 'a rule that is no expression, or has several mistakes, is refused with all that could be said of it',
    difference: 3,
    specs: [
      mistaken('self.a >'),
      mistaken('self.a ++ 1'),
      mistaken('self.x > 1 && self.y > 1'),
      mistaken('self.a ? true : false'),
      mistaken('self.l["x"] == 1'),
    ],
  },
  {
    says: 'a rule that reads what the schema does not have is refused',
    specs: [
      mistaken('self.a.b > 1'),
      mistaken('self.o.x.y == 1'),
      mistaken('has(self.o.x)'),
      mistaken('self.r.all(x, x.nothing > 1)'),
      mistaken('self.s.x == 1'),
      mistaken('nobody > 1'),
      mistaken('self.s.nofunc()'),
      mistaken('self.r[0].x == 1'),
    ],
  },
  {
    says: 'a rule that uses a function or an operator on other types is refused',
    specs: [
      mistaken('self.a == "x"'),
      mistaken('self.s.matches(1)'),
      mistaken('size(self.a) > 1'),
      mistaken('self.l.all(x, x + "a" == "b")'),
      mistaken('!self.a'),
      mistaken('-self.s == "x"'),
      mistaken('"x" in self.l'),
      mistaken('self.s < self.a'),
      mistaken('self.a && true'),
      mistaken('isQuantity(self.a)'),
    ],
  },
  {
    says: 'a rule that does not compile is refused, with the place in it',
    specs: [
      object({ a: whole }, rule('self.b > 1')),
      object({ a: whole }, rule('self.a + "x" == 1')),
      object({ a: whole }, rule('nothing(self.a)')),
    ],
  },
  {
    says: 'a rule is a bool, and not empty',
    specs: [object({ a: whole }, rule('self.a')), object({ a: whole }, rule('')), object({ a: whole }, rule('  '))],
  },
  {
    says: 'a message is one line, not empty, and bounded',
    specs: [
      object({ a: whole }, rule('self.a > 1', { message: 'two\nlines' })),
      object({ a: whole }, rule('self.a > 1', { message: ' ' })),
      object({ a: whole }, rule('self.a > 1', { message: 'x'.repeat(2049) })),
      object({ a: whole }, rule('self.a > 1', { messageExpression: 'self.a' })),
      object({ a: whole }, rule('self.a\n> 1')),
    ],
  },
  {
    says: 'a reason and a field path are checked',
    specs: [
      object({ a: whole }, rule('self.a > 1', { reason: 'Whatever' })),
      object({ a: whole }, rule('self.a > 1', { fieldPath: '.b' })),
      object({ a: whole }, rule('self.a > 1', { fieldPath: 'a' })),
    ],
  },
  {
    says: 'a rule that spells out a pattern that is none is refused',
    specs: [
      mistaken('self.s.matches("(")'),
      mistaken("!self.s.matches('a[') || self.a > 1"),
      mistaken('self.r.all(x, self.s.matches("*"))'),
      mistaken('self.s.matches("^[a-z]+$")'),
      mistaken('self.s.matches(self.s)'),
    ],
  },
  {
    says: 'a rule that spells out what a function cannot read is refused',
    specs: [
      mistaken('matches(self.s, "(")'),
      mistaken('self.s.find("(") == ""'),
      mistaken('self.s.findAll("[").size() == 0 && self.s.matches("(")'),
      mistaken('timestamp("yesterday") > timestamp("2020-01-01T00:00:00Z")'),
      mistaken('duration("1 day") > duration("1h")'),
      mistaken('int("x") == 1'),
      mistaken('double("x") == 1.0'),
      mistaken('bool("x")'),
      object({ a: whole }, rule('self.a > 1', { messageExpression: 'string(matches("a", "("))' })),
    ],
  },
  {
    says: 'a loop with two variables names two, over something that has items, and decides by a bool',
    specs: [
      mistaken('self.l.all(i, i, i > 0)'),
      mistaken('self.l.all(i, self.a, i > 0)'),
      mistaken('self.l.exists(1, v, v > 0)'),
      mistaken('self.l.all(i, v, v + i)'),
      mistaken('self.l.exists(i, v, v == "a")'),
      mistaken('self.l.existsOne(i, v, v + i)'),
      mistaken('self.a.all(i, v, v == "a")'),
      mistaken('self.l.transformMapEntry(i, v, v).size() == 1'),
      mistaken('self.l.transformList(i, v, "a", v).size() == 1'),
      mistaken('self.l.transformMap(i, v, v, "a").size() == 1'),
      mistaken('self.l.transformMapEntry(i, v, v, {i: v}).size() == 1'),
      mistaken('self.l.transformList(i, v, v + i)'),
      mistaken('self.l.sortBy(x, x)'),
    ],
  },
  {
    says: 'a rule that may cost too much is refused by its estimate',
    specs: [
      object({ a: list(list(list(text))) }, rule('self.a.all(x, x.all(y, y.all(z, self.a.all(w, w.size() > 0))))')),
      object({ a: list(text, rule('self.all(x, self.all(y, x == y))')) }),
    ],
  },
  {
    says: 'oldSelf is refused where items have no identity',
    specs: [object({ a: list(object({ b: { ...whole, ...rule('self == oldSelf') } })) })],
  },
];

export const refusedRules: readonly Case[] = REFUSED.map(
  ({ says, specs, difference }): Case => ({
    says,
    ...(difference === undefined ? {} : { difference }),
    steps: async t => {
      for (const [index, spec] of specs.entries())
        await defined(t, { versions: [version(spec)], plural: `widgets${index}` });
    },
  }),
);
