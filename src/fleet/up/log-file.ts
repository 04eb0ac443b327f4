// The log of a fleet on this machine: a file in its data folder, so that the terminal keeps to what a person follows.

import { chmodSync, closeSync, existsSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemLog } from '../../adapters/system/log.ts';
import type { Log } from '../../base/log.ts';
import { inFolder } from '../folder-trouble.ts';

/** At a start, and while it runs: then the file is set aside, and the one set aside before goes. */
const LARGEST_BYTES = 16 * 1024 * 1024;

export function fileLog(dataDir: string): Log {
  const path = join(dataDir, 'up.log');
  const file = new BoundedFile(path);
  return systemLog({ level: 'info', write: line => file.write(line) });
}

class BoundedFile {
  readonly #path: string;
  #size = 0;
  #fd: number;

  constructor(path: string) {
    this.#path = path;
    this.#fd = this.#open();
  }

  write(line: string): void {
    this.#size += writeSync(this.#fd, line);
    if (this.#size < LARGEST_BYTES) return;
    closeSync(this.#fd);
    this.#fd = this.#open();
  }

  #open(): number {
    const path = this.#path;
    return inFolder(dirname(path), () => {
      if (existsSync(path) && statSync(path).size >= LARGEST_BYTES) renameSync(path, `${path}.1`);
      const fd = openSync(path, 'a', 0o600);
      chmodSync(path, 0o600);
      this.#size = statSync(path).size;
      return fd;
    });
  }
}
