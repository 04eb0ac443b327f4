// What rules may cost by estimate. Each stands on the items of a list so long that the refusal tells its cost.

import type { Case } from '../frame/case.ts';
import { DEFINITIONS, definition, type Json, list, object, text, version, whole } from './define.ts';

const short = { ...text, maxLength: 10 };

const item = object({
  i: whole,
  n: { type: 'number' },
  k: { type: 'boolean' },
  s: short,
  e: { ...text, enum: ['one', 'three'] },
  b: { ...text, format: 'byte', maxLength: 40 },
  t: { ...text, format: 'date-time' },
  u: { ...text, format: 'duration' },
  p: { 'x-kubernetes-int-or-string': true },
  q: { 'x-kubernetes-int-or-string': true, maxLength: 3 },
  o: object({ z: whole, y: short }),
  l: list(whole, { maxItems: 7 }),
  w: list(short, { maxItems: 4 }),
  r: list(object({ z: whole, y: short }), { maxItems: 5 }),
  m: { type: 'object', additionalProperties: short, maxProperties: 6 },
  long: text,
});

interface Row {
  readonly says: string;
  /** How many items the list may have: cheap rules are told of by a long one. */
  readonly items: number;
  readonly rules: readonly string[];
}

const MANY = 2_500_000;
const FEW = 1_000_000;

