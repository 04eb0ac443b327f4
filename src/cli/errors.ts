// How an error reads on a terminal: a sentence and a remedy for trouble that is expected, a stack only for a bug.

import { defineError, messageOf, PippinError } from '../base/errors.ts';

export const usageError = defineError('PIPPIN_E_USAGE', {
  retry: 'never',
  remedy: '`pippin --help` lists the commands, `pippin COMMAND --help` the options of one',
  says: (problem: string) => problem,
});

/** Two lines for an error of ours. Anything else is a bug, and shows where it happened. */
export function errorText(error: unknown): string {
  if (error instanceof PippinError) {
    return `error: ${messageOf(error)} (${error.code})\nremedy: ${error.remedy}\n`;
  }
  const where = error instanceof Error && error.stack !== undefined ? error.stack : messageOf(error);
  return `error: this is a bug in Pippin\n${where}\nremedy: report it with the lines above\n`;
}
