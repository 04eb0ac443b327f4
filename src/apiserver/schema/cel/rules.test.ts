// Rules of x-kubernetes-validations as users meet them: what they refuse, and in which words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json, JsonObject, Resource } from '../../parts.ts';
import { crdCheck } from '../crd-check.ts';
import { customSchemaWork } from '../schema-work.ts';

const shape: Resource = {
  group: 'example.org',
  version: 'v1',
  kind: 'Thing',
  listKind: 'ThingList',
  plural: 'things',
  singular: 'thing',
  namespaced: true,
  shortNames: [],
  categories: [],
  subresources: [],
  verbs: [],
  storageName: 'things.example.org',
  schema: {},
  origin: 'custom',
};

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more });
const ruled = (...rules: readonly (string | JsonObject)[]): JsonObject => ({
  'x-kubernetes-validations': rules.map(rule => (typeof rule === 'string' ? { rule } : rule)),
});
const thing = (spec: Json): JsonObject => ({
  apiVersion: 'example.org/v1',
  kind: 'Thing',
  metadata: { name: 'x' },
  spec,
});

function errors(spec: JsonObject, value: Json, old?: Json): readonly string[] {
  const resource = { ...shape, schema: object({ spec }) };
  const before = old === undefined ? undefined : thing(old);
  return customSchemaWork.validate(resource, thing(value), before).map(({ field, message }) => `${field}: ${message}`);
}

function definitionErrors(spec: JsonObject): readonly string[] {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: object({ spec }) } };
  const names = { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' };
  const crd = {
    metadata: { name: 'things.example.org' },
    spec: { group: 'example.org', scope: 'Namespaced', names, versions: [version] },
  };
  return crdCheck(crd, undefined).map(({ field, message }) => `${field}: ${message}`);
}

const integer: JsonObject = { type: 'integer' };
const text: JsonObject = { type: 'string' };
const replicas = { min: integer, max: integer };

test('A broken rule says its message, else itself', () => {
  assert.deepEqual(
    errors(object(replicas, ruled({ rule: 'self.min <= self.max', message: 'min must not exceed max' })), {
      min: 3,
      max: 2,
    }),
    ['spec: Invalid value: min must not exceed max'],
  );
  assert.deepEqual(errors(object(replicas, ruled('self.min <= self.max')), { min: 3, max: 2 }), [
    'spec: Invalid value: failed rule: self.min <= self.max',
  ]);
  assert.deepEqual(errors(object(replicas, ruled('self.min <= self.max')), { min: 1, max: 2 }), []);
});

test('A rule on a scalar shows the value', () => {
  assert.deepEqual(
    errors(object({ n: { ...integer, ...ruled({ rule: 'self % 2 == 0', message: 'must be even' }) } }), { n: 3 }),
    ['spec.n: Invalid value: 3: must be even'],
  );
});

test('Message expressions, reasons and field paths shape the error', () => {
  const rule = {
    rule: 'self.min <= self.max',
    messageExpression: '"min is %d, max is %d".format([self.min, self.max])',
    reason: 'FieldValueForbidden',
    fieldPath: '.min',
  };

  assert.deepEqual(errors(object(replicas, ruled(rule)), { min: 3, max: 2 }), [
    'spec.min: Forbidden: min is 3, max is 2',
  ]);
  assert.deepEqual(
    errors(object(replicas, ruled({ ...rule, messageExpression: 'string(self.min / 0)', message: 'm' })), {
      min: 3,
      max: 2,
    }),
    ['spec.min: Forbidden: m'],
  );
  assert.deepEqual(errors(object(replicas, ruled({ ...rule, reason: 'FieldValueRequired' })), { min: 3, max: 2 }), [
    'spec.min: Required value: min is 3, max is 2',
  ]);
});

test('Integers are integers: they divide, add and compare as such, and numbers as numbers', () => {
  const rules = ruled('self.min + 1 == 4', 'self.min / 2 == 1', 'self.ratio * 2.0 == 1.0', 'self.list.sum() == 6');
  const schema = object({ min: integer, ratio: { type: 'number' }, list: { type: 'array', items: integer } }, rules);

  assert.deepEqual(errors(schema, { min: 3, ratio: 0.5, list: [1, 2, 3] }), []);
});

