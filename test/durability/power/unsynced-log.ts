// The mutant: loaded before the traced program, it lets the log's sync after each commit be answered without being done.

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

function fdatasync(_fd: number, done: (error: null) => void): void {
  setImmediate(done, null);
}
fs.fdatasync = Object.assign(fdatasync, { __promisify__: fs.fdatasync.__promisify__ });
syncBuiltinESMExports();
