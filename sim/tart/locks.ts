// Locks that die with their holder: Node has no flock, so a lock is an exclusive transaction on an empty SQLite file.

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

/** Releases the lock. */
export type Unlock = () => void;

/** Takes the lock, or answers undefined when somebody holds it. */
export function tryLock(path: string): Unlock | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    return () => database.close();
  } catch {
    database.close();
    return undefined;
  }
}

/** Takes the lock; calls `waiting` once when it has to wait for it. */
export async function lock(path: string, waiting: () => void = () => undefined): Promise<Unlock> {
  let held = tryLock(path);
  if (held === undefined) waiting();
  while (held === undefined) {
    await sleep(50);
    held = tryLock(path);
  }
  return held;
}
