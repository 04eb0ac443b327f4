// Small files of a data folder: JSON with a version, written whole or not at all, and refused when they are newer.

import { existsSync, readFileSync } from 'node:fs';
import { defineError, messageOf } from '../../base/errors.ts';
import { privateFile } from '../api-files.ts';

const fileNewer = defineError('PIPPIN_E_DATA_FILE_NEWER', {
  retry: 'never',
  remedy: 'Start the version of Pippin that wrote it, or choose another data folder; nothing was changed',
  says: (file: string, found: number, known: number) =>
    `${file} has version ${found}; this program knows versions up to ${known}`,
});

const fileDamaged = defineError('PIPPIN_E_DATA_FILE_DAMAGED', {
  retry: 'never',
  remedy: 'Put a backup in its place, or start with another data folder; nothing was changed',
  says: (file: string, why: string) => `${file} cannot be read: ${why}`,
});

const VERSION = 1;

interface Kept<T> {
  readonly version: number;
  readonly value: T;
}

/** What the file holds; undefined when there is none. */
export function readKept<T>(file: string): T | undefined {
  if (!existsSync(file)) return undefined;
  const { version, value } = parsed<T>(file);
  if (version > VERSION) throw fileNewer(file, version, VERSION);
  return value;
}

export function keep<T>(file: string, value: T): void {
  privateFile(file, `${JSON.stringify({ version: VERSION, value })}\n`);
}

function parsed<T>(file: string): Kept<T> {
  try {
    const kept: Partial<Kept<T>> = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof kept.version !== 'number' || kept.value === undefined) throw new Error('it has no version');
    return { version: kept.version, value: kept.value };
  } catch (error) {
    throw fileDamaged.causedBy(error, file, messageOf(error));
  }
}
