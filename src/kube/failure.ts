// How a failed pass is shown and tried again: a reason, words for people, and the retry class.

import { InvariantBroken, messageOf, PippinError, type RetryClass } from '../base/errors.ts';
import { ApiError } from './errors.ts';

/** CamelCase, for conditions: `PIPPIN_E_FLEET_KEY_REFUSED` is FleetKeyRefused; the API's own reason where it gave one. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.status?.reason || `HTTP${error.httpStatus}`;
  if (!(error instanceof PippinError)) return 'UnexpectedError';
  const words = error.code.replace('PIPPIN_E_', '').toLowerCase().split('_');
  return words.map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** What happened, and what to do about it where the error knows better than to wait. */
export function explain(error: unknown): string {
  const what = messageOf(error);
  return error instanceof PippinError && error.retry === 'never' ? `${what}. ${error.remedy}` : what;
}

/** A broken invariant is not tried again by itself at once: the same pass would break it again. */
export function retryOf(error: unknown): RetryClass {
  if (error instanceof InvariantBroken) return 'never';
  return error instanceof PippinError ? error.retry : 'backoff';
}

export const retryAfterOf = (error: unknown): number => (error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0);
