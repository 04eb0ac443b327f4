// CEL rules: when they hold, what they say, and which are refused.

import type { Case } from '../frame/case.ts';
import { defined, type Json, list, object, serving, text, version, whole, widget } from './define.ts';
import { rule, rules, short } from './rule-schemas.ts';

interface Row {
  readonly says: string;
  readonly spec: Json;
  readonly objects: readonly unknown[];
}

const ROWS: readonly Row[] = [
  {
    says: 'a rule that fails is told by itself, or by its message',
    spec: object(
      { a: whole, b: whole },
      rules({ rule: 'self.a < self.b' }, { rule: 'self.a > 0', message: 'a must be positive' }),
    ),
    objects: [
      { a: 2, b: 1 },
      { a: 0, b: 1 },
      { a: 1, b: 2 },
    ],
  },
  {
    says: 'a message may be worked out',
    spec: object(
      { a: short },
      rule('self.a < "m"', { messageExpression: '"a is " + self.a + ", which is too much"', message: 'never seen' }),
    ),
    objects: [{ a: 'x' }],
  },
  {
    says: 'a message expression that fails leaves the message',
    spec: object({ a: whole }, rule('self.a < 5', { messageExpression: '["x"][self.a]', message: 'seen' })),
    objects: [{ a: 9 }],
  },
  {
    says: 'a rule names the reason and the field',
    spec: object(
      { a: text, b: object({ c: whole }) },
      rules(
        { rule: 'self.a != "x"', reason: 'FieldValueForbidden', fieldPath: '.a' },
        { rule: 'self.b.c > 1', reason: 'FieldValueRequired', fieldPath: '.b.c', message: 'needs more' },
        { rule: 'self.a != "y"', reason: 'FieldValueDuplicate', fieldPath: '.a' },
      ),
    ),
    objects: [
      { a: 'x', b: { c: 1 } },
      { a: 'y', b: { c: 2 } },
    ],
  },
  {
    says: 'optional fields are asked for with has',
    spec: object({ a: whole, b: text }, rule('!has(self.a) || self.a > 1')),
    objects: [{}, { a: 1 }, { a: 2 }],
  },
  {
    says: 'a rule that reads what is absent fails with why',
    spec: object({ a: whole, b: text }, rule('self.a > 1')),
    objects: [{}, { b: 'x' }],
  },
  {
    says: 'lists and maps have their macros',
    spec: object(
      { a: list(whole, { maxItems: 5 }), m: { type: 'object', additionalProperties: text, maxProperties: 5 } },
      rules(
        { rule: 'self.a.all(x, x > 0)' },
        { rule: 'self.a.exists(x, x == 3)' },
        { rule: 'self.a.exists_one(x, x == 3)' },
        { rule: 'self.a.map(x, x * 2).filter(x, x > 2).size() > 0' },
        { rule: '"k" in self.m && self.m.k.startsWith("v")' },
      ),
    ),
    objects: [
      { a: [0], m: {} },
      { a: [3, 3], m: { k: 'v' } },
      { a: [3], m: { k: 'v' } },
    ],
  },
  {
    says: 'texts have their functions',
    spec: object(
      { a: short },
      rules(
        { rule: 'self.a.matches("^[a-z]+$")' },
        { rule: 'self.a.contains("b") && self.a.endsWith("c")' },
        { rule: 'self.a.lowerAscii() == self.a && self.a.split("b").size() == 2' },
        { rule: 'self.a.substring(1, 2) == "b" && self.a.indexOf("c") == 2 && self.a.replace("a", "x") == "xbc"' },
        { rule: 'self.a.trim() == "abc" && self.a.charAt(0) == "a"' },
      ),
    ),
    objects: [{ a: 'ABC' }, { a: 'abc' }],
  },
  {
    says: 'Kubernetes’ own functions: urls, quantities, addresses, formats',
    spec: object(
      { q: short, u: short, i: short, c: short, s: short },
      rules(
        { rule: '!has(self.q) || quantity(self.q).isGreaterThan(quantity("1Gi"))' },
        {
          rule: '!has(self.u) || (isURL(self.u) && url(self.u).getScheme() == "https" && url(self.u).getHostname() == "example.com")',
        },
        { rule: '!has(self.i) || (isIP(self.i) && ip(self.i).family() == 4 && !ip(self.i).isLoopback())' },
        {
          rule: '!has(self.c) || (isCIDR(self.c) && cidr(self.c).containsIP("10.0.0.1") && cidr(self.c).prefixLength() == 8)',
        },
        { rule: '!has(self.s) || !format.dns1123Label().validate(self.s).hasValue()' },
      ),
    ),
    objects: [
      { q: '2Gi' },
      { q: '1Mi' },
      { u: 'https://example.com/x' },
      { u: 'http://example.com' },
      { i: '1.2.3.4' },
      { i: '127.0.0.1' },
      { c: '10.0.0.0/8' },
      { c: '192.168.0.0/16' },
      { s: 'a-b' },
      { s: 'A_b' },
    ],
  },
  {
    says: 'Kubernetes’ own functions: lists, regular expressions, versions',
    spec: object(
      { l: list(whole, { maxItems: 9 }), r: short, v: short },
      rules(
        {
          rule: '!has(self.l) || (self.l.isSorted() && self.l.sum() < 10 && self.l.min() == 1 && self.l.max() == 4 && self.l.indexOf(4) >= 0)',
        },
        { rule: '!has(self.r) || (self.r.find("[0-9]+") == "12" && self.r.findAll("[0-9]+").size() == 2)' },
        {
          rule: '!has(self.v) || (isSemver(self.v) && semver(self.v).major() == 1 && semver(self.v).isLessThan(semver("1.9.0")))',
        },
      ),
    ),
    objects: [{ l: [1, 4] }, { l: [4, 1] }, { r: 'a12b3' }, { r: 'x' }, { v: '1.2.3' }, { v: '2.0.0' }],
  },
  {
    says: 'times and durations are values',
    spec: object(
      { t: { ...text, format: 'date-time' }, d: { ...text, format: 'duration' } },
      rules(
        { rule: '!has(self.t) || self.t > timestamp("2020-01-01T00:00:00Z")' },
        { rule: '!has(self.d) || self.d < duration("1h")' },
      ),
    ),
    objects: [{ t: '2019-01-01T00:00:00Z' }, { t: '2021-01-01T00:00:00Z' }, { d: '90m' }, { d: '5m' }],
  },
  {
    says: 'names that are no identifiers are escaped',
    spec: object(
      { 'a-b': whole, 'c.d': whole, namespace: whole, if: whole, 'e/f': whole, __g__: whole },
      rules(
        { rule: '!has(self.a__dash__b) || self.a__dash__b > 0' },
        { rule: '!has(self.c__dot__d) || self.c__dot__d > 0' },
        { rule: '!has(self.__namespace__) || self.__namespace__ > 0' },
        { rule: '!has(self.__if__) || self.__if__ > 0' },
        { rule: '!has(self.e__slash__f) || self.e__slash__f > 0' },
        { rule: '!has(self.__underscores__g__underscores__) || self.__underscores__g__underscores__ > 0' },
      ),
    ),
    objects: [{ 'a-b': 0, 'c.d': 0, namespace: 0, if: 0, 'e/f': 0, __g__: 0 }],
  },
  {
    says: 'an integer or a string is dynamic, and an enum a text',
    spec: object(
      { p: { 'x-kubernetes-int-or-string': true }, e: { ...text, enum: ['x', 'y'] } },
      rules(
        { rule: '!has(self.p) || (type(self.p) == int ? self.p > 0 : self.p.endsWith("%"))' },
        { rule: '!has(self.e) || self.e in ["x"]' },
      ),
    ),
    objects: [{ p: 0 }, { p: '5' }, { p: '5%' }, { e: 'y' }],
  },
  {
    says: 'rules on items are told with the place of the item',
    spec: object({
      a: list(object({ n: { ...whole, ...rule('self > 0') } }, rule('self.n < 5')), { maxItems: 4 }),
      m: { type: 'object', maxProperties: 4, additionalProperties: { ...whole, ...rule('self > 0') } },
    }),
    // Apart, because the real server looks at fields in an order of chance.
    objects: [{ a: [{ n: 1 }, { n: 0 }, { n: 9 }] }, { m: { good: 1, bad: 0 } }],
  },
];

