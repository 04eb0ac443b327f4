// What processes use, as Linux tells it: CPU time and resident memory.

import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in hundredths of a second on every platform that Node runs on. */
const TICK_MS = 10;
const MIB_KIB = 1024;

/** User and system time of these processes so far; other ends are not counted. */
export function cpuMillis(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    // After the name, which may hold spaces: state is the first field, utime and stime the 12th and 13th.
    const fields = statOf(pid).split(' ');
    return sum + (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
  }, 0);
}

/** Resident memory of these processes together. */
export function residentMib(pids: readonly number[]): number {
  const kib = pids.map(pid => Number(/VmRSS:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0));
  return kib.reduce((sum, one) => sum + one, 0) / MIB_KIB;
}

/** The processes that this one has started and that still run. */
export function children(): readonly number[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids.map(Number).filter(pid => Number(statOf(pid).split(' ')[1]) === process.pid);
}

/** `/proc/PID/stat` from the state on: the parent is the second field. */
const statOf = (pid: number): string => textOf(`/proc/${pid}/stat`).replace(/^.*\) /, '');

/** Empty for a process that has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
