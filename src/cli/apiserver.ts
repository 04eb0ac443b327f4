// `pippin apiserver`: the embedded Kubernetes API alone, on a data folder and a port of this machine.

import process from 'node:process';
import { Command } from 'commander';
import { backupCommand, restoreCommand } from './apiserver-backup.ts';
import { levelOf, portOf } from './flags.ts';
import { whenParentEnds } from './parent.ts';
import { untilToldToEnd } from './signals.ts';

interface Flags {
  readonly dataDir: string;
  readonly port: number;
  readonly logLevel: string;
}

export function command(): Command {
  return (
    new Command()
      .description('The embedded Kubernetes API, without controllers: what is created is kept, and nothing acts on it.')
      .option('--data-dir <dir>', 'where its objects and keys live; the kubeconfig is in it', '.pippin-api')
      .option('--port <n>', 'where it listens on 127.0.0.1; 0 for any free port', portOf, 7444)
      .option('--log-level <level>', 'debug, info, warn or error', 'warn')
      // `--data-dir` after `backup` is that command's own.
      .enablePositionalOptions()
      .action(run)
      .addCommand(backupCommand())
      .addCommand(restoreCommand())
  );
}

async function run({ dataDir, port, logLevel }: Flags): Promise<void> {
  process.umask(0o077);
  const level = levelOf(logLevel);
  const { serveAlone } = await import('../fleet/serve-alone.ts');
  const { signal } = untilToldToEnd();
  const parent = new AbortController();
  whenParentEnds(() => parent.abort());
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await serveAlone({ dataDir, port, level, say }, AbortSignal.any([signal, parent.signal]));
}
