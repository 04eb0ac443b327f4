// Runs one command line on a simulated Mac, with that Mac's environment and nothing of ours (safe-23).

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { type Answer, COMMANDS, type MacInside } from './commands.ts';

export interface Running {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code: 127 when the script called a command that no Mac of ours has, wherever in it that was. */
  readonly ended: Promise<number>;
  /** The caller went away. */
  abort(): void;
}

export function execute(mac: MacInside, command: string, environment: Readonly<Record<string, string>>): Running {
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: mac.root,
    env: { ...environment },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const [stdin, stdout, stderr, questions, answers] = child.stdio as [Writable, Readable, Readable, Readable, Writable];
  // A script that does not read everything closes the pipe under the writer.
  for (const stream of [stdin, answers]) stream.on('error', () => undefined);
  answerAll(mac, questions, answers);
  return { stdin, stdout, stderr, ended: ending(child, stderr), abort: () => abort(child) };
}

function answerAll(mac: MacInside, questions: Readable, answers: Writable): void {
  const lines = createInterface({ input: questions });
  let last = Promise.resolve();
  lines.on('line', line => {
    last = last.then(async () => {
      const [name = '', ...args] = line.split('\x1f');
      answers.write(answerText(await answerTo(mac, name, args)));
    });
  });
}

async function answerTo(mac: MacInside, name: string, args: readonly string[]): Promise<Answer> {
  const command = COMMANDS[name];
  if (command === undefined) return { code: 127, err: [`${name}: this Mac has no such command`] };
  try {
    return await command(mac, args);
  } catch (error) {
    return { code: 1, err: [`${name}: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

function answerText({ code, out = [], err = [] }: Answer): string {
  return [`${code} ${out.length} ${err.length}`, ...out, ...err].map(line => `${line}\n`).join('');
}

/** `sh` goes on after an unknown command inside a condition; a step must not. */
function ending(child: ChildProcess, stderr: Readable): Promise<number> {
  let unknown = false;
  stderr.on('data', (chunk: Buffer) => {
    if (/(?:: not found|command not found|outside the Mac)$/m.test(chunk.toString('utf8'))) unknown = true;
  });
  return new Promise(resolve => {
    child.on('error', () => resolve(127));
    child.on('close', code => resolve(unknown ? 127 : (code ?? 255)));
  });
}

function abort(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
