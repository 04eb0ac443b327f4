// Rules that use what a schema leaves open, literals of several types, nulls, formats and brackets where they do not fit.

import type { Case } from '../frame/case.ts';
import { DEFINITIONS, definition, type Json, list, object, serving, text, version, whole, widget } from './define.ts';
import { rules, short } from './rule-schemas.ts';

const OPEN = { 'x-kubernetes-preserve-unknown-fields': true };
const FIELDS = {
  n: whole,
  d: { type: 'number' },
  s: short,
  b: { type: 'boolean' },
  l: list(whole, { maxItems: 6 }),
  w: list({ ...text, maxLength: 5 }, { maxItems: 4 }),
  r: list(object({ z: whole }), { maxItems: 3 }),
  m: { type: 'object', additionalProperties: { ...text, maxLength: 5 }, maxProperties: 3 },
  mo: { type: 'object', additionalProperties: object({ z: whole }), maxProperties: 3 },
  mt: { type: 'object', additionalProperties: true, maxProperties: 3 },
  o: object({ a: short, oo: object({ x: short }) }),
  none: short,
  p: object({ known: short }, OPEN),
  q: { type: 'object', ...OPEN },
  e: { type: 'object', 'x-kubernetes-embedded-resource': true, ...OPEN },
  any: OPEN,
  la: list(OPEN, { maxItems: 3 }),
  t: { type: 'string', format: 'date-time', maxLength: 40 },
  du: { type: 'string', format: 'duration', maxLength: 20 },
  by: { type: 'string', format: 'byte', maxLength: 20 },
  nn: { ...short, nullable: true },
  namespace: whole,
  'a-b': whole,
};
const VALUES: Json = {
  n: 3,
  d: 1.5,
  s: 'Ab,c',
  l: [3, 1, 2, 3],
  w: ['b', 'a'],
  m: { k: 'v' },
  o: { a: 'x' },
  p: { known: 'k', u: 1 },
  e: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } },
  t: '2020-01-02T03:04:05Z',
  du: '1h',
  by: 'aGk=',
  nn: null,
  namespace: 1,
};

interface Row {
  readonly says: string;
  readonly rules: readonly string[];
}

/** Each is told of by itself: what is wrong with it, or that nothing is. */
const CHECKED: readonly Row[] = [
  {
    says: 'optional items and entries of literals are optional, and of the type of the others',
    rules: [
      '[?self.?s] == ["a"]',
      '[?self.?n, 1].size() == 1',
      '[?self.s].size() == 1',
      '{?"a": self.s}.size() == 1',
      '[?self.?n, "x"].size() == 1',
      '[1, ?self.?s].size() == 1',
    ],
  },
  {
    says: 'literals have items, keys and values of one type each',
    rules: [
      '[1, "a"].size() == 2',
      '{"a": 1, "b": "c"}.size() == 2',
      '{"a": 1, 2: 1}.size() == 2',
      '[1, dyn("a")].size() == 2',
      '[self.s, null].size() == 2',
      '[1, 2.0].size() == 2',
      '[[1], ["a"]].size() == 2',
      '[[], [1]].size() == 2',
      '[self.o, self.p].size() == 2',
    ],
  },
  {
    says: 'a rule sees nothing of what has no type, and no unknown field of what keeps them',
    rules: [
      'self.any == 1',
      'has(self.any)',
      'self.la.size() == 1',
      'self.mt.size() == 1',
      'self.mt["a"] == 1',
      'has(self.mt)',
      'self.p.u == 1',
      'has(self.p.u)',
      'self.?p.?u.hasValue()',
      'self.q.x == 1',
      'self.q["x"] == 1',
      'self.q.size() == 0',
      '"x" in self.q',
      'self.q.all(k, k == "x")',
      'self.q == {"x": 1}',
      'self.e.spec.z == 1',
      'self.e["kind"] == "Pod"',
      'self.e.metadata.labels.size() == 0',
    ],
  },
  {
    says: 'objects of different types are not compared, and are called by the way to them',
    rules: [
      'self.r[0] == self.o',
      'self.mo["a"] == self.o',
      'self.r == self.l',
      'self.o.oo == self.o',
      'size(self.o) == 1',
      'self.o["a"] == "x"',
      'self.mo.all(k, self.mo[k].y == 1)',
    ],
  },
  {
    says: 'only objects and times may be compared with null',
    rules: [
      'self.nn == null',
      'null == self.n',
      'self.l == null',
      'self.m != null',
      'self.by == null',
      'self.d == null',
      'self.b == null',
      'self.o == null',
      'self.t == null',
      'self.du == null',
    ],
  },
  {
    says: 'what is spelt out to be formatted fits its verbs',
    rules: [
      '"%d".format(["a"]) == ""',
      '"%f".format([1]) == ""',
      '"%x".format([1.5]) == ""',
      '"%b".format(["a"]) == ""',
      '"%o".format([1.5]) == ""',
      '"%s".format([self]) == ""',
      '"%s".format([[self.o]]) == ""',
      '"%s".format([{"a": self.o}]) == ""',
      '"%s %s".format([1]) == ""',
      '"%s".format([1, 2]) == ""',
      '"%".format([1]) == ""',
      '"%y".format([1]) == ""',
      '"%.f".format([1.0]) == ""',
      '"%s".format([quantity("1")]) == ""',
      '"%s".format([self.?s]) == ""',
      '"%s".format([dyn(self.o)]) == ""',
    ],
  },
  {
    says: 'brackets, choices and loops tell the types that do not fit',
    rules: [
      'self.l["x"] == 1',
      'self.m[1] == ""',
      'self.s[0] == "a"',
      'self.l.x == 1',
      'true ? 1 : "a"',
      'self.l.filter(x, x) == []',
      'self.l.all(x, x)',
      'self.l.exists(x, "a")',
      'self.l.exists_one(x, 1)',
      'self.l.map(1, 2) == []',
      'self.l.all(self.n, true)',
      'self.s.all(x, true)',
      'true && 1',
    ],
  },
  {
    says: 'names that need it are escaped, and has() takes one field',
    rules: [
      'self.namespace > 0',
      'self.__namespace__ > 0',
      'self.a__dash__b > 0',
      'self["a-b"] > 0',
      'self.`a-b` > 0',
      'has(self)',
      'has(self.n.x)',
      'has(self.l[0])',
      'has()',
      'has(self.n, self.s)',
      'for',
    ],
  },
  {
    says: 'numbers that are spelt out fit the type that they are made into',
    rules: [
      'int("9223372036854775808") == 1',
      'int(1e20) == 1',
      'int(18446744073709551615u) == 1',
      'uint(-1) == 1u',
      '1e400 > 1.0',
      '[1, 2].join() == ""',
      'self.w.join(1) == ""',
    ],
  },
];

