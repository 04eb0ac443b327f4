// How a VM ended, in a Pod's terms: the guest's own word first, then tart's, and never success out of silence.

import type { GuestFile } from '../host.ts';
import type { ExitRecord } from '../vm-runtime.ts';

/** The file in the status share in which a guest leaves its exit code. */
export const EXIT_FILE = 'runner-rc';

/** Upstream's reason for a VM that is no more. */
export const RUN_EXITED = 'TartRunExited';

export interface Ending {
  readonly exitCode: number;
  readonly reason: 'Completed' | 'Error' | typeof RUN_EXITED | 'TartRunFailed' | 'ContainerStatusUnknown';
  readonly message?: string;
  readonly finishedMs: number;
  /** A failure of the guest delays its next start; a host that lost power does not. */
  readonly backsOff: boolean;
}

export interface ExitFacts {
  readonly report: GuestFile | undefined;
  readonly exit: ExitRecord | undefined;
  readonly nowMs: number;
}

export function endingOf({ report, exit, nowMs }: ExitFacts): Ending {
  const reported = reportedCode(report);
  // Dated by the process, then by the guest's file: when it was noticed would bill too much (agent-34).
  const finishedMs = exit?.finishedMs ?? report?.modifiedMs ?? nowMs;
  if (reported !== undefined) {
    const reason = reported === 0 ? 'Completed' : 'Error';
    return { exitCode: reported, reason, finishedMs, backsOff: reported !== 0 };
  }
  return { ...unreported(exit), finishedMs };
}

/** A torn, unreadable or impossible value is no report; 128 + signal is a valid one (agent-33). */
function reportedCode(report: GuestFile | undefined): number | undefined {
  const text = report?.text.trim() ?? '';
  if (!/^\d{1,3}$/.test(text)) return undefined;
  return Number(text) <= 255 ? Number(text) : undefined;
}

function unreported(exit: ExitRecord | undefined): Omit<Ending, 'finishedMs'> {
  if (exit === undefined) {
    const message = 'the VM vanished and nobody recorded how: the host stopped, or tart was killed';
    return { exitCode: 137, reason: 'ContainerStatusUnknown', message, backsOff: false };
  }
  if (exit.ended === 'from-outside') {
    return { exitCode: 143, reason: 'TartRunFailed', message: 'the VM was stopped on the host', backsOff: false };
  }
  if (exit.ended === 'by-guest' && exit.exitCode === 0) {
    const message = 'the guest shut down and reported no exit code';
    return { exitCode: 0, reason: RUN_EXITED, message, backsOff: false };
  }
  const message = exit.exitCode === 0 ? 'the guest crashed' : `tart ended with ${exit.exitCode}`;
  return { exitCode: exit.exitCode === 0 ? 1 : exit.exitCode, reason: 'TartRunFailed', message, backsOff: true };
}