export const celRules: readonly Case[] = [
  ...ROWS.map(
    ({ says, spec, objects }): Case => ({
      says,
      steps: async t => {
        const path = await serving(t, { versions: [version(spec)] });
        for (const each of objects) await t.post(`${path}?dryRun=All`, widget(t, each));
      },
    }),
  ),
  {
    says: 'a rule with oldSelf holds for changes alone',
    steps: async t => {
      const fixed = { ...text, ...rule('self == oldSelf', { message: 'cannot be changed' }) };
      const grows = object({ n: whole }, rule('self.n >= oldSelf.n'));
      const parts = list(object({ k: text, v: { ...text, ...rule('self == oldSelf') } }, { required: ['k'] }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        maxItems: 5,
      });
      const path = await serving(t, { versions: [version(object({ fixed, grows, parts }))] });
      await t.post(path, widget(t, { fixed: 'x', grows: { n: 2 }, parts: [{ k: 'a', v: '1' }] }));
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { fixed: 'y' } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { grows: { n: 1 } } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { fixed: null, grows: { n: 3 } } });
      await t.patch(`${path}/a`, 'merge-patch+json', {
        spec: {
          parts: [
            { k: 'b', v: '2' },
            { k: 'a', v: '1' },
          ],
        },
      });
      await t.patch(`${path}/a`, 'merge-patch+json', {
        spec: {
          parts: [
            { k: 'b', v: '2' },
            { k: 'a', v: 'other' },
          ],
        },
      });
    },
  },
  {
    says: 'with optionalOldSelf a rule also holds where nothing was before',
    steps: async t => {
      const optional = {
        ...text,
        ...rule('!oldSelf.hasValue() || oldSelf.value() == self', { optionalOldSelf: true, message: 'set once' }),
      };
      const first = { ...whole, ...rule('oldSelf.hasValue() || self == 1', { optionalOldSelf: true }) };
      const path = await serving(t, { versions: [version(object({ optional, first }))] });
      await t.post(path, widget(t, { first: 2 }));
      await t.post(path, widget(t, { first: 1 }));
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { optional: 'x', first: 5 } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { optional: 'y' } });
    },
  },
  {
    says: 'rules on the whole object see its name and its status, and no other metadata',
    steps: async t => {
      const schema = {
        openAPIV3Schema: {
          ...object({ spec: object({ a: whole }), status: object({ phase: text }) }),
          ...rules(
            { rule: 'self.metadata.name.startsWith("a")' },
            { rule: '!has(self.status) || !has(self.status.phase) || self.spec.a > 0' },
          ),
        },
      };
      const path = await serving(t, { versions: [version({}, { schema, subresources: { status: {} } })] });
      await t.post(path, widget(t, { a: 0 }, { metadata: { name: 'b' } }));
      await t.post(path, widget(t, { a: 0 }));
      await t.patch(`${path}/a/status`, 'merge-patch+json', { status: { phase: 'Up' } });
      const labels = {
        openAPIV3Schema: { ...object({ spec: object({ a: whole }) }), ...rule('has(self.metadata.labels)') },
      };
      await defined(t, { versions: [version({}, { schema: labels })], plural: 'gadgets' });
    },
  },
];
