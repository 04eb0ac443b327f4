// The `pippin` command as a process: run to its end, or as a server that is reached with its own credentials.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { httpTransport } from '../../src/adapters/http/client.ts';
import type { ApiRequest, Transport } from '../../src/kube/transport.ts';

const root = join(import.meta.dirname, '../..');
const BANNER = [
  `import { createRequire as requireFrom } from 'node:module';`,
  'const require = requireFrom(import.meta.url);',
  'const { filename: __filename, dirname: __dirname } = import.meta;',
].join(' ');

const LONGEST_MS = 40_000;

export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface How {
  /** The largest file that the process may write, in blocks of 1,024 bytes: what a full disk is to a program. */
  readonly fileBlocks?: number;
  readonly uid?: number;
  /** For this process its disk can only be read. */
  readonly readOnly?: string;
}

const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';

/** Whether this user may give a process mounts of its own. */
export const canMount = (): boolean =>
  process.platform === 'linux' && spawnSync('unshare', ['-m', 'mount', '--bind', '/tmp', '/tmp']).status === 0;

/** The command in one file, as it is shipped: it starts in a third of the time. */
export class Command {
  readonly #program: string;
  readonly #folder: string;

  private constructor(program: string, folder: string) {
    this.#program = program;
    this.#folder = folder;
  }

  static async bundled(folder: string): Promise<Command> {
    const outfile = join(folder, 'pippin.mjs');
    await build({
      absWorkingDir: root,
      entryPoints: ['src/cli/main.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node24',
      loader: { '.node': 'empty' },
      external: ['cpu-features'],
      banner: { js: BANNER },
      logLevel: 'error',
    });
    return new Command(outfile, folder);
  }

  spawn(args: readonly string[], { fileBlocks, uid, readOnly }: How = {}): ChildProcess {
    const node = [process.execPath, '--no-warnings', this.#program, ...args];
    const limited =
      fileBlocks === undefined ? node : ['sh', '-c', `ulimit -f ${fileBlocks * 2}; exec "$@"`, 'sh', ...node];
    const [program = '', ...rest] =
      readOnly === undefined ? limited : ['unshare', '-m', 'sh', '-c', READ_ONLY, readOnly, ...limited];
    const env = { PATH: process.env.PATH, HOME: this.#folder, NODE_COMPILE_CACHE: join(this.#folder, 'cache') };
    return spawn(program, rest, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env,
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
  }

  /** What was to end and does not is killed, and then has no code. */
  async run(args: readonly string[], how: How = {}): Promise<Said> {
    const child = this.spawn(args, how);
    const late = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS);
    const said = await ended(child);
    clearTimeout(late);
    return said;
  }

  async serve(dataDir: string, how: How = {}): Promise<Server> {
    const child = this.spawn(['apiserver', '--data-dir', dataDir, '--port', '0'], how);
    const said = ended(child);
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        const found = /ready at (https:\S+);/.exec(chunk.toString())?.[1];
        if (found !== undefined) resolve(found);
      });
      void said.then(({ out, err }) => reject(new Error(`the server did not start: ${out}${err}`)));
    });
    return new Server(child, said, transportTo(url, dataDir));
  }
}

function ended(child: ChildProcess): Promise<Said> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString();
  });
  return new Promise(resolve => child.once('close', code => resolve({ code, out, err })));
}

function transportTo(url: string, dataDir: string): Transport {
  const read = (file: string): string => readFileSync(join(dataDir, 'pki', file), 'utf8').trim();
  const token = read('admin.token');
  return httpTransport({ server: url, caPem: read('ca.crt'), token: () => Promise.resolve(token) });
}

export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const MAPS = '/api/v1/namespaces/default/configmaps';

export class Server {
  readonly ended: Promise<Said>;
  readonly #child: ChildProcess;
  readonly #api: Transport;

  constructor(child: ChildProcess, said: Promise<Said>, api: Transport) {
    this.#child = child;
    this.ended = said;
    this.#api = api;
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Said> {
    this.#child.kill(signal);
    return this.ended;
  }

  async ask(method: ApiRequest['method'], path: string, body?: object, query = ''): Promise<Answer> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const sent = body === undefined ? {} : { body: new TextEncoder().encode(JSON.stringify(body)) };
    const answer = await this.#api({ method, path, query, headers: { 'content-type': type }, ...sent });
    answer.stream?.close('only the status was asked for');
    const text = new TextDecoder().decode(answer.body);
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Answer['body']) };
  }

  /** Creates or changes a ConfigMap; the revision at which it is now. */
  async put(name: string, data: Readonly<Record<string, string>>): Promise<number> {
    const { status, body } = await this.ask('PATCH', `${MAPS}/${name}`, { data });
    if (status === 200) return revisionOf(body);
    const made = await this.ask('POST', MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
    if (made.status !== 201) throw new Error(`${name} was answered with ${made.status}: ${JSON.stringify(made.body)}`);
    return revisionOf(made.body);
  }

  async get(name: string): Promise<Readonly<Record<string, string>> | undefined> {
    const { status, body } = await this.ask('GET', `${MAPS}/${name}`);
    return status === 200 ? (body.data as Readonly<Record<string, string>>) : undefined;
  }

  /** What a watch from `revision` on begins with. */
  async watchFrom(revision: number): Promise<string> {
    const query = `watch=true&resourceVersion=${revision}`;
    const answer = await this.#api({ method: 'GET', path: MAPS, query, headers: {} });
    const frame = answer.stream === undefined ? answer.body : await answer.stream.next();
    answer.stream?.close('only the first frame was asked for');
    return new TextDecoder().decode(frame);
  }
}

const revisionOf = (body: Answer['body']): number =>
  Number((body.metadata as { resourceVersion: string }).resourceVersion);
