// What an error of the Scaleway SDK says: absence of this very thing, a refusal, a busy server, or nothing sure.

import { Errors } from '@scaleway/sdk-client';
import { messageOf, type PippinError } from '../../base/errors.ts';
import { cloudRefused, cloudUnavailable, serverBusy, serverNotThere } from '../../mac/cloud.ts';

/** safe-2: only Scaleway's own NotFound that names this id; a 404 of a proxy or of an unknown path is none. */
export function isAbsenceOf(error: unknown, id: string): boolean {
  return error instanceof Errors.ResourceNotFoundError && error.resourceId === id;
}

/** One line for people; the body of an answer never gets in whole (safe-20). */
export const whyUnclear = (error: unknown): string => messageOf(error).slice(0, 200);

/** The port's error for a failed write. */
export function writeFailure(what: string, error: unknown): PippinError {
  if (error instanceof Errors.ResourceNotFoundError) return serverNotThere.causedBy(error, what);
  if (error instanceof Errors.TransientStateError) return serverBusy.causedBy(error, what, error.currentState);
  if (error instanceof Errors.ResourceLockedError) return serverBusy.causedBy(error, what, 'locked');
  const status = statusOf(error);
  if (status === undefined || status === 429 || status >= 500)
    return cloudUnavailable.causedBy(error, what, whyUnclear(error));
  return cloudRefused.causedBy(error, what, whyUnclear(error));
}

/** The HTTP status, where there was an answer. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}
