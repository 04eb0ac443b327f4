// Writes a backup: one revision of everything, read beside the running server, verified, and complete when it has its name (api-23).

import { existsSync, linkSync, rmSync } from 'node:fs';
import process from 'node:process';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/errors.ts';
import { backupExists, backupUnwritable, storeBehind, storeError, storeOlder } from './errors.ts';
import { syncFile, syncFolderOf } from './folder-sync.ts';
import { lastMarkedRevision, markedRevision } from './mark.ts';
import { newDatabase, readable } from './open-file.ts';
import { BACKUP_ID, SCHEMA_VERSION, STORE_ID, versionOf } from './schema.ts';
import { putSecrets, type Secrets } from './secrets.ts';
import { addSum, inserter } from './stored-change.ts';
import { checkStructure, eachVerified, type State, stateOf } from './verified.ts';

export interface BackupJob {
  /** The API's file. */
  readonly store: string;
  /** Where the backup goes: a name that is free. */
  readonly out: string;
  readonly secrets: Secrets;
  /** Take a store whose newest acknowledged writes are missing, too. */
  readonly incomplete?: 'accepted';
  readonly onProgress: (done: number, all: number) => void;
}

export interface BackedUp {
  readonly objects: number;
  readonly revision: number;
}

/** Throws before the name appears, or leaves it with everything behind it. */
export function writeBackup(job: BackupJob): BackedUp {
  if (existsSync(job.out)) throw backupExists(job.out);
  try {
    // Before the snapshot: a server that runs goes on to acknowledge.
    const acknowledged = lastMarkedRevision(job.store);
    const from = readable(job.store);
    try {
      from.exec('BEGIN');
      const { revision } = checked(from, job.store);
      if (job.incomplete === undefined) requireComplete(job.store, revision, acknowledged);
      return written(from, job);
    } finally {
      from.close();
    }
  } catch (error) {
    throw storeError(job.store, error);
  }
}

function requireComplete(store: string, revision: number, acknowledged: number): void {
  markedRevision(store);
  if (revision < acknowledged) throw storeBehind(store, revision, acknowledged);
}

function checked(from: DatabaseSync, store: string): State {
  const version = versionOf(from, store, STORE_ID);
  if (version < SCHEMA_VERSION) throw storeOlder(store, version);
  checkStructure(from);
  return stateOf(from);
}

/** Under a name that says that it is no backup yet, then under its own. */
function written(from: DatabaseSync, job: BackupJob): BackedUp {
  // Two backups to one name at once must not end as one file of both.
  const partial = `${job.out}.${process.pid}.partial`;
  const to = onDraft(job, () => newDatabase(partial, BACKUP_ID));
  try {
    to.exec('BEGIN IMMEDIATE');
    const done = copyNewest(from, to, job);
    onDraft(job, () => {
      putSecrets(to, job.secrets);
      to.exec('COMMIT');
      to.close();
      publish(partial, job.out);
    });
    return done;
  } catch (error) {
    if (to.isOpen) to.close();
    rmSync(partial, { force: true });
    throw error;
  }
}

/** What fails here is about the new file, not about the store. */
function onDraft<T>({ out }: BackupJob, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (backupExists.is(error)) throw error;
    throw backupUnwritable.causedBy(error, out, messageOf(error));
  }
}

/** The newest change of every object that is there; history stays behind. */
function copyNewest(from: DatabaseSync, to: DatabaseSync, job: BackupJob): BackedUp {
  const newest = newestRevisions(from);
  const insert = inserter(to);
  let [objects, total] = [0, 0];
  const { revision } = eachVerified(from, change => {
    if (!newest.has(change.revision)) return;
    onDraft(job, () => insert(change));
    objects += 1;
    total = addSum(total, change.sum);
    job.onProgress(objects, newest.size);
  });
  const state = to.prepare('UPDATE state SET revision = ?, compacted = ?, count = ?, sum = ?');
  onDraft(job, () => state.run(revision, revision, objects, total));
  return { objects, revision };
}

function newestRevisions(from: DatabaseSync): ReadonlySet<number> {
  const byObject = new Map<string, number>();
  const keys = from.prepare('SELECT revision, storage, namespace, name, deleted FROM changes ORDER BY revision');
  for (const { revision, storage, namespace, name, deleted } of keys.iterate()) {
    const key = `${storage} ${namespace} ${name}`;
    if (deleted === 1) byObject.delete(key);
    else byObject.set(key, Number(revision));
  }
  return new Set(byObject.values());
}

/** A link is refused where a renaming would replace what somebody else put there meanwhile. */
function publish(partial: string, out: string): void {
  syncFile(partial);
  try {
    linkSync(partial, out);
  } catch (error) {
    throw isTaken(error) ? backupExists.causedBy(error, out) : error;
  }
  rmSync(partial);
  syncFolderOf(out);
}

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';