const ROWS: readonly Row[] = [
  {
    says: 'names, fields and operators',
    items: MANY,
    rules: [
      'self.i > 1 && self.n < 2.0 && self.k',
      'self.o.z + self.i * 3 - 1 == 0 || !self.k',
      'self.i == 1 || self.i != 2 || self.k == true',
      'self.s == "abcdefghijklmnopqrstuvwxyz" && self.s != ""',
      'self.s < "abc" || self.s >= "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"',
      'self.k ? self.i > 0 : self.o.z > self.i + 1',
      'self.e == "three" || self.e in ["one", "three", "five"]',
      'has(self.o) && has(self.o.z) && has(self.s) && self.o.y == "x" && self.o.z == 0',
    ],
  },
  {
    says: 'texts',
    items: FEW,
    rules: [
      'self.s.matches("^[a-z]+(-[a-z]+)*$") || self.s.contains("abcdefghijk")',
      'self.s.startsWith("abcdefghijklmnop") && self.s.endsWith("x") && self.s.size() > 1 && self.s.upperAscii() == "A"',
      'self.s.lowerAscii() == self.s.trim() && self.s.substring(1, 2) == "b" && self.s.charAt(1) == "c" && self.long != ""',
      'self.s.replace("ab", "abcdef") == self.long || self.s.replace("", "x") == self.long',
      'self.s.split(",").size() > 2 && self.s.split(",", 2)[0] == self.s',
      'self.s + self.o.y + "abc" == self.long',
      'self.s.find("[0-9]+") == self.s && self.s.findAll("[0-9]+").size() > 2',
      'self.s.indexOf("x") > 2 && self.s.lastIndexOf("x") > 2 && self.w.join(", ") == self.long',
    ],
  },
  {
    says: 'lists and maps',
    items: FEW,
    rules: [
      'self.l.all(x, x > 1) && self.w.exists(x, x == "abcdefghijklmnop") && self.r.exists_one(x, x.z == 1)',
      'self.l.map(x, x * 2).size() > 1 && self.l.map(x, x > 1, x + 1).size() > 1',
      'self.w.filter(x, x.startsWith("abc")).size() > 1 && self.w.map(x, x + "y").all(y, y == self.s)',
      'self.l.isSorted() && self.l.sum() > 1 && self.l.min() > 1 && self.w.max() == "x" && self.w.indexOf("x") > 1',
      'self.m.all(x, x.contains("abcdefghij") && self.m[x] == "abcdefghijkl") && "x" in self.m && self.m.size() > 1',
      'self.r.all(x, self.r.exists(y, y.z == x.z && y.y == x.y)) && self.r[0].y == self.s',
      'self.l == [1, 2, 3] && self.w == self.w && {"a": self.s}.size() > 1 && "x" in self.w && (self.l + self.l).size() > 2',
      'self.r.filter(x, x.z > 1).map(x, x.y).exists(y, y == self.s) && [1, 2, 3].all(x, x > self.i)',
      'sets.contains(self.l, [1, 2]) && sets.equivalent(self.l, self.l) && sets.intersects(self.w, ["a"])',
    ],
  },
  {
    says: 'what Kubernetes adds',
    items: FEW,
    rules: [
      'quantity(self.s).isGreaterThan(quantity("1Gi")) && isQuantity(self.s) && quantity(self.s).add(1).asInteger() > 1',
      'isURL(self.s) && url(self.s).getHost() == "abcdefghijkl" && url(self.s).getPort() == "80"',
      'isIP(self.s) && ip(self.s).family() == 4 && ip(self.s).isLoopback() && ip.isCanonical(self.s) && ip(self.s) == ip("::1")',
      'cidr(self.s).containsIP("10.0.0.1") && cidr(self.s).containsCIDR("10.0.0.0/16") && cidr(self.s).ip().family() == 4',
      'isSemver(self.s) && semver(self.s).major() > 1 && semver(self.s) == semver("1.2.3") && semver(self.s).isLessThan(semver("1.2.3"))',
      '!format.dns1123Label().validate(self.s).hasValue() && format.named(self.s).hasValue()',
      'self.t > timestamp("2020-01-01T00:00:00Z") && self.u < duration("1h") && self.t.getFullYear() > 2 && self.t == self.t',
      'bytes(self.s) == self.b && string(self.b) == self.s && self.b.size() > 1 && int(self.s) > 1 && double(self.i) > 1.0',
      'type(self.p) == int ? self.p > 1 : self.p.endsWith("%")',
      'self.q == self.q && self.q == "abcdefghijklmnopqrstuvwxyz" && dyn(self.s) == "abcdefghijklmnopqrstuvwxyz"',
    ],
  },
  {
    says: 'loops with two variables',
    items: FEW,
    rules: [
      'self.l.all(i, v, v > i) && self.w.exists(i, v, v == "abcdefghijklmnop")',
      'self.m.all(k, v, k == "abcdefghijklmnop" || v == "abcdefghijklmnop")',
      'self.r.existsOne(i, v, v.z == i) && self.m.exists_one(k, v, k == v)',
      'self.l.transformList(i, v, v + i).size() > 1 && self.w.transformList(i, v, i > 1, v).all(x, x == self.s)',
      'self.l.transformMap(i, v, v + i).size() > 1',
      'self.m.transformMap(k, v, k != v, v).all(x, x == self.s)',
      'self.m.transformMapEntry(k, v, {v: k}).size() > 1',
      'self.m.transformMapEntry(k, v, k != v, {v: k}).size() > 1',
    ],
  },
  {
    says: 'lists that are made of lists',
    items: FEW,
    rules: [
      'self.l.slice(1, 3).size() > 1 && self.l.slice(1, 3).all(x, x > 1)',
      'self.l.reverse().all(x, x > 1)',
      'self.w.distinct().size() > 1 && self.l.distinct().all(x, x > 1) && self.w.sort().size() > 1',
      'self.l.sort().all(x, x > 1)',
      'self.r.sortBy(x, x.z).all(x, x.y == self.s)',
      '[self.l, self.l].flatten().all(x, x > 1)',
      'lists.range(3).all(x, x > 1)',
      'self.l.first().hasValue() && self.l.last().hasValue()',
      '[self.?s, self.?long].unwrapOpt().size() > 1 && optional.ofNonZeroValue(self.i).hasValue()',
    ],
  },
];

const rulesOn = (schema: Json, rules: readonly unknown[]): Json => ({ ...schema, 'x-kubernetes-validations': rules });

