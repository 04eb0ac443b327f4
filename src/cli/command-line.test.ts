import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { defineError } from '../base/errors.ts';
import { runCommandLine } from './command-line.ts';
import type { CommandEntry } from './commands.ts';

const portTaken = defineError('PIPPIN_E_TEST_PORT_TAKEN', {
  retry: 'never',
  remedy: 'Choose another port with --port',
  says: (port: number) => `Port ${port} is taken`,
});

/** A `pippin` with two commands; `never` fails when its file is loaded. */
function commandsThat(act: () => void): CommandEntry[] {
  const serve = (): Command => new Command().option('--port <n>', 'where to listen').action(act);
  return [
    { name: 'serve', summary: 'Serves', load: async () => ({ command: serve }) },
    { name: 'never', summary: 'Is never loaded', load: () => Promise.reject(new Error('loaded')) },
  ];
}

async function pippin(args: readonly string[], act: () => void = () => undefined) {
  let out = '';
  let err = '';
  const code = await runCommandLine(args, commandsThat(act), {
    out: text => {
      out += text;
    },
    err: text => {
      err += text;
    },
  });
  return { code, out, err };
}

test('--version prints the version of the package', async () => {
  const { code, out } = await pippin(['--version']);

  assert.equal(code, 0);
  assert.match(out, /^\d+\.\d+\.\d+\n$/);
});

test('--help, and no argument at all, list the commands without loading them', async () => {
  const help = await pippin(['--help']);
  const bare = await pippin([]);

  assert.equal(help.code, 0);
  assert.match(help.out, /serve\b.*Serves/);
  assert.match(help.out, /never\b.*Is never loaded/);
  assert.equal(bare.out, help.out);
});

test('the help of a command has its options', async () => {
  const { code, out } = await pippin(['serve', '--help']);

  assert.equal(code, 0);
  assert.match(out, /^Usage: pippin serve \[options\]/);
  assert.match(out, /--port <n>/);
});

test('an unknown command or option is one error with a remedy', async () => {
  const command = await pippin(['srve']);
  const option = await pippin(['serve', '--prt', '1']);

  assert.deepEqual([command.code, option.code], [2, 2]);
  assert.match(
    command.err,
    /^error: unknown command 'srve' \(Did you mean serve\?\) \(PIPPIN_E_USAGE\)\nremedy: .*--help.*\n$/,
  );
  assert.match(
    option.err,
    /^error: unknown option '--prt' \(Did you mean --port\?\) \(PIPPIN_E_USAGE\)\nremedy: .*\n$/,
  );
});

test('an argument that a command does not take is refused', async () => {
  const { code, err } = await pippin(['serve', 'extra']);

  assert.equal(code, 2);
  assert.match(err, /^error: too many arguments for 'serve'/);
});

test('an error of ours is told with its remedy and no stack', async () => {
  const { code, err } = await pippin(['serve'], () => {
    throw portTaken(8443);
  });

  assert.equal(code, 1);
  assert.equal(err, 'error: Port 8443 is taken (PIPPIN_E_TEST_PORT_TAKEN)\nremedy: Choose another port with --port\n');
});

test('an error that nobody expected shows where it happened', async () => {
  const { code, err } = await pippin(['serve'], () => {
    throw new TypeError('undefined has no name');
  });

  assert.equal(code, 1);
  assert.match(err, /bug in Pippin\nTypeError: undefined has no name\n\s+at /);
});
