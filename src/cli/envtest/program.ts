// How the stand-ins for envtest live: arguments, an answer to --help, one error and its remedy, and an end within a second.

import process from 'node:process';
import { errorText } from '../errors.ts';
import { untilToldToEnd } from '../signals.ts';
import { argumentsOf, type Flag, type Given, helpText } from './arguments.ts';

export interface StandIn {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly Flag[];
  /** Flags that only the real program has. */
  readonly absent?: readonly string[];
  /** Starts it; what comes back ends it. */
  readonly start: (given: Given) => Promise<() => Promise<void>>;
}

/** envtest waits for an end; whatever still holds a connection then has had its time. */
const END_WITHIN_MS = 800;

export async function runStandIn({ name, summary, flags, absent, start }: StandIn): Promise<void> {
  try {
    const given = argumentsOf(process.argv.slice(2), flags, absent);
    if (given === 'help') {
      process.stdout.write(helpText(name, summary, flags));
      return;
    }
    const { signal } = untilToldToEnd();
    const end = await start(given);
    if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
    setTimeout(() => process.exit(0), END_WITHIN_MS).unref();
    await end();
    process.exit(0);
  } catch (error) {
    process.stderr.write(errorText(error));
    process.exit(1);
  }
}
