// The mutant: loaded before the traced program, it makes SQLite acknowledge without syncing.

import { DatabaseSync } from 'node:sqlite';

const exec = DatabaseSync.prototype.exec;
DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
  exec.call(this, sql.replaceAll(/synchronous = \w+/g, 'synchronous = OFF'));
};
