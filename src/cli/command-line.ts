// From arguments to an exit code: finds the command, runs it, and tells what went wrong in one error and its remedy.

import { Command, CommanderError } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { messageOf } from '../base/errors.ts';
import type { CommandEntry } from './commands.ts';
import { errorText, usageError } from './errors.ts';

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** 0: done. 1: it failed. 2: the arguments make no sense. */
export async function runCommandLine(
  args: readonly string[],
  commands: readonly CommandEntry[],
  output: Output,
): Promise<number> {
  try {
    const program = await programFor(args, commands, output);
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const told = error instanceof CommanderError ? usageErrorOf(error) : error;
    output.err(errorText(told));
    return usageError.is(told) ? 2 : 1;
  }
}

/** Only the asked command's file is loaded; the others are there by name, for the help and for suggestions. */
async function programFor(
  args: readonly string[],
  commands: readonly CommandEntry[],
  output: Output,
): Promise<Command> {
  const asked = args.find(arg => !arg.startsWith('-'));
  const program = quiet(new Command('pippin'), output)
    .description('Runs Macs and bare metal as Kubernetes nodes, and keeps its books straight.')
    .version(packageJson.version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print this help')
    .helpCommand(false)
    // What follows a command's name is that command's own.
    .enablePositionalOptions();
  for (const entry of commands) {
    const command = entry.name === asked ? (await entry.load()).command() : new Command(entry.name);
    program.addCommand(quiet(command, output).name(entry.name).summary(entry.summary));
  }
  return program;
}

/** Errors come back as exceptions, so that this file alone decides how they are told. */
function quiet(command: Command, output: Output): Command {
  for (const child of command.commands) quiet(child, output);
  return command
    .exitOverride()
    .configureOutput({ writeOut: output.out, writeErr: () => undefined, outputError: () => undefined });
}

function usageErrorOf(error: CommanderError): Error {
  return usageError(messageOf(error).replace(/^error: /, ''));
}
