// Child processes of the real control plane: each logs to a file, and each is ended by its own pid.

import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const STOP_GRACE_MS = 5000;

export interface RunningProcess {
  readonly name: string;
  readonly pid: number;
  /** Why it ended by itself, with the end of its log; undefined while it runs. */
  failure(): string | undefined;
  stop(): Promise<void>;
}

/** Starts a program whose output goes to `logFile`. It is killed with this process at the latest. */
export function startProcess(
  program: string,
  argv: readonly string[],
  logFile: string,
  env: NodeJS.ProcessEnv = {},
): RunningProcess {
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(program, argv, { stdio: ['ignore', log, log], env: { ...process.env, ...env } });
  closeSync(log);
  let spawnError: Error | undefined;
  child.once('error', error => {
    spawnError = error;
  });
  const killNow = (): void => void child.kill('SIGKILL');
  process.once('exit', killNow);
  const name = program.replace(/^.*\//, '');
  return {
    name,
    pid: child.pid ?? 0,
    failure: () => {
      if (spawnError !== undefined) return `${name}: ${spawnError.message}`;
      const ended = child.exitCode ?? child.signalCode;
      return ended === null ? undefined : `${name} ended with ${ended}:\n${tailOf(logFile)}`;
    },
    stop: async () => {
      process.removeListener('exit', killNow);
      await ended(child);
    },
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await new Promise<void>(resolve => {
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
    child.once('exit', () => {
      clearTimeout(force);
      resolve();
    });
    child.kill('SIGTERM');
  });
}

const tailOf = (file: string): string => readFileSync(file, 'utf8').split('\n').slice(-15).join('\n');

/** Ports of the loopback interface that nobody listens on now, all different. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(servers.map(listening));
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
