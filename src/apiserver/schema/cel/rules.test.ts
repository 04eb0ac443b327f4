// Rules of x-kubernetes-validations as users meet them: what they refuse, and in which words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customSchemaWork } from '../schema-work.ts';
import { errors, integer, object, replicas, resourceOf, ruled, text, thing } from './rules.testing.ts';

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
  const resource = resourceOf(
    object(
      { spec: object({}) },
      ruled({ rule: 'self.metadata.name == "y" && self.kind == "Thing"', message: 'only y' }),
    ),
  );

  assert.deepEqual(customSchemaWork.validate(resource, thing({}), undefined), [
    { type: 'Invalid', field: '<nil>', message: 'Invalid value: only y' },
  ]);
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
  const found = errors(schema, { list: Array.from({ length: 1000 }, (_, index) => index) });

  assert.deepEqual(found, [
    'spec: Invalid value: "object": \'operation cancelled: actual cost limit exceeded\': no further validation rules will be run due to call cost exceeds limit for rule: self.list.all(a, self.list.all(b, self.list.all(c, a + b + c >= 0)))',
  ]);
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
  const found = errors(schema, { s: `${'a'.repeat(2000)}!` });

  assert.equal(found.length, 1);
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
