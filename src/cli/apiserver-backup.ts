// `pippin apiserver backup` and `restore`: a data folder into one file, while its server runs, and back.

import process from 'node:process';
import { Command } from 'commander';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

interface BackupFlags {
  readonly dataDir: string;
  readonly whatIsLeft?: true;
}

export function backupCommand(): Command {
  return new Command('backup')
    .description('Writes all objects and keys of a data folder into one file, for its owner alone. The server may run.')
    .summary('all objects and keys into one file, while the server runs')
    .argument('<file>', 'where the backup goes; a file that is there is never replaced')
    .option('--data-dir <dir>', 'the data folder of the API', '.pippin-api')
    .option('--what-is-left', 'also when acknowledged writes are missing: what there is, for want of a backup')
    .action(async (file: string, { dataDir, whatIsLeft }: BackupFlags) => {
      process.umask(0o077);
      const { backUp } = await import('../fleet/back-up.ts');
      const { systemClock: clock } = await import('../adapters/system/clock.ts');
      backUp({ dataDir, file, ...(whatIsLeft === true ? { incomplete: 'accepted' } : {}) }, { clock, say });
    });
}

interface RestoreFlags {
  readonly dataDir: string;
  readonly replace?: true;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Makes a data folder of a backup, keys included. No server may run on the folder.')
    .summary('a data folder out of a backup')
    .argument('<file>', 'what `pippin apiserver backup` wrote')
    .option('--data-dir <dir>', 'the data folder that is made', '.pippin-api')
    .option('--replace', 'give up the API that is in the folder')
    .action(async (file: string, { dataDir, replace }: RestoreFlags) => {
      process.umask(0o077);
      const { restore } = await import('../fleet/back-up.ts');
      const { systemClock: clock } = await import('../adapters/system/clock.ts');
      restore({ dataDir, file, ...(replace === true ? { existing: 'replaced' } : {}) }, { clock, say });
    });
}