test('int-or-string is told apart at run time', () => {
  const port = { 'x-kubernetes-int-or-string': true };
  const schema = object({ port }, ruled('type(self.port) == int ? self.port > 0 : self.port == "http"'));

  assert.deepEqual(errors(schema, { port: 80 }), []);
  assert.deepEqual(errors(schema, { port: 'http' }), []);
  assert.equal(errors(schema, { port: 0 }).length, 1);
});

test('A field that is not there is an error of the rule, unless the rule asks for it first', () => {
  assert.deepEqual(errors(object(replicas, ruled('self.min > 0')), {}), [
    'spec: Invalid value: "object": no such key: min evaluating rule: self.min > 0',
  ]);
  assert.deepEqual(errors(object(replicas, ruled('!has(self.min) || self.min > 0')), {}), []);
  assert.deepEqual(errors(object(replicas, ruled('self.?min.orValue(1) > 0')), {}), []);
});

test('What goes wrong at run time is said in the words of Kubernetes', () => {
  const schema = object(
    { list: { type: 'array', items: integer }, port: { 'x-kubernetes-int-or-string': true } },
    ruled('self.list[3] > 0', 'self.list[0] / 0 > 0', 'self.port + 1 > 0'),
  );

  assert.deepEqual(errors(schema, { list: [1], port: 'x' }), [
    'spec: Invalid value: "object": index out of bounds: 3 evaluating rule: self.list[3] > 0',
    'spec: Invalid value: "object": division by zero evaluating rule: self.list[0] / 0 > 0',
    'spec: Invalid value: "object": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: self.port + 1 > 0',
  ]);
});

test('has works on items, and inside of loops', () => {
  const list = { type: 'array', items: object({ name: text, port: integer }) };
  const schema = object(
    { list },
    ruled('self.list.size() == 0 || has(self.list[0].port)', 'self.list.all(i, has(i.name) && i.name.startsWith("a"))'),
  );

  assert.deepEqual(errors(schema, { list: [{ name: 'a', port: 1 }] }), []);
  assert.equal(errors(schema, { list: [{ name: 'b' }] }).length, 2);
});

test('Transition rules compare with the value before, and do not run without one', () => {
  const schema = object({ name: { ...text, ...ruled({ rule: 'self == oldSelf', message: 'name is immutable' }) } });

  assert.deepEqual(errors(schema, { name: 'b' }), []);
  assert.deepEqual(errors(schema, { name: 'a' }, { name: 'a' }), []);
  assert.deepEqual(errors(schema, { name: 'b' }, { name: 'a' }), ['spec.name: Invalid value: "b": name is immutable']);
});

test('optionalOldSelf lets a transition rule run on create too', () => {
  const rule = { rule: 'oldSelf.hasValue() || self == "first"', optionalOldSelf: true };
  const schema = object({ name: { ...text, ...ruled(rule) } });

  assert.deepEqual(errors(schema, { name: 'first' }), []);
  assert.equal(errors(schema, { name: 'other' }).length, 1);
  assert.deepEqual(errors(schema, { name: 'other' }, { name: 'first' }), []);
});

