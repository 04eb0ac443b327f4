// The folder that a fleet on this machine lives in: made for its owner alone, or refused when it is somebody else's (up-1, up-3).

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defineError } from '../../base/errors.ts';
import { inFolder } from '../folder-trouble.ts';

const folderForeign = defineError('PIPPIN_E_DATA_FOLDER_FOREIGN', {
  retry: 'never',
  remedy: 'Choose an empty folder, or one that an earlier start made, with --data-dir',
  says: (path: string, found: string) => `${path} is no data folder of Pippin: it holds ${found}`,
});

/** The API's file: who has it has the folder. */
const MARK = 'api.db';
/** Keys and Secrets lie here: wherever the folder is, no repository takes them in. It also tells our folder from others. */
const IGNORE = '.gitignore';
const IGNORE_ALL = '# A data folder of Pippin: it holds keys and Secrets.\n*\n';

/** Whether a fleet has lived here before. */
export const isBegun = (path: string): boolean => existsSync(join(path, MARK));

/** The absolute path of a folder that may be used. Nothing in it is touched before its lock is taken. */
export function dataFolder(path: string): string {
  const folder = resolve(path);
  return inFolder(folder, () => {
    if (existsSync(folder)) refuseForeign(folder);
    else makeFolder(folder);
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    if (!existsSync(join(folder, IGNORE))) writeFileSync(join(folder, IGNORE), IGNORE_ALL, { mode: 0o600 });
    return folder;
  });
}

/** One folder at a time: Node's own recursion never ends where a file system answers ENOENT to every mkdir, as /proc does. */
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent);
  mkdirSync(folder, { mode: 0o700 });
}

function refuseForeign(folder: string): void {
  const [first] = readdirSync(folder);
  if (first !== undefined && !isBegun(folder) && !isMarked(folder)) throw folderForeign(folder, first);
}

const isMarked = (folder: string): boolean =>
  existsSync(join(folder, IGNORE)) && readFileSync(join(folder, IGNORE), 'utf8') === IGNORE_ALL;
