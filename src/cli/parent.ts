// Whether the npm that started this process is still there. npm hands INT and TERM on, but dies of HUP alone.

import process from 'node:process';

const LOOK_EVERY_MS = 250;

/**
 * Calls `end` once when the launcher (scripts/run.sh) named a parent and that parent is gone. Started in any other
 * way, a process may outlive its parent: then nothing happens. Does not keep the process alive.
 */
export function whenParentEnds(end: () => void): void {
  const parent = Number(process.env.PIPPIN_PARENT ?? Number.NaN);
  // Children of this process have another parent: the name is not for them.
  delete process.env.PIPPIN_PARENT;
  if (Number.isNaN(parent)) return;

  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, LOOK_EVERY_MS);
  timer.unref();
}
