// What the system refuses to do in a folder of ours is no bug: one error that names the folder, with a remedy (api-22).

import { defineError, messageOf } from '../base/errors.ts';

const folderUnusable = defineError('PIPPIN_E_DATA_FOLDER_UNUSABLE', {
  retry: 'never',
  remedy: 'Make the folder writable for the user who runs this, with room on its disk, or choose another one',
  says: (path: string, why: string) => `The data folder ${path} cannot be used: ${why}`,
});

/** Does `work` on files of the folder. */
export function inFolder<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw folderTrouble(folder, error);
  }
}

/** What the system said becomes our error about the folder; everything else stays. */
export function folderTrouble(folder: string, error: unknown): unknown {
  return isSystemError(error) ? folderUnusable.causedBy(error, folder, messageOf(error)) : error;
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
