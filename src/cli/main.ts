// The `pippin` command's first file: hands the arguments over and ends with the exit code that comes back.

import process from 'node:process';
import { runCommandLine } from './command-line.ts';
import { commands } from './commands.ts';

// A reader that closes early (`pippin ... | head`) is no trouble of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

process.exitCode = await runCommandLine(process.argv.slice(2), commands, {
  out: text => process.stdout.write(text),
  err: text => process.stderr.write(text),
});
