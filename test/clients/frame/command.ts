// Runs one command line of a foreign client and says all that a user would see of it.

import { spawn } from 'node:child_process';

/** No command of a tour waits longer; one that does is a finding, not a hang. */
const DEADLINE_MS = 30_000;

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Then it is killed. Left out: half a minute. */
  readonly deadlineMs?: number;
}

export interface Said {
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** The line is the shell's, so that pipes and variables of its own can be used. */
export function runLine(line: string, { cwd, env, deadlineMs = DEADLINE_MS }: Surroundings): Promise<Said> {
  return new Promise((resolve, reject) => {
    // A group of its own: what the shell started ends with it.
    const child = spawn('/bin/sh', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        said[stream] += text;
      });
    }
    const endAll = (): void => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    const deadline = setTimeout(endAll, deadlineMs);
    process.once('exit', endAll);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(deadline);
      process.removeListener('exit', endAll);
      resolve({ code: code ?? signal ?? 'unknown', ...said });
    });
  });
}
