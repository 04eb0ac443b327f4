// Several programs as one: when one of them fails, the others are stopped before the failure is told.

import type { Program } from './controllers.ts';

export function together(programs: readonly Program[]): Program {
  return async signal => {
    const stop = new AbortController();
    const runs = programs.map(program => program(AbortSignal.any([signal, stop.signal])));
    try {
      await Promise.all(runs);
    } finally {
      stop.abort(new Error('another program of this process failed'));
      await Promise.allSettled(runs);
    }
  };
}