export const costs: readonly Case[] = [
  ...ROWS.map(
    ({ says, items, rules }): Case => ({
      says: `the estimate of a rule’s cost: ${says}`,
      steps: async t => {
        for (const rule of rules) {
          const spec = object({ a: list(rulesOn(item, [{ rule }]), { maxItems: items }) });
          await t.post(`${DEFINITIONS}?dryRun=All`, definition(t, { versions: [version(spec)] }));
        }
      },
    }),
  ),
  {
    says: 'the estimate of a rule’s cost: lists, maps and texts without a bound',
    steps: async t => {
      const specs = [
        rulesOn(object({}), [{ rule: '["b", "a"].min() == "a"' }]),
        rulesOn(object({}), [{ rule: '["a", "b"].join("-") == "a-b"' }]),
        object({ a: rulesOn(list(whole), [{ rule: 'self.all(x, x > 1)' }]) }),
        object({ a: rulesOn(list(text), [{ rule: 'self.all(x, x != "")' }]) }),
        object({ a: rulesOn(text, [{ rule: 'self.matches("^[a-z]+$")' }]) }),
        object({ a: list(rulesOn(whole, [{ rule: 'self > 1 && self < 3 && self != 7' }])) }),
        object({
          a: list(
            rulesOn(object({ z: whole, long: text }, { required: ['long'] }), [
              { rule: 'self.z > 1 && self.long != "abcdefghij"' },
            ]),
          ),
        }),
        object({
          a: { type: 'object', additionalProperties: rulesOn(whole, [{ rule: 'self > 1 && self < 3 && self != 7' }]) },
        }),
        object({ a: list(list(rulesOn(short, [{ rule: 'self != "abcdefghijklmnop"' }])), { maxItems: 50 }) }),
        object({
          a: rulesOn(list({ ...text, format: 'date-time' }), [
            { rule: 'self.all(x, x > timestamp("2020-01-01T00:00:00Z"))' },
          ]),
        }),
        object({ a: rulesOn({ type: 'object', additionalProperties: text }, [{ rule: 'self.all(x, x.size() > 1)' }]) }),
      ];
      for (const spec of specs) await t.post(`${DEFINITIONS}?dryRun=All`, definition(t, { versions: [version(spec)] }));
    },
  },
  {
    says: 'the estimate of a rule’s cost: all rules together, and the messages that are worked out',
    steps: async t => {
      const costly = (items: number, more: Json = {}): Json =>
        list(rulesOn(item, [{ rule: 'self.i > 1 && self.o.z < 7', ...more }]), { maxItems: items });
      const specs = [
        object(
          Object.fromEntries(
            ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'].map((key, index) => [
              key,
              costly(1_300_000 - 1000 * index),
            ]),
          ),
        ),
        object({
          a: rulesOn(item, [
            { rule: 'self.i > 1', messageExpression: 'self.long + self.long + self.w.join(self.long)' },
          ]),
        }),
        object({ a: costly(1_000_000, { messageExpression: 'self.s + "x"' }) }),
      ];
      for (const spec of specs) await t.post(`${DEFINITIONS}?dryRun=All`, definition(t, { versions: [version(spec)] }));
    },
  },
  {
    says: 'the estimate of a rule’s cost: rules on what was, on the whole, and on what is embedded',
    steps: async t => {
      const embedded = {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      };
      const map = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['s'], maxItems: FEW };
      const keyed = { ...item, required: ['s'] };
      const specs = [
        object({
          a: list(
            rulesOn(keyed, [{ rule: 'self.s == oldSelf.s && self.l == oldSelf.l && self.w.all(x, x in oldSelf.w)' }]),
            map,
          ),
        }),
        object({
          a: list(
            rulesOn(keyed, [
              {
                rule: '!oldSelf.hasValue() || oldSelf.value().s == self.s || oldSelf.optMap(x, x.i).orValue(1) == 2',
                optionalOldSelf: true,
              },
            ]),
            map,
          ),
        }),
        object({
          a: list(
            rulesOn(embedded, [
              {
                rule: 'self.metadata.name == "abcdefghij" && self.kind.startsWith("abcdefghijk") && self.metadata.name.contains("abcdefg")',
              },
            ]),
            { maxItems: 100 },
          ),
        }),
      ];
      for (const spec of specs) await t.post(`${DEFINITIONS}?dryRun=All`, definition(t, { versions: [version(spec)] }));
    },
  },
];
