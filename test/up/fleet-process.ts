// A fleet as a person starts it: a process with a data folder, followed line by line, and all that it leaves behind.

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';

const root = resolve(import.meta.dirname, '../..');

/** A new folder, and what may run below it: found by the folder's name in arguments or environments. */
export class DataFolder {
  readonly path = join(mkdtempSync(join(tmpdir(), 'pippin-up-')), 'fleet');

  /** Processes that were started for this fleet; those only whose arguments match, where a pattern is given. */
  processes(pattern = /(?:)/): readonly number[] {
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
      .filter(pid => ['cmdline', 'environ'].some(file => readProc(pid, file).includes(this.path)))
      .filter(pid => pattern.test(readProc(pid, 'cmdline').replaceAll('\0', ' ')))
      .map(Number);
  }

  /** Ports of the services that the fleet has recorded. */
  ports(): readonly number[] {
    const { value } = JSON.parse(readFileSync(join(this.path, 'simulated/settings.json'), 'utf8'));
    return Object.values(value.ports);
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  /** The administrator's API, as the kubeconfig leads to it. */
  api(): Api {
    const { clusters, users } = JSON.parse(this.read('kubeconfig'));
    const { server, 'certificate-authority-data': ca } = clusters[0].cluster;
    const { token } = users[0].user;
    const caPem = Buffer.from(ca, 'base64').toString();
    return client(httpTransport({ server, caPem, token: () => Promise.resolve(token) }), { clock: systemClock });
  }

  /** Kills what is left of a test that failed, and removes the folder. */
  remove(): void {
    for (const pid of this.processes()) kill(pid, 'SIGKILL');
    rmSync(resolve(this.path, '..'), { recursive: true, force: true, maxRetries: 5 });
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // it has ended
  }
}

/** Ports of 127.0.0.1 on which somebody listens. */
export function listeners(): ReadonlySet<number> {
  const LISTEN = '0A';
  const rows = ['/proc/net/tcp', '/proc/net/tcp6']
    .filter(existsSync)
    .flatMap(file => readFileSync(file, 'utf8').split('\n').slice(1))
    .map(row => row.trim().split(/\s+/))
    .filter(columns => columns[3] === LISTEN);
  return new Set(rows.map(columns => Number.parseInt(columns[1]?.split(':').at(-1) ?? '', 16)));
}

export interface Started {
  readonly how: 'npm' | 'node';
  /** Any free one unless given. */
  readonly port?: number;
  readonly args?: readonly string[];
}

/** `pippin up`, running. */
export class FleetProcess {
  readonly lines: string[] = [];
  readonly #child: ChildProcess;
  readonly #ended: Promise<number>;
  #said: () => void = () => undefined;

  constructor(folder: DataFolder, { how, port = 0, args = [] }: Started) {
    const flags = ['--data-dir', folder.path, '--port', String(port), ...args];
    const [command, first] =
      how === 'npm' ? ['npm', ['start', '--silent', '--']] : [process.execPath, ['src/cli/main.ts', 'up']];
    this.#child = spawn(command, [...first, ...flags], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: how === 'npm' ? plainEnv() : { ...plainEnv(), ...COMPILED },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', line => {
        this.lines.push(line);
        this.#said();
      });
    }
    this.#ended = new Promise(resolve => {
      this.#child.once('exit', code => {
        this.#said();
        resolve(code ?? 128);
      });
    });
  }

  /** Of npm, where npm started it. */
  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Resolves with the first line that matches; rejects when it ends, or when the time is over. */
  async line(pattern: RegExp, withinSeconds = 60): Promise<string> {
    const late = AbortSignal.timeout(withinSeconds * 1000);
    for (;;) {
      const found = this.lines.find(line => pattern.test(line));
      if (found !== undefined) return found;
      if (this.#child.exitCode !== null || late.aborted) {
        throw new Error(`no line like ${pattern}; it said:\n${this.lines.join('\n')}`);
      }
      await new Promise<void>(resolve => {
        this.#said = resolve;
        late.addEventListener('abort', () => resolve(), { once: true });
      });
    }
  }

  signal(name: NodeJS.Signals): void {
    kill(this.pid, name);
  }

  /** The exit code. */
  ended(withinSeconds = 60): Promise<number> {
    const late = new Promise<never>((_, reject) => {
      const error = new Error(`it did not end within ${withinSeconds} s; it said:\n${this.lines.join('\n')}`);
      setTimeout(() => reject(error), withinSeconds * 1000).unref();
    });
    return Promise.race([this.#ended, late]);
  }
}

/** Code that one test has compiled need not be compiled by the next. */
export const COMPILED = { NODE_COMPILE_CACHE: join(tmpdir(), 'pippin-compiled') };

/** What a person may have set for clusters and clouds of their own: none of it matters to a fleet (safe-24). */
function plainEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  const ofAnother = { KUBECONFIG: '/nowhere/config', TART_HOME: '/nowhere/tart', SCW_API_URL: 'http://127.0.0.1:1' };
  return { PATH, HOME, TMPDIR, ...ofAnother, SCW_SECRET_KEY: 'not ours', SCW_ACCESS_KEY: 'not ours' };
}

/** Waits for a fact that another process makes true. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, withinSeconds = 30): Promise<void> {
  const late = AbortSignal.timeout(withinSeconds * 1000);
  while (!(await holds())) {
    if (late.aborted) throw new Error(`${what}: not within ${withinSeconds} s`);
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
