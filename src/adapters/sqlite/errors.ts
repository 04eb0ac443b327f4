// What can be wrong with the API's file, each named, none repaired in silence (api-4).

import { defineError } from '../../base/errors.ts';

export const storeHeld = defineError('PIPPIN_E_STORE_HELD', {
  retry: 'never',
  remedy: 'Stop the other process that runs on this data folder, or choose another folder',
  says: (file: string) => `The API's file ${file} is held by another process`,
});

export const storeNewer = defineError('PIPPIN_E_STORE_NEWER', {
  retry: 'never',
  remedy: 'Start the version of Pippin that wrote it, or choose another data folder; nothing was changed',
  says: (file: string, found: number, known: number) =>
    `The API's file ${file} has schema version ${found}; this program knows versions up to ${known}`,
});

export const storeDamaged = defineError('PIPPIN_E_STORE_DAMAGED', {
  retry: 'never',
  remedy: 'Put a backup in its place, or move the file away to start empty; nothing was changed',
  says: (file: string, why: string) => `The API's file ${file} cannot be read: ${why}`,
});
