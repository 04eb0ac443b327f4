// The agent's VM runtime over the tart command line, the real one or its double. Facts: docs/contracts/agent.md.

import { setTimeout as sleep } from 'node:timers/promises';
import { runtimeFailed, runtimeMissing, runtimeTimedOut, runtimeVersionUnknown } from '../../agent/vm-errors.ts';
import type { VmRuntime } from '../../agent/vm-runtime.ts';
import { messageOf } from '../../base/errors.ts';
import { notSeen, present, type Sighting, unknown } from '../../base/sighting.ts';
import { type CallResult, call, type TartCommand } from './call.ts';
import { forgetExit, type LaunchFolders, lastExit, launch } from './launch.ts';
import { parseList, parseSize } from './listing.ts';
import { refusal, saidBy, saysNotFound, saysNotRunning } from './refusal.ts';
import { findVmProcess } from './vm-process.ts';

export interface TartOptions {
  readonly binary: string;
  /** TART_HOME; never taken from the environment (safe-24). */
  readonly home: string;
  /** What tart's processes get beside TART_HOME: PATH, HOME, registry credentials. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folders: LaunchFolders;
  readonly windowSeconds?: number;
  /** Called before each run: a Mac without a session at its screen cannot start a VM (agent-20). */
  readonly beforeRun?: () => Promise<void>;
}

/** Seconds; a hung call must not block the agent (agent-18). */
const LIMITS = { quick: 30, pull: 20 * 60, clone: 5 * 60, set: 60, delete: 5 * 60, guest: 15 };

/** What the calls share. */
interface Caller {
  readonly options: TartOptions;
  readonly command: TartCommand;
  ask(limitSeconds: number, ...args: string[]): Promise<CallResult>;
  /** Ends without a word, or with an error that names the call. */
  must(limitSeconds: number, verb: string, ...args: string[]): Promise<void>;
}

export function tart(options: TartOptions): VmRuntime {
  // We own the clean-up: the variable's mere presence turns tart's own off.
  const env = { ...options.env, TART_HOME: options.home, TART_NO_AUTO_PRUNE: '' };
  const command: TartCommand = { binary: options.binary, env };
  const ask: Caller['ask'] = (limitSeconds, ...args) => call(command, args, { limitSeconds });
  const caller: Caller = {
    options,
    command,
    ask,
    must: async (limitSeconds, verb, ...args) => {
      const result = await ask(limitSeconds, verb, ...args);
      if (result.code !== 0) throw refusal(verb, args[0] ?? '', saidBy(result));
    },
  };
  return { version: () => version(command), ...imageCalls(caller), ...vmCalls(caller), ...processCalls(caller) };
}

function imageCalls({ ask, command }: Caller): Pick<VmRuntime, 'inventory' | 'contentId' | 'pull'> {
  return {
    inventory: async () => {
      const result = await ask(LIMITS.quick, 'list', '--format', 'json');
      const inventory = result.code === 0 ? parseList(result.out) : undefined;
      if (inventory === undefined) throw runtimeFailed('tart list', saidBy(result));
      return inventory;
    },
    contentId: image =>
      sighting(image, ask(LIMITS.quick, 'fqn', image), out => /^\S+@sha256:[0-9a-f]{64}$/.exec(out.trim())?.[0]),
    pull: async (image, onProgress) => {
      const onLine = (line: string): void => {
        const percent = /(\d{1,3})(?:\.\d+)?%/.exec(line)?.[1];
        if (percent !== undefined) onProgress(Number(percent));
      };
      const result = await call(command, ['pull', image], { limitSeconds: LIMITS.pull, onLine });
      if (result.code !== 0) throw refusal('pull', image, saidBy(result));
    },
  };
}

type VmCalls = Pick<
  VmRuntime,
  'onDisk' | 'clone' | 'resize' | 'renewIdentity' | 'delete' | 'address' | 'guestDiskPercent'
>;

