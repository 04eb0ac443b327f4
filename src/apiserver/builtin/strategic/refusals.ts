// What is said of a patch that cannot be merged. Where the real server answers 500 to such a mistake, so do we.

import { badRequest, Refusal } from '../../answer/status.ts';

/** A directive in a form that it does not have. */
export const illFormed = (what: string): Refusal => badRequest(`invalid patch format of ${what}`);

export const unmergeable = (message: string): Refusal =>
  new Refusal({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 });
