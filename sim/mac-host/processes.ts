// The processes of a simulated Mac: found by the mark in their environment, ended by pid and start time only.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../../src/base/clock.ts';
import { startOf } from '../tart/live-process.ts';

/** Every process of a simulated Mac has this variable; its value is the Mac's root folder, which no other Mac has. */
export const HOST_MARK = 'PIPPIN_SIM_HOST';

/** A pid alone may be somebody else's by now. */
export interface LiveProcess {
  readonly pid: number;
  readonly startedAt: string;
}

export function processOf(pid: number): LiveProcess | undefined {
  const startedAt = startOf(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

export const isAlive = (process: LiveProcess): boolean => startOf(process.pid) === process.startedAt;

/** Ends it: asks first, then kills. Resolves when it is gone. */
export async function end(process: LiveProcess, clock: Clock, graceMs: number): Promise<void> {
  signal(process, 'SIGTERM');
  if (await isGoneWithin(process, clock, graceMs)) return;
  signal(process, 'SIGKILL');
  await isGoneWithin(process, clock, 5_000);
}

/** Kills at once, as a power cut does. */
export async function kill(process: LiveProcess, clock: Clock): Promise<void> {
  signal(process, 'SIGKILL');
  await isGoneWithin(process, clock, 5_000);
}

async function isGoneWithin(process: LiveProcess, clock: Clock, ms: number): Promise<boolean> {
  const untilMs = clock.monotonic() + ms;
  while (isAlive(process)) {
    if (clock.monotonic() >= untilMs) return false;
    await clock.sleep(20);
  }
  return true;
}

function signal({ pid, startedAt }: LiveProcess, name: NodeJS.Signals): void {
  if (startOf(pid) !== startedAt) return;
  try {
    process.kill(pid, name);
  } catch (error) {
    // It ended between the look and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export interface MarkedProcess extends LiveProcess {
  readonly command: string;
}

/** All processes whose environment bears this Mac's mark. */
export function processesOf(root: string): readonly MarkedProcess[] {
  const found = process.platform === 'linux' ? markedInProc(root) : markedInPs(root);
  return found.flatMap(({ pid, command }) => {
    const live = processOf(pid);
    return live === undefined || pid === process.pid ? [] : [{ ...live, command }];
  });
}

interface Found {
  readonly pid: number;
  readonly command: string;
}

function markedInProc(root: string): readonly Found[] {
  const mark = `${HOST_MARK}=${root}`;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      const environment = readOf(`/proc/${name}/environ`);
      if (!environment.split('\0').includes(mark)) return [];
      return [{ pid: Number(name), command: readOf(`/proc/${name}/cmdline`).replaceAll('\0', ' ') }];
    });
}

/** Empty for processes of others and for those that end in this moment. */
function readOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** macOS has no /proc; its ps shows the environment of one's own processes behind the command. */
function markedInPs(root: string): readonly Found[] {
  const mark = ` ${HOST_MARK}=${root} `;
  const lines = execFileSync('ps', ['-axww', '-E', '-o', 'pid=,command='], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return lines.split('\n').flatMap(line => {
    const match = /^\s*(\d+) (.*)$/.exec(line);
    return match !== null && `${line} `.includes(mark) ? [{ pid: Number(match[1]), command: match[2] ?? '' }] : [];
  });
}
