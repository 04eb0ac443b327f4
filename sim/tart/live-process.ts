// Which process a pid really is: pids are used again, a pid with its start time is not.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** When this process was started, in the system's own words; undefined when it does not live. */
export function startOf(pid: number): string | undefined {
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
}

function startFromProc(pid: number): string | undefined {
  try {
    // Fields after the command, which is in parentheses and may hold anything: state is the first, start time the 20th.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startFromPs(pid: number): string | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return line === '' || line.startsWith('Z') ? undefined : line.replace(/^\S+\s+/, '');
  } catch {
    return undefined;
  }
}
