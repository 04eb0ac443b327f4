// `pippin up`: reads the flags, starts a fleet on this machine, and ends it whichever way it is asked to.

import { flushCompileCache } from 'node:module';
import { resolve } from 'node:path';
import process from 'node:process';
import { Command, InvalidArgumentError } from 'commander';
import type { ThisMac } from '../fleet/up/this-mac.ts';
import { portOf } from './flags.ts';
import { whenParentEnds } from './parent.ts';

/** Free on most machines, and easily told from a real cluster's 6443. */
const DEFAULT_PORT = 7443;

interface Flags {
  readonly dataDir: string;
  readonly port: number;
  readonly macs?: number;
  readonly metal: number;
  readonly empty?: true;
  readonly tart?: true;
  readonly tartBinary: string;
  readonly tartHome?: string;
}

export function command(): Command {
  return new Command()
    .description('A whole fleet on this machine: the API, its controllers, and simulated Macs that run Pods as VMs.')
    .option('--data-dir <dir>', 'where the fleet lives; the kubeconfig is in it', '.pippin')
    .option('--port <n>', 'where the API listens on 127.0.0.1; 0 for any free port', portOf, DEFAULT_PORT)
    .option('--macs <n>', 'how many simulated Macs there are at least; 1 unless given, none beside --metal', countOf)
    .option('--metal <n>', 'a bare-metal fleet of Metal3: so many simulated hosts, and a machine for each', countOf, 0)
    .option('--empty', 'begin without demo objects')
    .option('--tart', 'this Mac instead of simulated ones, with the real tart')
    .option('--tart-binary <file>', 'the tart command, for --tart', 'tart')
    .option('--tart-home <dir>', 'where tart keeps VMs and images, for --tart; below the data folder unless given')
    .action(run);
}

async function run({ port, empty, ...flags }: Flags): Promise<void> {
  // Everything below is for its owner alone (safe-19).
  process.umask(0o077);
  const signal = untilEnded();
  const { prepare } = await import('../fleet/up/prepare.ts');
  const dataDir = await prepare({ dataDir: flags.dataDir, port });
  const { up } = await import('../fleet/up/up.ts');
  // Agents start soon, and find there what has just been compiled.
  flushCompileCache();
  const { metal } = flags;
  await up({ dataDir, port, macs: macsOf(flags), metal, objects: empty === true ? 'none' : 'demo', say }, signal);
}

function macsOf({ tart, tartBinary, tartHome, macs, metal }: Omit<Flags, 'port' | 'empty'>): number | ThisMac {
  if (tart === true) return { tartBinary, ...(tartHome === undefined ? {} : { tartHome: resolve(tartHome) }) };
  return macs ?? (metal > 0 ? 0 : 1);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** INT from a terminal comes twice, from it and from npm: what is ended once stays ended. */
function untilEnded(): AbortSignal {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  whenParentEnds(end);
  // A terminal or reader that is gone must not end this process before its VMs.
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => undefined);
  }
  return ended.signal;
}

function countOf(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 50) return count;
  throw new InvalidArgumentError('A number from 1 to 50.');
}