test('Items of a list map are compared with their own before', () => {
  const items = object(
    { name: text, size: integer },
    { required: ['name'], ...ruled({ rule: 'self.size >= oldSelf.size', message: 'may only grow' }) },
  );
  const list = { type: 'array', items, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
  const before = {
    list: [
      { name: 'a', size: 1 },
      { name: 'b', size: 5 },
    ],
  };

  assert.deepEqual(
    errors(
      object({ list }),
      {
        list: [
          { name: 'b', size: 5 },
          { name: 'c', size: 0 },
        ],
      },
      before,
    ),
    [],
  );
  assert.deepEqual(errors(object({ list }), { list: [{ name: 'b', size: 4 }] }, before), [
    'spec.list[0]: Invalid value: may only grow',
  ]);
});

test('Objects of one type compare as wholes', () => {
  const list = { type: 'array', items: object(replicas) };
  const schema = object(
    { list },
    ruled('self.list[0] != self.list[1]', '!([self.list[0]].exists(x, x == self.list[1]))'),
  );

  assert.deepEqual(errors(schema, { list: [{ min: 1 }, { min: 2 }] }), []);
  assert.equal(
    errors(schema, {
      list: [
        { min: 1, max: 2 },
        { max: 2, min: 1 },
      ],
    }).length,
    2,
  );
});

test('Maps are read by key, and names that are no identifiers by their escapes', () => {
  const labels = { type: 'object', additionalProperties: text };
  const schema = object(
    { labels, 'dash-ed': text, namespace: text },
    ruled(
      'self.labels["a/b"] == "x"',
      'self.dash__dash__ed == "y"',
      'self.__namespace__ == "z"',
      'self.labels.all(k, self.labels[k] != "")',
    ),
  );

  assert.deepEqual(errors(schema, { labels: { 'a/b': 'x' }, 'dash-ed': 'y', namespace: 'z' }), []);
});

test('A rule at the root sees kind and name', () => {
  const resource = {
    ...shape,
    schema: object(
      { spec: object({}) },
      ruled({ rule: 'self.metadata.name == "y" && self.kind == "Thing"', message: 'only y' }),
    ),
  };

  assert.deepEqual(customSchemaWork.validate(resource, thing({}), undefined), [
    { type: 'Invalid', field: '<nil>', message: 'Invalid value: only y' },
  ]);
});

test('An unchanged value is not refused by a rule that came later; a transition rule still speaks', () => {
  const schema = object({
    n: { ...integer, ...ruled('self > 5') },
    other: integer,
    list: { type: 'array', items: { ...integer, ...ruled('self > 5') } },
  });
  const old = { n: 1, other: 1, list: [1] };

  assert.deepEqual(errors(schema, { ...old, other: 2 }, old), []);
  assert.equal(errors(schema, { ...old, n: 2 }, old).length, 1);
  assert.equal(errors(schema, { ...old, list: [2] }, old).length, 1);
});

test('Rules wait until the types are right', () => {
  assert.deepEqual(errors(object(replicas, ruled('self.min > 0')), { min: 'x' }), [
    'spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"',
    '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  ]);
});

test('An expensive rule is stopped, and says so', () => {
  const list = { type: 'array', items: integer };
  const schema = object(
    { list },
    ruled('self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))', 'true'),
  );
  const started = process.hrtime.bigint();

  const found = errors(schema, { list: Array.from({ length: 1000 }, (_, index) => index) });

  assert.deepEqual(found, [
    'spec: Invalid value: "object": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))',
  ]);
  assert.ok(process.hrtime.bigint() - started < 5_000_000_000n);
});

test('A loop that is stopped is not excused by an or', () => {
  const list = { type: 'array', items: integer };
  const schema = object(
    { list },
    ruled('self.list.all(a, self.list.all(b, self.list.all(c, a + b + c < 0 || true))) || true'),
  );

  assert.match(errors(schema, { list: Array.from({ length: 500 }, () => 1) })[0] ?? '', /actual cost limit exceeded/);
});

test('A pattern in a rule runs in linear time', () => {
  const schema = object({
    s: { ...text, ...ruled('self.matches("^(a+)+$")', '!matches(self, "b")', 'self.find("a+") == self || true') },
  });
  const started = process.hrtime.bigint();

  const found = errors(schema, { s: `${'a'.repeat(2000)}!` });

  assert.equal(found.length, 1);
  assert.ok(process.hrtime.bigint() - started < 2_000_000_000n);
});

test('Times, durations and bytes are what their formats say', () => {
  const schema = object(
    {
      at: { ...text, format: 'date-time' },
      day: { ...text, format: 'date' },
      wait: { ...text, format: 'duration' },
      blob: { ...text, format: 'byte' },
    },
    ruled(
      'self.at > timestamp("2020-01-01T00:00:00Z")',
      'self.day.getFullYear() == 2026',
      'self.wait >= duration("1m")',
      'self.blob.size() == 3',
    ),
  );

  assert.deepEqual(errors(schema, { at: '2026-01-01T00:00:00Z', day: '2026-02-03', wait: '90s', blob: 'YWJj' }), []);
});

const functions: readonly string[] = [
  'quantity("500m").add(quantity("0.5")).compareTo(quantity("1")) == 0',
  'quantity("1Gi").isGreaterThan(quantity("1G")) && !isQuantity("1x")',
  'url("https://user@a.example:8080/b%20c?d=e&d=f").getHostname() == "a.example"',
  'url("https://[::1]:80/").getPort() == "80" && url("/x?y=z").getQuery()["y"] == ["z"] && !isURL("x")',
  'ip("::ffff").family() == 6 && ip("127.0.0.1").isLoopback() && !isIP("127.0.0.01") && ip.isCanonical("::1")',
  'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")',
  'cidr("fd00::/8").prefixLength() == 8 && !cidr("10.0.0.0/8").containsIP("11.0.0.1")',
  'semver("1.2.3-rc.1").isLessThan(semver("1.2.3")) && semver("v1.2", true).patch() == 0 && !isSemver("1.2")',
  'sets.contains([1, 2], [2]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])',
  '[3, 1, 2].max() == 3 && ["b", "a"].min() == "a" && [1, 2].isSorted() && [1, 2, 1].lastIndexOf(1) == 2',
  '"a-b-a".findAll("a").size() == 2 && "abc".find("[bc]+") == "bc" && "abab".replace("ab", "x", 1) == "xab"',
  '!format.dns1123Label().validate("ok").hasValue() && format.dns1123Label().validate("Not ok").hasValue()',
  'format.named("qualifiedName").value().validate("a/b").hasValue() == false && !format.named("nope").hasValue()',
  '"%s %d %.1f %x %b %%".format(["a", 5, 2.55, 255, 5]) == "a 5 2.5 ff 101 %" || true',
  '[1, 2].map(x, x > 1, x * 10) == [20] && [1, 2].exists_one(x, x == 1)',
  'optional.of(2).optMap(x, x + 1).orValue(0) == 3 && optional.none().orValue(7) == 7',
  '"a,b".split(",").join("|") == "a|b" && " a ".trim() == "a" && "abc".charAt(1) == "b" && strings.quote("a") == "\\"a\\""',
];

for (const rule of functions) {
  test(`Kubernetes' functions: ${rule}`, () => {
    assert.deepEqual(errors(object({}, ruled(rule)), {}), []);
    assert.deepEqual(definitionErrors(object({}, ruled(rule))), []);
  });
}

const R = 'spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0]';

test('A rule that does not compile is refused with the definition, with the place marked', () => {
  const [found = '', ...others] = definitionErrors(object(replicas, ruled('self.min > 0 && self.nope > 1')));

  assert.deepEqual(others, []);
  assert.equal(
    found,
    `${R}.rule: Invalid value: {"Rule":"self.min \\u003e 0 \\u0026\\u0026 self.nope \\u003e 1","Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}: compilation failed: ERROR: <input>:1:21: undefined field 'nope'\n | self.min > 0 && self.nope > 1\n | ....................^`,
  );
});

const badDefinitions: readonly (readonly [string, JsonObject, RegExp])[] = [
  [
    'a type that does not fit',
    { rule: 'self.min == "a"' },
    /\.rule: Invalid value: \{.*\}: compilation failed: ERROR: <input>:1:10: found no matching overload for '_==_' applied to '\(int, string\)'/,
  ],
  ['an unknown name', { rule: 'other > 1' }, /undeclared reference to 'other' \(in container ''\)/],
  ['an answer that is no bool', { rule: 'self.min' }, /cel expression must evaluate to a bool$/],
  ['broken syntax', { rule: 'self.min >' }, /compilation failed: ERROR: <input>:1:11/],
  ['no rule', { rule: ' ' }, /\.rule: Required value: rule is not specified$/],
  [
    'line breaks without a message',
    { rule: 'true ||\nfalse' },
    /\.message: Required value: message must be specified if rule contains line breaks$/,
  ],
  [
    'a message of two lines',
    { rule: 'true', message: 'a\nb' },
    /\.message: Invalid value: "a\\nb": must not contain line breaks$/,
  ],
  [
    'a message expression that is no string',
    { rule: 'true', messageExpression: '1' },
    /\.messageExpression: Invalid value: .*messageExpression must evaluate to a string$/,
  ],
  [
    'an unknown reason',
    { rule: 'true', reason: 'Because' },
    /\.reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", /,
  ],
  [
    'a path that leads nowhere',
    { rule: 'true', fieldPath: '.nope' },
    /\.fieldPath: Invalid value: "\.nope": must be a valid path$/,
  ],
  [
    'optionalOldSelf without oldSelf',
    { rule: 'true', optionalOldSelf: true },
    /\.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/,
  ],
];

for (const [what, rule, message] of badDefinitions) {
  test(`A definition is refused for a rule with ${what}`, () => {
    const found = definitionErrors(object(replicas, ruled(rule)));

    assert.equal(found.length, 1, found.join('\n'));
    assert.match(found[0] ?? '', message);
  });
}

test('oldSelf is refused where items cannot be told from each other', () => {
  const list = { type: 'array', items: { ...integer, ...ruled('self >= oldSelf') } };

  assert.match(
    definitionErrors(object({ list }))[0] ?? '',
    /oldSelf cannot be used on the uncorrelatable portion of the schema within .*properties\[list\]$/,
  );
});
