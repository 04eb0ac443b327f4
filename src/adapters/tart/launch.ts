// Starts `tart run` so that it outlives the agent: own session, output to a file, exit code written down by a shell.

import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { noSpace, vmEndedAtOnce, vmSlotsUsedUp } from '../../agent/vm-errors.ts';
import type { ExitRecord, RunOptions } from '../../agent/vm-runtime.ts';
import { messageOf } from '../../base/errors.ts';
import type { TartCommand } from './call.ts';
import { refusal } from './refusal.ts';

/** Where a VM's output and exit code are kept. */
export interface LaunchFolders {
  readonly logs: string;
  readonly exits: string;
}

export interface Launch {
  readonly command: TartCommand;
  readonly folders: LaunchFolders;
  /** A VM that ends with a failure within this time did not start (agent-11). */
  readonly windowSeconds: number;
}

/** Signals to the VM also reach the shell when someone signals the session; it must live to write the code down. */
const SUPERVISE = `trap : INT TERM HUP USR1 USR2
exit=$1; shift
"$@"
code=$?
echo "$code" > "$exit.new" && mv "$exit.new" "$exit"
exit "$code"`;

const MAX_LOG = 1024 * 1024;
const MAX_LOGS = 100;
const TAIL_LINES = 20;
const START = '--- started by the agent';

const logOf = (folders: LaunchFolders, vm: string): string => join(folders.logs, `${vm}.log`);
const exitOf = (folders: LaunchFolders, vm: string): string => join(folders.exits, vm);

/** Resolves once the VM has lived through the window, or has ended in it without a failure. */
export async function launch({ command, folders, windowSeconds }: Launch, vm: string, run: RunOptions): Promise<void> {
  for (const dir of [folders.logs, folders.exits]) mkdirSync(dir, { recursive: true, mode: 0o700 });
  rmSync(exitOf(folders, vm), { force: true });
  pruneLogs(folders.logs);
  const log = openLog(logOf(folders, vm));
  const args = [command.binary, 'run', vm, '--no-graphics', '--root-disk-opts', 'caching=cached', ...shareArgs(run)];
  const child = spawn('/bin/sh', ['-c', SUPERVISE, 'pippin-vm', exitOf(folders, vm), ...args], {
    detached: true,
    env: command.env,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const code = await exitWithin(child, windowSeconds * 1000);
  child.unref();
  if (code === undefined || (code === 0 && lastExit(folders, vm)?.ended !== 'by-crash')) return;

  rmSync(exitOf(folders, vm), { force: true });
  const said = tailOf(logOf(folders, vm));
  const error = refusal('run', vm, said);
  throw vmSlotsUsedUp.is(error) || noSpace.is(error) ? error : vmEndedAtOnce(vm, messageOf(said));
}

/** No `:rw`: tart would take it for a part of the path (agent-91). */
function shareArgs({ shares }: RunOptions): string[] {
  return shares.flatMap(({ name, path, access }) => ['--dir', `${name}:${path}${access === 'read-only' ? ':ro' : ''}`]);
}

/** The log goes on over restarts of the VM, within a bound; a line marks each start. */
function openLog(path: string): number {
  const log = openSync(path, 'a', 0o600);
  if (fstatSync(log).size > MAX_LOG) ftruncateSync(log);
  writeSync(log, `${START}\n`);
  return log;
}

/** Every Pod has a VM, and a log, of its own: the oldest go. */
function pruneLogs(folder: string): void {
  const logs = readdirSync(folder).map(name => ({ path: join(folder, name), ms: modifiedMs(join(folder, name)) }));
  const old = logs.sort((a, b) => b.ms - a.ms).slice(MAX_LOGS);
  for (const { path } of old) rmSync(path, { force: true });
}

/** Another start may prune at the same moment. */
function modifiedMs(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The exit code; undefined when it still lives after `ms`. */
function exitWithin(child: ChildProcess, ms: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const window = setTimeout(() => resolve(undefined), ms);
  child.once('error', reject);
  child.once('exit', code => {
    clearTimeout(window);
    resolve(code ?? 128);
  });
  return promise;
}

/** How the last run ended, as the shell wrote it down. tart exits with 0 when the guest crashed; its last words tell. */
export function lastExit(folders: LaunchFolders, vm: string): ExitRecord | undefined {
  try {
    const path = exitOf(folders, vm);
    const exitCode = Number.parseInt(readFileSync(path, 'utf8'), 10);
    if (!Number.isInteger(exitCode)) return undefined;
    const ended = exitCode === 0 ? endOf(tailOf(logOf(folders, vm))) : 'by-crash';
    return { exitCode, ended, finishedMs: Math.floor(statSync(path).mtimeMs) };
  } catch {
    return undefined; // not written: still running, or nobody was left to write it
  }
}

function endOf(lastWords: string): ExitRecord['ended'] {
  if (/virtual machine due to error/i.test(lastWords)) return 'by-crash';
  return /^Stopping VM\.\.\./m.test(lastWords) ? 'from-outside' : 'by-guest';
}

/** Forgets how this VM ended. Its log stays until many newer ones are there. */
export function forgetExit(folders: LaunchFolders, vm: string): void {
  rmSync(exitOf(folders, vm), { force: true });
}

/** The last lines since the last start: an earlier run's words are not this one's. */
function tailOf(path: string): string {
  try {
    const text = readFileSync(path, 'utf8');
    const run = text.slice(text.lastIndexOf(START) + START.length + 1);
    return run.trimEnd().split('\n').slice(-TAIL_LINES).join('\n');
  } catch {
    return '';
  }
}
