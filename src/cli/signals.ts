// INT, TERM and HUP ask a program to end; a second one ends it at once.

import process from 'node:process';

export interface ToldToEnd {
  readonly signal: AbortSignal;
}

/** Aborts at the first of these signals. */
export function untilToldToEnd(): ToldToEnd {
  const ending = new AbortController();
  const told = (name: NodeJS.Signals): void => {
    if (ending.signal.aborted) process.exit(128 + (name === 'SIGINT' ? 2 : 15));
    ending.abort(new Error(`told to end by ${name}`));
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, told);
  return { signal: ending.signal };
}
