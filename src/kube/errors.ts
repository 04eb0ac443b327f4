// What a Kubernetes API refuses, as types told apart by predicate. A read error is never absence (safe-1).

import { PippinError, type RetryClass } from '../base/errors.ts';

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `metav1.Status`, as error answers carry it. */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly status?: 'Failure' | 'Success';
  readonly message?: string;
  readonly reason?: string;
  readonly code?: number;
  readonly details?: {
    readonly name?: string;
    readonly group?: string;
    readonly kind?: string;
    readonly uid?: string;
    readonly causes?: readonly StatusCause[];
    readonly retryAfterSeconds?: number;
  };
}

/** An answer of an API server that is no success. */
export class ApiError extends PippinError {
  readonly httpStatus: number;
  /** Absent when the body was not a `metav1.Status` (a proxy's page, a CRD that is not served). */
  readonly status: Status | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(what: { httpStatus: number; status?: Status; request: string; retryAfterMs?: number; body?: string }) {
    const said = what.status?.message ?? what.body?.slice(0, 200) ?? '';
    super(`${what.request}: ${what.httpStatus} ${what.status?.reason ?? ''}${said === '' ? '' : `: ${said}`}`, {
      code: 'PIPPIN_E_API_REFUSED',
      retry: retryClassOf(what.httpStatus),
      remedy: "The message is the API server's own: what it names must change, or the request is tried again by itself",
    });
    this.name = 'ApiError';
    this.httpStatus = what.httpStatus;
    this.status = what.status;
    this.retryAfterMs = what.retryAfterMs;
  }
}

/** No answer came: refused, reset, timed out or aborted. Whether a write was carried out is not known. */
export class Unavailable extends PippinError {
  constructor(request: string, why: string, options?: ErrorOptions) {
    super(
      `${request}: no answer: ${why}`,
      {
        code: 'PIPPIN_E_API_UNAVAILABLE',
        retry: 'backoff',
        remedy: 'Check that the API server runs and can be reached; the request is tried again by itself',
      },
      options,
    );
    this.name = 'Unavailable';
  }
}

function retryClassOf(httpStatus: number): RetryClass {
  return httpStatus === 409 ? 'conflict' : 'backoff';
}

const reasonIs =
  (reason: string) =>
  (error: unknown): error is ApiError =>
    error instanceof ApiError && error.status?.reason === reason;

/** Any NotFound Status. For proof of absence use `isAbsence`, which also compares kind and name. */
export const isNotFound = reasonIs('NotFound');
export const isConflict = reasonIs('Conflict');
export const isAlreadyExists = reasonIs('AlreadyExists');
export const isForbidden = reasonIs('Forbidden');
/** 410: the resourceVersion or continue token is too old. */
export const isExpired = (error: unknown): error is ApiError =>
  error instanceof ApiError && (error.httpStatus === 410 || error.status?.reason === 'Expired');
export const isUnavailable = (error: unknown): error is Unavailable => error instanceof Unavailable;

/** safe-1: a NotFound whose details name this very resource and name. A plain 404 or empty details are not absence. */
export function isAbsence(error: unknown, plural: string, name: string): error is ApiError {
  return isNotFound(error) && error.status?.details?.kind === plural && error.status.details.name === name;
}
