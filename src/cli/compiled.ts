// Where compiled code is kept between starts: in the user's cache folder, which nobody else may write.

import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

/**
 * The next start takes half the time: reading and compiling the program is most of it. Where the folder cannot be made,
 * nothing is kept. Node's own choice would be a folder that any user of the machine can prepare for this one.
 */
export function keepCompiled(): void {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(caches, 'pippin', 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  enableCompileCache(folder);
}
