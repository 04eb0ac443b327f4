// What can be wrong with the API's files, each named with its place, none repaired in silence (api-4, api-21, api-22).

import { defineError, messageOf, PippinError } from '../../base/errors.ts';

export const storeHeld = defineError('PIPPIN_E_STORE_HELD', {
  retry: 'never',
  remedy: 'Stop the other process that runs on this data folder, or choose another folder',
  says: (file: string) => `The API's file ${file} is held by another process`,
});

export const storeNewer = defineError('PIPPIN_E_STORE_NEWER', {
  retry: 'never',
  remedy: 'Use the version of Pippin that wrote it, or choose another file or folder; nothing was changed',
  says: (file: string, found: number, known: number) =>
    `The API's file ${file} has schema version ${found}; this program knows versions up to ${known}`,
});

const storeDamaged = defineError('PIPPIN_E_STORE_DAMAGED', {
  retry: 'never',
  remedy:
    'Put a backup in its place with `pippin apiserver restore FILE --replace`, or move the folder away to start empty; nothing was changed',
  says: (file: string, why: string) => `The API's file ${file} cannot be read: ${why}`,
});

export const storeBehind = defineError('PIPPIN_E_STORE_BEHIND', {
  retry: 'never',
  remedy:
    'Put a backup in its place with `pippin apiserver restore FILE --replace`; without a backup, `pippin apiserver backup FILE --what-is-left` saves what there is for it. Nothing was changed',
  says: (file: string, found: number, acknowledged: number) =>
    `The API's file ${file} or its ${file}-wal is damaged or old: it ends at revision ${found}, but ${acknowledged} was acknowledged`,
});

export const markLost = defineError('PIPPIN_E_STORE_MARK_LOST', {
  retry: 'never',
  remedy:
    'Put it back, or a backup in place of all with `pippin apiserver restore FILE --replace`; without a backup, `pippin apiserver backup FILE --what-is-left` saves what there is for it. Nothing was changed',
  says: (file: string, why: string) =>
    `The mark ${file}-mark ${why}: without it nobody can tell whether ${file} holds all that was acknowledged`,
});

export const storeUnusable = defineError('PIPPIN_E_STORE_UNUSABLE', {
  retry: 'never',
  remedy: 'Make room on its disk and the folder and files writable for the user who runs this, then start again',
  says: (file: string, why: string) => `The API's file ${file} cannot be used: ${why}`,
});

export const storeWriteFailed = defineError('PIPPIN_E_STORE_WRITE_FAILED', {
  retry: 'never',
  remedy: 'Make room on its disk, or replace it, then start again: what was acknowledged is kept',
  says: (file: string, why: string) => `A write to the API's file ${file} failed: ${why}`,
});

export const restoreUnfinished = defineError('PIPPIN_E_RESTORE_UNFINISHED', {
  retry: 'never',
  remedy: 'Run `pippin apiserver restore FILE --replace` again',
  says: (draft: string) => `A restore was cut off before its end: ${draft} is there`,
});

export const storeOlder = defineError('PIPPIN_E_STORE_OLDER', {
  retry: 'never',
  remedy: 'Start the API server on its folder once: that brings the file up to date',
  says: (file: string, found: number) => `The API's file ${file} has the earlier schema version ${found}`,
});

export const backupExists = defineError('PIPPIN_E_BACKUP_EXISTS', {
  retry: 'never',
  remedy: 'Choose another name, or move that file away; nothing was changed',
  says: (out: string) => `${out} is there already, and a backup never replaces a file`,
});

export const backupUnwritable = defineError('PIPPIN_E_BACKUP_UNWRITABLE', {
  retry: 'never',
  remedy: 'Choose a folder that exists, that you may write to, and whose disk has room; no backup was left',
  says: (out: string, why: string) => `The backup ${out} cannot be written: ${why}`,
});

export const backupUnreadable = defineError('PIPPIN_E_BACKUP_UNREADABLE', {
  retry: 'never',
  remedy: 'Name a file that `pippin apiserver backup` wrote and that you may read; nothing was changed',
  says: (file: string, why: string) => `The backup ${file} cannot be read: ${why}`,
});

/** Why a file of ours is not what we wrote; whoever opened the file knows its name. */
export class Damage extends Error {}

/** SQLite's result codes: the low byte is the kind, the rest says more. */
const KIND = { BUSY: 5, LOCKED: 6, READONLY: 8, IOERR: 10, FULL: 13, CANTOPEN: 14, PERM: 3, AUTH: 23 } as const;
const UNUSABLE: readonly number[] = [KIND.READONLY, KIND.IOERR, KIND.FULL, KIND.CANTOPEN, KIND.PERM, KIND.AUTH];

/** What SQLite or the system threw becomes one of our errors about `file`; ours stay. */
export function storeError(file: string, error: unknown): PippinError {
  if (error instanceof PippinError) return error;
  const kind = sqliteKind(error);
  if (kind === KIND.BUSY || kind === KIND.LOCKED) return storeHeld.causedBy(error, file);
  if (isSystemError(error) || (kind !== undefined && UNUSABLE.includes(kind))) {
    return storeUnusable.causedBy(error, file, messageOf(error));
  }
  return storeDamaged.causedBy(error, file, messageOf(error));
}

function sqliteKind(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code & 0xff : undefined;
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
