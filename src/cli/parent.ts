// Whether the npm that started this process is still there. npm hands INT and TERM on, but dies of HUP alone.

import process from 'node:process';

const LOOK_EVERY_MS = 250;

/**
 * Calls `end` once when the launcher (scripts/run.sh) named this process and its parent (`PID:PARENT`) and that parent is
 * gone. Started in any other way, a process may outlive its parent: then nothing happens. Does not keep the process alive.
 */
export function whenParentEnds(end: () => void): void {
  const [child, parent] = (process.env.PIPPIN_PARENT ?? '').split(':').map(Number);
  // What another program of the launcher started inherits a name that is not for it.
  if (child !== process.pid) return;

  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, LOOK_EVERY_MS);
  timer.unref();
}
