// Our manager as a user runs it, in a process of its own: killed where it stands, it is started again, as a Deployment does it.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';

const root = resolve(import.meta.dirname, '../../..');

const FLAGS = [
  '--controllers=metal,ipam',
  // Cluster API itself does not run here.
  '--cluster-api',
  '--no-leader-elect',
  '--webhook-bind-address=off',
  '--health-probe-bind-address=127.0.0.1:0',
  '--metrics-bind-address=127.0.0.1:0',
  '--log-level=warn',
];

export class ManagerProcess {
  readonly #kubeconfig: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #isWanted = false;
  /** How often it was killed. */
  deaths = 0;
  /** The code of each end that nobody asked for: it is started again all the same, as a Deployment does it. */
  readonly endsByItself: string[] = [];

  constructor(kubeconfig: string, folder: string) {
    this.#kubeconfig = kubeconfig;
    this.#folder = folder;
    process.once('exit', () => this.#child?.kill('SIGKILL'));
  }

  get log(): string {
    return join(this.#folder, 'manager.log');
  }

  start(): void {
    this.#isWanted = true;
    const argv = [join(root, 'src/cli/main.ts'), 'manager', `--kubeconfig=${this.#kubeconfig}`, ...FLAGS];
    const env = { PATH: process.env.PATH, HOME: this.#folder, NODE_COMPILE_CACHE: join(this.#folder, '../compiled') };
    const child = spawn(process.execPath, argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part: Buffer) => appendFileSync(this.log, part));
    }
    child.once('exit', (code, signal) => {
      if (!this.#isWanted) return;
      if (signal !== 'SIGKILL') this.endsByItself.push(`${code ?? signal}`);
      this.start();
    });
    this.#child = child;
  }

  /** As `kill -9` does it. */
  kill(): void {
    this.deaths += 1;
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#isWanted = false;
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
}
