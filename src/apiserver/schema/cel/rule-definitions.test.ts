// What a definition is refused for because of its rules.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../parts.ts';
import { definitionErrors, integer, object, replicas, ruled } from './rules.testing.ts';

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