const SHOWN: readonly Row[] = [
  {
    says: 'optional literals hold what is there',
    rules: [
      '[?optional.none()].size()',
      '{?"a": optional.none()}.size()',
      '[1, ?optional.of(2), 3].size()',
      '[?self.?none, ?self.?s][0]',
      '{"x": 1, ?"y": optional.of(2)}["y"]',
      '{?"x": self.?none, "y": "z"}.map(k, k)[0]',
    ],
  },
  {
    says: 'a null of what may be null is as good as nothing',
    rules: ['has(self.nn)', 'self.?nn.hasValue()', 'self.nn'],
  },
  {
    says: 'numbers are shown as Go shows them',
    rules: [
      '1.0 / 0.0',
      '-1.0 / 0.0',
      '-0.0',
      '1e3',
      '1e21',
      'string(1.5e-7)',
      'string(100000000.0)',
      'string(self.d)',
    ],
  },
  {
    says: 'durations and times are shown to the nanosecond',
    rules: ['duration("-1.5s")', 'string(duration("0.000000001s"))', 'self.du', 'int(self.t)', 'self.t.getFullYear()'],
  },
  {
    says: 'types are shown by their names',
    rules: [
      'type(self)',
      'type(self.o)',
      'type(self.l)',
      'type(self.m)',
      'type(null)',
      'type(type(1))',
      'type(self.t)',
      'type(ip("1.2.3.4"))',
      'type(quantity("1"))',
    ],
  },
  {
    says: 'places in texts are counted in characters',
    rules: [
      '"\\U0001F600b".indexOf("b")',
      '"a\\U0001F600b".split("")',
      '"\\u00c0\\u00c9Z".lowerAscii()',
      '"abc".indexOf("c", 9)',
      '"abc".indexOf("c", -1)',
      '"abc".lastIndexOf("c", 9)',
      '"abc".lastIndexOf("")',
      '"abc".substring(2, 9)',
    ],
  },
];

const refused = ({ says, rules: all }: Row): Case => ({
  says: `odd rules: ${says}`,
  steps: async t => {
    for (const rule of all) {
      const spec = object(FIELDS, rules({ rule, message: 'no' }));
      await t.post(`${DEFINITIONS}?dryRun=All`, definition(t, { versions: [version(spec)] }));
    }
  },
});

const shown = ({ says, rules: all }: Row): Case => ({
  says: `odd rules: ${says}`,
  steps: async t => {
    const never = all.map(each => ({ rule: `dyn(${each}) == "no"`, messageExpression: `"%s".format([${each}])` }));
    const path = await serving(t, { versions: [version(object(FIELDS, rules(...never)))] });
    await t.post(`${path}?dryRun=All`, widget(t, VALUES));
  },
});

export const oddRules: readonly Case[] = [...CHECKED.map(refused), ...SHOWN.map(shown)];
