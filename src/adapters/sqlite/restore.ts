// Makes a store of a backup: verified before anything is replaced, and under revisions that nobody has seen (api-24).

import { existsSync, renameSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf, PippinError } from '../../base/errors.ts';
import { backupUnreadable, storeError, storeHeld, storeUnusable } from './errors.ts';
import { syncFolderOf, syncFoldersAbove } from './folder-sync.ts';
import { lockFile } from './lock.ts';
import { lastMarkedRevision, makeMark } from './mark.ts';
import { finishStore, newDatabase, readable, restoredDraftOf } from './open-file.ts';
import { BACKUP_ID, STORE_ID, versionOf } from './schema.ts';
import { type Secrets, secretsOf } from './secrets.ts';
import { inserter } from './stored-change.ts';
import { checkStructure, eachVerified, type State, stateOf } from './verified.ts';

export interface RestoreJob {
  readonly backup: string;
  /** The API's file that is made, or replaced. */
  readonly store: string;
  readonly nowMs: number;
  readonly onProgress: (done: number, all: number) => void;
  /** Writes the keys durably; called once nothing of the backup can be wrong any more. */
  readonly putSecrets: (secrets: Secrets) => void;
}

export interface Restored {
  readonly objects: number;
  /** What the backup holds, and where the store goes on. */
  readonly from: number;
  readonly revision: number;
}

/** Whoever runs the store is refused; a store that is there is replaced. */
export function restoreBackup(job: RestoreJob): Restored {
  const lock = lockFile(job.store);
  try {
    refuseEarlierHolder(job.store);
    const { secrets, restored, draft } = drafted(job);
    replace(draft, job, { secrets, restored });
    return restored;
  } finally {
    lock.release();
  }
}

/** Programs of schema version 1 locked the file itself. Whatever else is wrong with it is why it is replaced. */
function refuseEarlierHolder(store: string): void {
  if (!existsSync(store)) return;
  const db = readable(store);
  try {
    db.prepare('SELECT name FROM sqlite_schema').get();
  } catch (error) {
    if (storeHeld.is(storeError(store, error))) throw storeHeld.causedBy(error, store);
  } finally {
    db.close();
  }
}

interface Draft {
  readonly draft: string;
  readonly secrets: Secrets;
  readonly restored: Restored;
}

/** A whole store under another name. */
function drafted(job: RestoreJob): Draft {
  const draft = `${job.store}-restoring`;
  try {
    const from = readable(job.backup);
    try {
      return { draft, ...copiedTo(draft, from, job) };
    } finally {
      from.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw error instanceof PippinError ? error : backupUnreadable.causedBy(error, job.backup, messageOf(error));
  }
}

function copiedTo(draft: string, from: DatabaseSync, job: RestoreJob): Omit<Draft, 'draft'> {
  const to = onStore(job, () => newDatabase(draft, STORE_ID));
  try {
    const copy = copied(from, to, job);
    onStore(job, () => finishStore(to, draft));
    return copy;
  } finally {
    if (to.isOpen) to.close();
  }
}

function copied(from: DatabaseSync, to: DatabaseSync, job: RestoreJob): Omit<Draft, 'draft'> {
  versionOf(from, job.backup, BACKUP_ID);
  checkStructure(from);
  const secrets = secretsOf(from);
  const { count } = stateOf(from);
  const insert = inserter(to);
  let objects = 0;
  to.exec('BEGIN IMMEDIATE');
  const state = eachVerified(from, change => {
    onStore(job, () => insert(change));
    objects += 1;
    job.onProgress(objects, count);
  });
  const revision = freshRevision(state, job);
  const account = to.prepare('UPDATE state SET revision = ?, compacted = ?, count = ?, sum = ?');
  onStore(job, () => {
    account.run(revision, revision, state.count, state.sum);
    to.exec('COMMIT');
  });
  return { secrets, restored: { objects, from: state.revision, revision } };
}

/** etcd's advice for `--bump-revision`: more than can have been written since the backup. */
const BUMP = 1_000_000_000;

/**
 * Above every revision that anybody can have seen: of the time after the backup, of the store that is replaced, and of an
 * earlier restore of the same backup. Microseconds grow faster than any store can write.
 */
function freshRevision({ revision }: State, { store, nowMs }: RestoreJob): number {
  return Math.max(Math.max(revision, lastMarkedRevision(store)) + BUMP, nowMs * 1000);
}

/** From the first renaming on a server refuses to start, until the last: a restore that is cut off is run again. */
function replace(draft: string, job: RestoreJob, { secrets, restored }: Omit<Draft, 'draft'>): void {
  const { store } = job;
  onStore(job, () => {
    renameSync(draft, restoredDraftOf(store));
    syncFolderOf(store);
    for (const old of [store, `${store}-wal`, `${store}-shm`, `${store}-journal`]) {
      rmSync(old, { force: true });
    }
    // An old write-ahead log beside the new file would be folded into it. Making the mark syncs the folder, too.
    makeMark(store, restored.revision);
    job.putSecrets(secrets);
    renameSync(restoredDraftOf(store), store);
    syncFoldersAbove(store);
  });
}

/** What fails here is about the target, not about the backup. */
function onStore<T>({ store }: RestoreJob, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw storeUnusable.causedBy(error, store, messageOf(error));
  }
}
