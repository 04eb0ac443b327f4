import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asked } from './asked.ts';

test('a scenario, a run and where runs are noted can be asked for; nothing asked is nothing chosen', () => {
  const { what, run, folder } = asked(['--scenario', 'metal/life', '--run', 'call:0:403', '--records', 'here']);

  assert.deepEqual(what, { scenarios: ['metal/life'], depth: 'whole', seed: '1' });
  assert.deepEqual([run, folder], ['call:0:403', 'here']);
  assert.deepEqual(asked([]).what.scenarios, []);
});

for (const [args, says] of [
  [['--no-such-option'], /^Unknown option '--no-such-option'/],
  [['--depth', 'half'], /^--depth is "whole" or "sample", not "half"$/],
  [['no-such-scenario'], /^there is no scenario no-such-scenario; there are mac, metal\/life, /],
] as const) {
  test(`what cannot be understood is told, and does not run everything instead: ${args.join(' ')}`, () => {
    assert.throws(
      () => asked(args),
      ({ message }: Error) => says.test(message) && !message.includes('\n'),
    );
  });
}
