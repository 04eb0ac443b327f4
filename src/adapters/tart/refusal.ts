// What tart's exit codes and texts mean: the few that the agent acts on, told apart in one place.

import { noSpace, runtimeFailed, vmNotFound, vmSlotsUsedUp } from '../../agent/vm-errors.ts';
import { messageOf, type PippinError } from '../../base/errors.ts';
import type { CallResult } from './call.ts';

/** Both wordings (agent-49): one that is not recognised would cost a pull of many gigabytes. */
export const saysNotFound = (text: string): boolean => /does not exist|not found/i.test(text);

/** Foundation's sentence has a curly apostrophe. */
const saysNoSpace = (text: string): boolean =>
  /isn[’']t enough space|database or disk is full|No space left on device/i.test(text);

const saysSlotsUsedUp = (text: string): boolean => /number of VMs exceeds the system limit/i.test(text);

export const saysNotRunning = (text: string): boolean => /is not running/i.test(text);

/** The error for a call that ended with another code than 0. `subject` is the VM or image it was about. */
export function refusal(verb: string, subject: string, said: string): PippinError {
  if (saysNoSpace(said)) return noSpace(`tart ${verb} ${subject}`);
  if (saysSlotsUsedUp(said)) return vmSlotsUsedUp(brief(said));
  if (saysNotFound(said)) return vmNotFound(subject);
  return runtimeFailed(`tart ${verb} ${subject}`, brief(said));
}

/** What a failed call said, for a message: standard error, else the end of standard output. */
export const saidBy = (result: CallResult): string =>
  result.err.trim() !== '' ? result.err : result.out.slice(-500) || `exit code ${result.code}`;

const brief = (text: string): string => messageOf(text.trim()).slice(0, 500);
