// A server that will be killed: the next one is loaded while the one before works, so that a kill costs a start and no loading.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';

const BANNER = [
  `import { createRequire as requireFrom } from 'node:module';`,
  'const require = requireFrom(import.meta.url);',
].join(' ');

/** One file of all that the server is made of: it loads in a fifth of the time. */
export async function bundleServer(folder: string): Promise<string> {
  const outfile = join(folder, 'served.mjs');
  const entry = join(import.meta.dirname, 'served.ts');
  const how = { bundle: true, platform: 'node', format: 'esm', target: 'node24', logLevel: 'error' } as const;
  await build({ entryPoints: [entry], outfile, banner: { js: BANNER }, ...how });
  // Compiled code is kept when a process ends in order, which none of those that follow does.
  spawnSync(process.execPath, [outfile], { env: envIn(folder), stdio: ['pipe', 'ignore', 'ignore'], input: '' });
  return outfile;
}

const envIn = (folder: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: folder,
  NODE_COMPILE_CACHE: join(folder, 'cache'),
});

export class Victim {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  #said = '';

  constructor(program: string, dataDir: string) {
    this.#child = spawn(process.execPath, ['--no-warnings', program, dataDir], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: envIn(dirname(program)),
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#said += chunk.toString();
      });
    }
    // Whatever becomes of the run, its servers end with it.
    const killNow = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', killNow);
    // A pipe to a process that was just killed is no trouble.
    this.#child.stdin?.on('error', () => undefined);
    this.#closed = new Promise(resolve => this.#child.once('close', () => resolve()));
    void this.#closed.then(() => process.removeListener('exit', killNow));
  }

  /** Begins to serve; the address once it is ready. Rejects with what the process said when it ends instead. */
  async serve(): Promise<string> {
    this.begin();
    const ready = new Promise<string>(resolve => {
      const look = (): void => {
        const url = /ready at (https:\S+);/.exec(this.#said)?.[1];
        if (url !== undefined) resolve(url);
      };
      this.#child.stdout?.on('data', look);
    });
    const ended = this.#closed.then(() => Promise.reject(new Error(`the server did not start: ${this.#said.trim()}`)));
    return Promise.race([ready, ended]);
  }

  /** Rejects once the process is gone, with what it said: nobody else would tell. */
  async endsByItself(): Promise<never> {
    await this.#closed;
    throw new Error(`the server ended by itself: ${this.#said.trim()}`);
  }

  begin(): void {
    this.#child.stdin?.write('serve\n');
  }

  /** kill -9: resolves once the process is gone. */
  kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    return this.#closed;
  }
}
