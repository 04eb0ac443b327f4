import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PARENT = fileURLToPath(import.meta.resolve('./parent.ts'));

/** Prints its pid, then `ended` when its parent goes; lives 20 s at most. */
const CHILD = `
import { whenParentEnds } from ${JSON.stringify(PARENT)};
whenParentEnds(() => { console.log('ended'); process.exit(); });
console.log(process.pid, process.env.PIPPIN_PARENT ?? 'forgotten');
setTimeout(() => process.exit(), 20_000);
`;

/** A shell that stays (`& wait`) as npm does, with the child below it. */
function startBelowShell(parentVariable: string): ChildProcess {
  const script = `${parentVariable} "$NODE" --input-type=module -e "$CHILD" & wait`;
  return spawn('sh', ['-c', script], {
    env: { ...process.env, NODE: process.execPath, CHILD },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function nextLine(shell: ChildProcess): Promise<string> {
  const [data] = await once(shell.stdout ?? assert.fail('no output'), 'data');
  return String(data).trim();
}

test('a process that npm started ends when npm is gone', async () => {
  const shell = startBelowShell('PIPPIN_PARENT=$$');
  const [pid, variable] = (await nextLine(shell)).split(' ');

  shell.kill('SIGKILL');

  assert.equal(await nextLine(shell), 'ended');
  assert.equal(variable, 'forgotten', 'its own children do not inherit the name of the parent');
  assert.ok(Number(pid) > 0);
});

test('a process that a person started may outlive its parent', async () => {
  const shell = startBelowShell('');
  const [pid] = (await nextLine(shell)).split(' ');

  shell.kill('SIGKILL');
  await new Promise(resolve => setTimeout(resolve, 1000));

  assert.doesNotThrow(() => process.kill(Number(pid), 0), 'still there');
  process.kill(Number(pid), 'SIGKILL');
});
