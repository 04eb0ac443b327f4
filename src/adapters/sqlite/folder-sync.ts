// Names in folders are durable only once the folder itself is synced; a new folder, once all folders above it are.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';

export function syncFile(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes what was created, renamed or removed in the folder of `path` durable. */
export function syncFolderOf(path: string): void {
  syncFile(dirname(path));
}

/** The same for every folder above, as far as they may be opened: whoever may not read one has made nothing in it. */
export function syncFoldersAbove(path: string): void {
  for (let at = dirname(path); ; at = dirname(at)) {
    try {
      syncFile(at);
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
    if (at === dirname(at)) return;
  }
}

/** Some file systems sync no folders; a folder above may be closed to us. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(EACCES|EPERM|EINVAL|ENOTSUP|EROFS|EBADF)$/.test(String(error.code));
