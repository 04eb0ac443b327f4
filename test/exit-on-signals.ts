// What an interrupted run started ends with it: 'exit' is what its children are tied to, and a bare signal passes that by.

import process from 'node:process';

/** From now on SIGINT and SIGTERM end this process by an exit, with a shell's code for it. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
