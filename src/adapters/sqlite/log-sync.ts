// Syncs SQLite's write-ahead log beside the program: a commit that waits for its disk holds up nobody else (api-3).

import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs';
import { syncFolderOf } from './folder-sync.ts';

/** The log of an open file. SQLite keeps its locks elsewhere, so that a descriptor of ours takes none of them away. */
export class LogSync {
  readonly #fd: number;

  /** What a killed process left in the log is about to be shown: it is on disk first, and the log has its name for sure. */
  constructor(file: string) {
    const log = `${file}-wal`;
    this.#fd = openSync(log, 'r+');
    fdatasyncSync(this.#fd);
    syncFolderOf(log);
  }

  /** Resolves once all that was written before is on disk. Node asks a Mac's disk to empty its cache, too. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#fd, error => (error === null ? resolve() : reject(error)));
    });
  }

  /** SQLite closes its file first: it may still write to the log. */
  close(): void {
    closeSync(this.#fd);
  }
}
