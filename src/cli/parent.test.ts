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
console.log(process.pid);
setTimeout(() => process.exit(), 20_000);
`;

/** A shell that stays (`& wait`) as npm does, with the child below it; `$$` in `preamble` is the child. */
function startBelowShell(preamble: string): ChildProcess {
  const script = `sh -c '${preamble} exec "$NODE" --input-type=module -e "$CHILD"' & wait`;
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
  const shell = startBelowShell('export PIPPIN_PARENT=$$:$PPID;');
  assert.ok(Number(await nextLine(shell)) > 0);

  shell.kill('SIGKILL');

  assert.equal(await nextLine(shell), 'ended');
});

for (const [who, preamble] of [
  ['that a person started', ''],
  ['that a program of npm started', 'export PIPPIN_PARENT=$PPID:1;'],
] as const) {
  test(`a process ${who} may outlive its parent`, async () => {
    const shell = startBelowShell(preamble);
    const pid = await nextLine(shell);

    shell.kill('SIGKILL');
    await new Promise(resolve => setTimeout(resolve, 1000));

    assert.doesNotThrow(() => process.kill(Number(pid), 0), 'still there');
    process.kill(Number(pid), 'SIGKILL');
  });
}
