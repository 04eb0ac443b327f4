// Runs a program under strace, and reads from its trace what it did to the files of one folder, in order.

import { spawnSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { unescaped } from './c-string.ts';
import { tokensIn } from './said.ts';

/** `began`: the position of the call's start among all events; a sync covers only what was written before it began. */
export type Step =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly offset: number;
      readonly data: Buffer;
      readonly tokens: readonly number[];
    }
  | { readonly kind: 'truncate'; readonly path: string; readonly size: number }
  | { readonly kind: 'sync'; readonly path: string; readonly began: number }
  | { readonly kind: 'create'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'link'; readonly path: string; readonly to: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'say'; readonly line: string };

const CALLS =
  'openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range,' +
  'rename,renameat,renameat2,unlink,unlinkat,link,linkat,mmap';

/** Why there can be no trace here; undefined when there can. */
export function straceMissing(): string | undefined {
  if (canTrace()) return undefined;
  if (process.platform !== 'linux') return 'strace needs Linux';
  if (process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', 'strace'], { timeout: 120_000 });
  return canTrace() ? undefined : 'strace is not installed, or may not trace here';
}

const canTrace = (): boolean => spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;

export interface Traced {
  readonly program: string;
  readonly args: readonly string[];
  readonly nodeOptions: readonly string[];
  readonly trace: string;
  /** Killed when it is about to sync for this time. */
  readonly killedAt?: number;
}

export function runTraced({ program, args, nodeOptions, trace, killedAt }: Traced): void {
  const strace = [
    '-f',
    '-y',
    // A filter is faster, but signals are not injected behind it.
    ...(killedAt === undefined ? ['--seccomp-bpf'] : []),
    '-s',
    '8388608',
    '-e',
    'signal=none',
    '-e',
    `trace=${CALLS}`,
    ...(killedAt === undefined ? [] : ['-e', `inject=fsync,fdatasync:signal=SIGKILL:when=${killedAt}`]),
    '-o',
    trace,
  ];
  const node = [process.execPath, '--no-warnings', ...nodeOptions, program, ...args];
  // libuv's io_uring would write past the calls that are traced.
  const env = { PATH: process.env.PATH, UV_USE_IO_URING: '0' };
  const { status, signal, stderr } = spawnSync('strace', [...strace, ...node], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const hasEnded = killedAt === undefined ? status === 0 : signal === 'SIGKILL';
  if (!hasEnded) throw new Error(`the traced program ended with ${status ?? signal}: ${stderr.slice(-2000)}`);
}

/** What happened to `folder` and was said, in order. Throws on a call that this reader cannot judge. */
export async function stepsOf(trace: string, folder: string): Promise<readonly Step[]> {
  const reader = new Reader(folder);
  for await (const line of createInterface({ input: createReadStream(trace) })) reader.line(line);
  return reader.steps;
}

class Reader {
  readonly steps: Step[] = [];
  readonly #folder: string;
  readonly #unfinished = new Map<string, { readonly text: string; readonly began: number }>();

  readonly #ends = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  line(line: string): void {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
    if (rest.endsWith('<unfinished ...>')) {
      this.#unfinished.set(thread, { text: rest.slice(0, -'<unfinished ...>'.length), began: this.steps.length });
      return;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const before = resumed === null ? undefined : this.#unfinished.get(thread);
    const text = before === undefined ? rest : `${before.text}${resumed?.[1] ?? ''}`;
    const call = /^(\w+)\((.*)\)\s+= (-?\d+)/.exec(text);
    if (call === null || Number(call[3]) < 0) return;
    const [, name = '', args = ''] = call;
    const step = this.#step(name, args.trimEnd(), before?.began ?? this.steps.length);
    if (step !== undefined) this.steps.push(step);
  }

  /** Without an offset only a file that is new is written here, from its beginning on. */
  #appended(path: string, args: string): Step {
    const text = quoted(args);
    const data = unescaped(text);
    const offset = this.#ends.get(path) ?? 0;
    this.#ends.set(path, offset + data.length);
    return { kind: 'write', path, offset, data, tokens: tokensIn(text) };
  }

  #step(name: string, args: string, began: number): Step | undefined {
    if (name === 'write' && args.startsWith('1<')) return { kind: 'say', line: unescaped(quoted(args)).toString() };
    const path = pathIn(args, this.#folder);
    if (path === undefined || isLeftOut(path)) return undefined;
    if (args.includes('O_TRUNC')) this.#ends.delete(path);
    switch (name) {
      case 'pwrite64':
        return written(path, args);
      case 'write':
        return this.#appended(path, args);
      case 'ftruncate':
        return { kind: 'truncate', path, size: lastNumber(args) };
      case 'fsync':
      case 'fdatasync':
        return { kind: 'sync', path, began };
      default:
        return named(name, args, path);
    }
  }
}

/** SQLite makes the index of its log anew after a crash; the lock is a lock. */
const isLeftOut = (path: string): boolean => /-(shm|lock)$/.test(path);

function written(path: string, args: string): Step {
  const text = quoted(args);
  return { kind: 'write', path, offset: lastNumber(args), data: unescaped(text), tokens: tokensIn(text) };
}

function named(name: string, args: string, path: string): Step | undefined {
  const to = quotedAll(args)[1] ?? '';
  if (/^open/.test(name)) return args.includes('O_CREAT') ? { kind: 'create', path } : undefined;
  if (/^unlink/.test(name)) return { kind: 'unlink', path };
  if (/^rename/.test(name)) return { kind: 'rename', path, to };
  if (/^link/.test(name)) return { kind: 'link', path, to };
  if (name === 'mmap' && !/MAP_SHARED.*PROT_WRITE|PROT_WRITE.*MAP_SHARED/.test(args)) return undefined;
  throw new Error(`the trace has a call that crash images know nothing of: ${name}(${args.slice(0, 200)}`);
}

/** The path that the call is about: that of its descriptor, or its first string. */
function pathIn(args: string, folder: string): string | undefined {
  const descriptor = /^\d+<([^>]*)>/.exec(args)?.[1] ?? /, \d+<([^>]*)>, (0x)?\w+$/.exec(args)?.[1];
  const path = descriptor ?? quotedAll(args)[0];
  return path === folder || path?.startsWith(`${folder}/`) ? path : undefined;
}

const quoted = (args: string): string => args.slice(args.indexOf('"') + 1, args.lastIndexOf('"'));
const quotedAll = (args: string): string[] => [...args.matchAll(/"([^"]*)"/g)].map(match => match[1] ?? '');
const lastNumber = (args: string): number => Number(/(\d+)$/.exec(args)?.[1]);
