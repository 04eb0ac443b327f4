// One call of the tart command: bounded in time and output, and no child or pipe of it is left behind.

import { type ChildProcess, spawn } from 'node:child_process';
import { runtimeMissing, runtimeTimedOut } from '../../agent/vm-errors.ts';

/** The program and the environment it gets. */
export interface TartCommand {
  readonly binary: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface CallResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface CallOptions {
  readonly limitSeconds: number;
  /** Gets each line of standard output as it comes. */
  readonly onLine?: (line: string) => void;
}

const MAX_OUTPUT = 4 * 1024 * 1024;
/** Children of a killed tart may hold the pipes open; they are closed after this (agent-19). */
const DRAIN_MS = 2000;

/** Runs tart to its end. Rejects when it is missing or took too long; every exit code resolves. */
export function call(command: TartCommand, args: readonly string[], options: CallOptions): Promise<CallResult> {
  const { promise, resolve, reject } = Promise.withResolvers<CallResult>();
  const child = spawn(command.binary, args, { env: command.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out = collect(child.stdout, options.onLine);
  const err = collect(child.stderr);
  let drain: NodeJS.Timeout | undefined;
  let timedOut = false;
  const limit = setTimeout(() => {
    timedOut = true;
    child.kill('SIGKILL');
  }, options.limitSeconds * 1000);

  child.once('error', error => {
    clearTimeout(limit);
    reject(runtimeMissing.causedBy(error, command.binary));
  });
  child.once('exit', () => {
    drain = setTimeout(() => closePipes(child), DRAIN_MS);
  });
  child.once('close', code => {
    clearTimeout(limit);
    clearTimeout(drain);
    if (timedOut) reject(runtimeTimedOut(`tart ${args[0]}`, options.limitSeconds));
    else resolve({ code: code ?? 128, out: out(), err: err() });
  });
  return promise;
}

function closePipes(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** What came so far; the beginning of it when it is too much. */
function collect(stream: NodeJS.ReadableStream, onLine?: (line: string) => void): () => string {
  let text = '';
  let line = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < MAX_OUTPUT) text += chunk;
    if (onLine === undefined) return;
    const lines = (line + chunk).split(/[\r\n]+/);
    line = (lines.pop() ?? '').slice(-1000);
    for (const whole of lines) onLine(whole);
  });
  return () => text;
}