function vmCalls({ ask, must, options }: Caller): VmCalls {
  return {
    onDisk: name =>
      sighting(name, ask(LIMITS.quick, 'get', name, '--format', 'json'), out => {
        const sizeBytes = parseSize(out);
        return sizeBytes === undefined ? undefined : { name, sizeBytes };
      }),
    clone: (source, name) => must(LIMITS.clone, 'clone', source, name),
    resize: async (name, { cpu, memoryMb }) => {
      const flags = [...flag('--cpu', cpu), ...flag('--memory', memoryMb)];
      if (flags.length > 0) await must(LIMITS.set, 'set', name, ...flags);
    },
    renewIdentity: name => must(LIMITS.set, 'set', name, '--random-serial'),
    delete: async name => {
      const result = await ask(LIMITS.delete, 'delete', name);
      const said = saidBy(result);
      if (result.code !== 0 && !saysNotFound(said)) throw refusal('delete', name, said);
      forgetExit(options.folders, name.replaceAll('/', '_'));
    },
    address: async name => {
      const result = await ask(LIMITS.quick, 'ip', name, '--wait', '1');
      return /^\d{1,3}(?:\.\d{1,3}){3}$/.exec(result.out.trim())?.[0];
    },
    guestDiskPercent: async name => {
      const result = await ask(LIMITS.guest, 'exec', name, '/bin/df', '-k', '/').catch(() => undefined);
      return guestDiskPercent(result);
    },
  };
}

type ProcessCalls = Pick<VmRuntime, 'run' | 'shutDown' | 'stop' | 'process' | 'lastExit'>;

const STARTS_WITHIN_MS = 5_000;
const LOOK_AGAIN_MS = 100;

/** The process of tart itself. On a busy host its supervisor may be there first; undefined when nothing of the VM is. */
async function tartPid(find: () => ReturnType<typeof findVmProcess>): Promise<number | undefined> {
  for (let leftMs = STARTS_WITHIN_MS; leftMs > 0; leftMs -= LOOK_AGAIN_MS) {
    const found = await find();
    if (found.kind !== 'present') return undefined;
    if (found.value.is === 'tart') return found.value.pid;
    await sleep(LOOK_AGAIN_MS);
  }
  return undefined;
}

function processCalls({ ask, options, command }: Caller): ProcessCalls {
  const { folders, windowSeconds = 5 } = options;
  const find = (vm: string): ReturnType<typeof findVmProcess> => findVmProcess({ ...options, vm });
  return {
    run: async (name, run) => {
      await options.beforeRun?.();
      await launch({ command, folders, windowSeconds }, name, run);
      const found = await find(name);
      return found.kind === 'present' ? found.value : { pid: 0 };
    },
    shutDown: async name => {
      const pid = await tartPid(() => find(name));
      if (pid !== undefined) signal(pid, 'SIGUSR2');
    },
    stop: async (name, timeoutSeconds) => {
      const limit = Math.max(120, timeoutSeconds + 30);
      const result = await ask(limit, 'stop', name, '--timeout', String(timeoutSeconds));
      const said = saidBy(result);
      if (result.code !== 0 && !saysNotRunning(said) && !saysNotFound(said)) throw refusal('stop', name, said);
    },
    process: find,
    lastExit: async name => lastExit(folders, name),
  };
}

async function version(command: TartCommand): Promise<string> {
  const result = await call(command, ['--version'], { limitSeconds: LIMITS.quick }).catch((error: unknown) => {
    throw runtimeTimedOut.is(error) || runtimeMissing.is(error)
      ? error
      : runtimeMissing.causedBy(error, command.binary);
  });
  const found = /\b2\.\d+(?:\.\d+)?\b/.exec(result.out)?.[0];
  if (result.code !== 0 || found === undefined)
    throw runtimeVersionUnknown(command.binary, messageOf(saidBy(result)).trim().slice(0, 100));
  return found;
}

/** Not found is absence; every other failure, and an answer that cannot be read, is unknown. */
async function sighting<T>(
  name: string,
  asked: Promise<CallResult>,
  read: (out: string) => T | undefined,
): Promise<Sighting<T>> {
  try {
    const result = await asked;
    if (result.code !== 0) return saysNotFound(saidBy(result)) ? notSeen('tart', name) : unknown(saidBy(result).trim());
    const value = read(result.out);
    return value === undefined ? unknown(`tart's answer cannot be read: ${result.out.slice(0, 100)}`) : present(value);
  } catch (error) {
    return unknown(messageOf(error));
  }
}

/** df's last line: the first field with a percent sign. */
function guestDiskPercent(result: CallResult | undefined): number | undefined {
  const last = result?.code === 0 ? result.out.trimEnd().split('\n').at(-1) : undefined;
  const percent = /(\d+)%/.exec(last ?? '')?.[1];
  return percent === undefined ? undefined : Number(percent);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

const flag = (name: string, value: number | undefined): string[] => (value === undefined ? [] : [name, String(value)]);
