// A TART_HOME on the real disk as the model's host: which processes hold which VM, leases, and what is in the way.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskStore } from './disk-store.ts';
import { startOf } from './live-process.ts';
import { tryLock } from './locks.ts';
import type { TartHost } from './model.ts';

/** Held by `tart run` for the VM's life: the process, told by pid and start time. */
interface RunLock {
  readonly pid: number;
  readonly start: string;
}

export interface TartHome extends TartHost {
  readonly path: string;
  /** Marks the VM as run by this process; the address comes later. */
  hold(vm: string, pid: number, addressFromMs: number): void;
  /** The lock files of this home: the copying phase, one per registry host, one per unfinished pull. */
  lockPath(what: string): string;
  /** Removes unfinished work that nobody holds: what every command but `pull` and `clone` does first. */
  sweepUnfinished(): void;
  unfinishedPull(key: string): string;
}

export function tartHome(path: string, diskGb: number): TartHome {
  const store = diskStore(path);
  const runLock = (vm: string): string => join(path, 'vms', vm, 'run.lock');
  const leaseOf = (vm: string): string => join(path, 'leases', store.vm(vm)?.mac.replaceAll(':', '-') ?? 'none');
  const lockPath = (what: string): string => join(path, 'locks', `${what.replaceAll(/[^A-Za-z0-9.-]/g, '_')}.lock`);
  const tmp = join(path, 'tmp');

  return {
    path,
    store,
    diskGb,
    now: () => Date.now(),
    lockPath,
    holderOf: vm => {
      const held = readJson<RunLock>(runLock(vm));
      return held !== undefined && startOf(held.pid) === held.start ? held.pid : undefined;
    },
    addressFromMs: vm => readJson<number>(leaseOf(vm)),
    hold: (vm, pid, addressFromMs) => {
      mkdirSync(join(path, 'leases'), { recursive: true });
      writeFileSync(leaseOf(vm), String(addressFromMs));
      writeFileSync(runLock(vm), JSON.stringify({ pid, start: startOf(pid) ?? 'gone' }));
    },
    unfinishedPull: key => join(tmp, `pull-${key}`),
    sweepUnfinished: () => {
      if (!existsSync(tmp)) return;
      for (const entry of readdirSync(tmp)) {
        if (!isHeld(entry, lockPath)) rmSync(join(tmp, entry), { recursive: true, force: true });
      }
    },
  };
}

/** Pulls hold a lock; copies and removals carry the pid of who makes them. */
function isHeld(entry: string, lockPath: (what: string) => string): boolean {
  if (entry.startsWith('pull-')) {
    const unlock = tryLock(lockPath(entry));
    unlock?.();
    return unlock === undefined;
  }
  return startOf(Number(/^(?:vm|gone)-(\d+)-/.exec(entry)?.[1])) !== undefined;
}

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
