import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeToken, encodeToken } from './continue-token.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { numberProblem } from './exact-numbers.ts';
import { jsonProblem } from './json-problem.ts';
import { parseLabelSelector, selectorText, selectsLabels } from './label-selector.ts';
import { parsePath } from './path.ts';
import { yamlValue } from './yaml.ts';

const problemOf = (text: string): string => {
  const parsed = parseLabelSelector(text);
  return typeof parsed === 'object' ? parsed.problem : 'none';
};

test('a selector that is none is refused in the words of the real server', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
    ['a===', "unable to parse requirement: found '=', expected: identifier"],
    ['bad key=x', "unable to parse requirement: found 'key', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=bad value', "found 'value', expected: ',' or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
  ];
  for (const [text, problem] of cases) assert.equal(problemOf(text), problem, text);
});

test('any text is either a selector or refused, in time that grows with its length', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', '=', '!', '(', ')', ',', 'in', 'notin', '>', '/') }),
      text => {
        const parsed = parseLabelSelector(text);
        assert.ok(typeof parsed === 'function' || parsed.problem !== '');
      },
    ),
  );
  assert.notEqual(problemOf('a=b,'.repeat(100_000)), 'none');
});

test('a selector object selects as its text does', () => {
  const selector = {
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['b', 'a'] },
      { key: 'old', operator: 'DoesNotExist' },
    ],
  };

  assert.equal(selectorText(selector), '!old,app=web,tier in (a,b)');
  assert.equal(selectsLabels(selector, { app: 'web', tier: 'a' }), true);
  assert.equal(selectsLabels(selector, { app: 'web', tier: 'a', old: '' }), false);
});

test('a number that would be another one is told by its path, wherever it stands in the text', () => {
  const problem = (text: string): string => numberProblem(text)?.split(' cannot')[0] ?? 'none';

  assert.equal(problem('{"a":[{"b":1},{"b" : -9007199254740993}]}'), 'a[1].b: whole number -9007199254740993');
  assert.equal(problem('[9007199254740993]'), '[0]: whole number 9007199254740993');
  assert.equal(problem('{"a":4611686018427387904}'), 'a: whole number 4611686018427387904');
  assert.equal(problem('{"a":{"b":1E+400}}'), 'json:');
  for (const kept of [
    '9007199254740992',
    '9007199254740993.0',
    '99999999999999999999',
    '1e300',
    '"a: 9007199254740993"',
  ]) {
    assert.equal(problem(`{"a":${kept}}`), 'none', kept);
  }
});

test('fields that are written twice are found by their path', () => {
  const text = '{"a":1,"b":[{"c":1},{"c":1,"d":{"e":1,"e":2},"c":2}],"a":"{\\"x\\":1,\\"x\\":2}"}';

  assert.deepEqual(duplicateFields(text, JSON.parse(text)), ['b[1].d.e', 'b[1].c', 'a']);
});

test('no JSON value that was written by JSON.stringify says a field twice', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value =>
      assert.deepEqual(duplicateFields(JSON.stringify(value, undefined, 1), JSON.parse(JSON.stringify(value))), []),
    ),
  );
});

test('a continue token comes back as it went, and nothing else is one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1 }), fc.string({ minLength: 1 }), (revision, after) => {
      const key = `n${after.replaceAll(/[\0/]/g, '')}`;
      assert.deepEqual(decodeToken(encodeToken({ revision, after: key })), { revision, after: key });
    }),
  );
  for (const text of ['', 'x', 'e30', Buffer.from('{"v":"meta.k8s.io/v1","rv":"x"}').toString('base64url')]) {
    assert.equal(typeof decodeToken(text), 'string', text);
  }
});

test('paths of resources are told from all others', () => {
  const of = (path: string): unknown => {
    const parsed = parsePath(path);
    if (parsed?.kind !== 'resource') return parsed?.kind;
    const { group, version, namespace, plural, name, subresource } = parsed;
    return [group, version, namespace, plural, name, subresource].join('|');
  };

  assert.equal(of('/api/v1/pods'), '|v1||pods||');
  assert.equal(of('/api/v1/namespaces/n'), '|v1||namespaces|n|');
  assert.equal(of('/api/v1/namespaces/n/finalize'), '|v1||namespaces|n|finalize');
  assert.equal(of('/api/v1/namespaces/n/pods/p/log'), '|v1|n|pods|p|log');
  assert.equal(of('/apis/apps/v1/namespaces/n/deployments/a%2Fstatus'), 'apps|v1|n|deployments|a|status');
  assert.equal(of('/apis/apps/v1/namespaces/n/deployments//a'), 'apps|v1|n|deployments||a');
  assert.equal(of('/apis/apps/v1'), 'other');
  assert.equal(of('/api/v1/%E0%A4%A'), undefined);
});

test('YAML is read as Kubernetes reads it', () => {
  const read = (text: string): unknown => {
    const value = yamlValue(text, 100);
    if ('problem' in value) return value.problem;
    return value.repeated.length > 0 ? value.repeated.join(', ') : value.value;
  };

  assert.deepEqual(read('a: yes\nb: 1:30\nc: 2020-01-01\nd: 0644\ne: "yes"'), {
    a: true,
    b: '1:30',
    c: '2020-01-01',
    d: 420,
    e: 'yes',
  });
  assert.equal(
    read('a: {b: 1, b: 2}\nc: 1\nc: 2'),
    'line 1: key "b" already set in map, line 3: key "c" already set in map',
  );
  assert.match(String(read('['.repeat(200_000))), /exceeded max depth of 100/);
  assert.deepEqual(read('a: &x [1]\nb: *x'), { a: [1], b: [1] });
  assert.match(String(read(`a: &a [x]\n${'b: [*a, *a]\n'.repeat(2)}`)), /already set/);
});

test('a text that is no JSON is refused in the words of Go', () => {
  const problems: Readonly<Record<string, string>> = {
    '': 'unexpected end of JSON input',
    '{"a":1': 'unexpected end of JSON input',
    nonsense: "invalid character 'o' in literal null (expecting 'u')",
    '{"a" 1}': "invalid character '1' after object key",
    '{"a":1 "b":2}': `invalid character '"' after object key:value pair`,
    '[1 2]': "invalid character '2' after array element",
    "{'a':1}": "invalid character '\\'' looking for beginning of object key string",
    '{"a":1}}': "invalid character '}' after top-level value",
    '"a\nb"': "invalid character '\\n' in string literal",
    '"\\q"': "invalid character 'q' in string escape code",
    '"\\u12x4"': "invalid character 'x' in \\u hexadecimal character escape",
    '-a': "invalid character 'a' in numeric literal",
    '1.x': "invalid character 'x' after decimal point in numeric literal",
    '1ex': "invalid character 'x' in exponent of numeric literal",
    '01': "invalid character '1' after top-level value",
  };

  for (const [text, problem] of Object.entries(problems)) assert.equal(jsonProblem(text), problem, text);
});
