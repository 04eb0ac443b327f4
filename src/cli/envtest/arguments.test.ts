import assert from 'node:assert/strict';
import { test } from 'node:test';
import { argumentsOf, type Flag, helpText } from './arguments.ts';

const flags: readonly Flag[] = [
  { name: 'cert-dir', help: 'a folder' },
  { name: 'allow-privileged', isBool: true, help: 'a switch' },
];
const given = (...argv: readonly string[]) => {
  const answer = argumentsOf(argv, flags);
  return answer === 'help' ? answer : Object.fromEntries(answer);
};

test('flags are read in every way in which Go programs take them', () => {
  assert.deepEqual(given('--cert-dir=/a=b', '--allow-privileged'), {
    'cert-dir': ['/a=b'],
    'allow-privileged': ['true'],
  });
  assert.deepEqual(given('--cert-dir', '/one', '-cert-dir=/two', '--allow-privileged=false'), {
    'cert-dir': ['/one', '/two'],
    'allow-privileged': ['false'],
  });
  assert.deepEqual(given('--cert-dir='), { 'cert-dir': [''] });
});

test('help is answered whatever else is there', () => {
  assert.equal(given('--nonsense', '--help'), 'help');
  // As envtest looks for a flag: at the start of a line.
  assert.match(helpText('program', 'A program.', flags), /^\s*--cert-dir\b/m);
});

test('what is not understood is named', () => {
  assert.throws(() => given('--nonsense=1'), { message: 'unknown flag: --nonsense' });
  assert.throws(() => given('start'), { message: 'This is no flag: "start"' });
  assert.throws(() => given('--cert-dir'), { message: 'A flag needs a value: "--cert-dir"' });
});
