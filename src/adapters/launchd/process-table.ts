// Which processes live on this host, with their arguments: the only truth about what runs.

import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

export interface ProcessRow {
  readonly pid: number;
  readonly args: readonly string[];
  /** Milliseconds since 1970. */
  readonly startedMs?: number;
  /** An environment variable of the process; undefined where the system does not tell. */
  readonly environment: (name: string) => Promise<string | undefined>;
}

/** All processes; throws when the system does not say. Zombies are not among them. */
export function processTable(): Promise<readonly ProcessRow[]> {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

/** The kernel's unit in /proc/<pid>/stat: fixed for user space on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

async function fromProc(): Promise<readonly ProcessRow[]> {
  const bootMs = bootTimeMs(await readFile('/proc/stat', 'utf8'));
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name));
  const rows = await Promise.all(pids.map(pid => procRow(Number(pid), bootMs)));
  return rows.filter(row => row !== undefined);
}

function bootTimeMs(stat: string): number {
  return Number(/^btime (\d+)$/m.exec(stat)?.[1] ?? Number.NaN) * 1000;
}

async function procRow(pid: number, bootMs: number): Promise<ProcessRow | undefined> {
  const [command, stat] = await Promise.all([optional(`/proc/${pid}/cmdline`), optional(`/proc/${pid}/stat`)]);
  if (command === undefined || command === '' || stat === undefined) return undefined;

  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const startedMs = bootMs + (Number(fields[19]) * 1000) / TICKS_PER_SECOND;
  return {
    pid,
    args: command.replace(/\0$/, '').split('\0'),
    ...(Number.isFinite(startedMs) ? { startedMs } : {}),
    environment: async name => {
      const all = await optional(`/proc/${pid}/environ`);
      const found = all?.split('\0').find(pair => pair.startsWith(`${name}=`));
      return found?.slice(name.length + 1);
    },
  };
}

/** A process may end while it is looked at. */
const optional = (path: string): Promise<string | undefined> => readFile(path, 'utf8').catch(() => undefined);

async function fromPs(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axww', '-o', 'pid=,state=,lstart=,command='], {
    maxBuffer: 16 * 1024 * 1024,
    timeout: 10_000,
    env: { LC_ALL: 'C' },
  });
  return stdout.split('\n').flatMap(psRow);
}

/** `  501 S    Mon Nov 30 03:25:11 2026     /usr/local/bin/tart run web`. */
function psRow(line: string): ProcessRow[] {
  const match = /^\s*(\d+)\s+(\S+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d{4})\s+(.*)$/.exec(line);
  if (match === null || match[2]?.startsWith('Z')) return [];
  const startedMs = Date.parse(match[3] ?? '');
  return [
    {
      pid: Number(match[1]),
      args: (match[4] ?? '').split(' '),
      ...(Number.isFinite(startedMs) ? { startedMs } : {}),
      environment: async () => undefined,
    },
  ];
}
