// Finds the process that is a VM among all processes of the host.

import { basename } from 'node:path';
import type { VmProcess } from '../../agent/vm-runtime.ts';
import { messageOf } from '../../base/errors.ts';
import { notSeen, present, type Sighting, unknown } from '../../base/sighting.ts';
import { type ProcessRow, processTable } from '../launchd/process-table.ts';

/** What is looked for: the VM of this name in this home. */
export interface VmAddress {
  readonly binary: string;
  readonly home: string;
  readonly vm: string;
}

/** A VM's process, and whether it is tart itself or the shell that waits for it to write its exit code down. */
export interface FoundProcess extends VmProcess {
  readonly is: 'tart' | 'supervisor';
}

/** A failed look is unknown, which everybody takes for alive (agent-17). */
export async function findVmProcess(address: VmAddress): Promise<Sighting<FoundProcess>> {
  try {
    const rows = (await processTable()).filter(row => runIndex(row.args, address) >= 0);
    const ours = await keep(rows, row => isOfHome(row, address.home));
    const found = ours
      .map(row => foundIn(row, address))
      .sort((a, b) => (a.is === 'tart' ? 0 : 1) - (b.is === 'tart' ? 0 : 1));
    return found[0] === undefined ? notSeen('processes', address.vm) : present(found[0]);
  } catch (error) {
    return unknown(messageOf(error));
  }
}

/** Where `tart run NAME` stands among the arguments, as whole words: `X` does not live because `X-2` runs (agent-16). */
function runIndex(args: readonly string[], { binary, vm }: VmAddress): number {
  const program = basename(binary);
  return args.findIndex((arg, i) => basename(arg) === program && args[i + 1] === 'run' && args[i + 2] === vm);
}

/** Two simulated Macs on one machine may have a VM of the same name; a real Mac has one home, or does not tell. */
async function isOfHome(row: ProcessRow, home: string): Promise<boolean> {
  const told = await row.environment('TART_HOME');
  return told === undefined || told === home;
}

/** A program is argument 0, or 1 after the shell that reads it; the supervisor's own arguments come before. */
function foundIn(row: ProcessRow, address: VmAddress): FoundProcess {
  const { pid, startedMs } = row;
  const is = runIndex(row.args, address) <= 1 ? 'tart' : 'supervisor';
  return { pid, is, ...(startedMs === undefined ? {} : { startedMs }) };
}

async function keep<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept = await Promise.all(items.map(test));
  return items.filter((_, i) => kept[i]);
}
