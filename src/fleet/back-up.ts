// A backup of the embedded API's data folder, and a data folder out of a backup: objects and keys together.

import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeBackup } from '../adapters/sqlite/backup.ts';
import { lockFile } from '../adapters/sqlite/lock.ts';
import { restoreBackup } from '../adapters/sqlite/restore.ts';
import type { Secrets } from '../adapters/sqlite/secrets.ts';
import type { Clock } from '../base/clock.ts';
import { defineError } from '../base/errors.ts';
import { privateFile, privateFolder } from './api-files.ts';
import { inFolder } from './folder-trouble.ts';
import { dataFolder, isBegun } from './up/data-folder.ts';

const nothingToBackUp = defineError('PIPPIN_E_NOTHING_TO_BACK_UP', {
  retry: 'never',
  remedy: 'Name the data folder of an API server that has been started at least once, with --data-dir',
  says: (folder: string, missing: string) => `${folder} holds no API to back up: there is no ${missing}`,
});

const targetNotEmpty = defineError('PIPPIN_E_RESTORE_TARGET_NOT_EMPTY', {
  retry: 'never',
  remedy: 'Choose a new folder with --data-dir, or say --replace to give up the API that is there; nothing was changed',
  says: (folder: string, found: string) => `${folder} is not empty: it holds ${found}`,
});

export type Say = (line: string) => void;

/** Without one of these the clients of a restored API would have lost their trust or their tokens. */
const KEYS = ['ca.key', 'ca.crt', 'sa.key', 'sa.pub', 'admin.token'] as const;

export interface BackUp {
  readonly dataDir: string;
  readonly file: string;
  /** Also of a store that lost acknowledged writes: what there is, for want of a better backup. */
  readonly incomplete?: 'accepted';
}

/** Whether or not a server runs on the folder. */
export function backUp({ dataDir, file, ...how }: BackUp, { clock, say }: { clock: Clock; say: Say }): void {
  const [folder, out] = [resolve(dataDir), resolve(file)];
  if (!isBegun(folder)) throw nothingToBackUp(folder, 'api.db');
  const onProgress = progress(clock, say, 'backed up');
  const done = writeBackup({ store: join(folder, 'api.db'), out, secrets: keysIn(folder), onProgress, ...how });
  say(`${count(done.objects)} objects at revision ${done.revision} and the keys of ${folder} are in ${out}`);
}

function keysIn(folder: string): Secrets {
  const pki = join(folder, 'pki');
  const missing = KEYS.find(name => !existsSync(join(pki, name)));
  if (missing !== undefined) throw nothingToBackUp(folder, `pki/${missing}`);
  return inFolder(pki, () => Object.fromEntries(KEYS.map(name => [name, readFileSync(join(pki, name), 'utf8')])));
}

export interface Restore {
  readonly dataDir: string;
  readonly file: string;
  /** What is in the folder is given up. */
  readonly existing?: 'replaced';
}

/** Refused on a folder that a server runs on. */
export function restore({ dataDir, file, existing }: Restore, { clock, say }: { clock: Clock; say: Say }): void {
  const [folder, backup] = [resolve(dataDir), resolve(file)];
  const store = join(folder, 'api.db');
  if (existing === undefined) refuseUsed(folder, store);
  dataFolder(folder);
  const done = restoreBackup({
    backup,
    store,
    nowMs: clock.now(),
    onProgress: progress(clock, say, 'restored'),
    putSecrets: secrets => putKeys(folder, secrets),
  });
  say(`${count(done.objects)} objects of revision ${done.from} and their keys are in ${folder}`);
  say(`revisions go on at ${done.revision}; whoever watches lists again`);
}

/** What a restore that was refused after all leaves is nothing that another would give up. */
const LEFT_OVER = new Set(['.gitignore', 'api.db-lock']);

/** A server that runs is the better reason to refuse. */
function refuseUsed(folder: string, store: string): void {
  const [first] = existsSync(folder) ? readdirSync(folder).filter(name => !LEFT_OVER.has(name)) : [];
  if (first === undefined) return;
  if (existsSync(`${store}-lock`)) lockFile(store).release();
  throw targetNotEmpty(folder, isBegun(folder) ? 'an API’s data' : first);
}

function putKeys(folder: string, secrets: Secrets): void {
  const pki = join(folder, 'pki');
  mkdirSync(pki, { recursive: true });
  privateFolder(pki);
  for (const name of KEYS) privateFile(join(pki, name), secrets[name] ?? '');
}

/** A line a second while it lasts. */
function progress(clock: Clock, say: Say, what: string): (done: number, all: number) => void {
  let next = clock.monotonic() + 1000;
  return (done, all) => {
    if (done % 256 !== 0 || clock.monotonic() < next) return;
    next = clock.monotonic() + 1000;
    say(`${what} ${count(done)} of ${count(all)} objects`);
  };
}

const count = (n: number): string => n.toLocaleString('en-US');
