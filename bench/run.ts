// How a bench begins and ends: arguments that make no sense are told in one line, and what it started ends with it.

import process from 'node:process';
import { messageOf } from '../src/base/errors.ts';
import { exitOnSignals } from '../test/exit-on-signals.ts';

/** `asked` reads the command line and throws what is wrong with it; `measure` answers the exit code. */
export async function run<Asked>(asked: () => Asked, measure: (asked: Asked) => Promise<number>): Promise<void> {
  exitOnSignals();
  let wanted: Asked;
  try {
    wanted = asked();
  } catch (error) {
    process.stderr.write(`error: ${messageOf(error)}\n`);
    process.exitCode = 1;
    return;
  }
  process.exitCode = await measure(wanted);
}
