// The refusals of the API, in Kubernetes' own words: each is a `metav1.Status` that a handler throws.

import { InvariantBroken } from '../../base/errors.ts';
import type { Status, StatusCause } from '../../kube/errors.ts';
import type { FieldError, JsonObject } from '../parts.ts';
import { goQuoted } from '../rules/quoted.ts';

/** Ends a request with this Status. Control flow inside the handler, never shown as an error of ours. */
export class Refusal extends Error {
  readonly status: Status;
  /** Besides those that every answer has. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: Status, headers: Readonly<Record<string, string>> = {}) {
    super(status.message ?? status.reason ?? 'refused');
    this.name = 'Refusal';
    this.status = status;
    this.headers = headers;
  }
}

/** What a refusal is about: `resource` is the plural, or the kind where Kubernetes says so. */
export interface Subject {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

type Details = NonNullable<Status['details']>;

function refusal(code: number, reason: string, message: string, details?: Details): Refusal {
  return new Refusal({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  });
}

function detailsOf(subject: Subject, more: Partial<Details> = {}): Details {
  const { name, group, resource } = subject;
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(resource === '' ? {} : { kind: resource }),
    ...more,
  };
}

/** `pods` or `machines.cluster.x-k8s.io`. */
function named({ group, resource }: Subject): string {
  return group === '' ? resource : `${resource}.${group}`;
}

export const notFound = (subject: Subject): Refusal =>
  refusal(404, 'NotFound', `${named(subject)} ${goQuoted(subject.name)} not found`, detailsOf(subject));

/** A group version is served, this resource in it is not. */
export const noSuchResource = (): Refusal =>
  refusal(404, 'NotFound', 'the server could not find the requested resource', {});

export const alreadyExists = (subject: Subject, prefix = ''): Refusal =>
  refusal(
    409,
    'AlreadyExists',
    `${prefix}${named(subject)} ${goQuoted(subject.name)} already exists`,
    detailsOf(subject),
  );

export const conflict = (subject: Subject, why: string, causes?: readonly StatusCause[]): Refusal =>
  refusal(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${named(subject)} ${goQuoted(subject.name)}: ${why}`,
    detailsOf(subject, causes === undefined ? {} : { causes }),
  );

export const modified = (subject: Subject): Refusal =>
  conflict(subject, 'the object has been modified; please apply your changes to the latest version and try again');

/** Server-side apply met fields that others own. */
export const applyConflict = (causes: readonly StatusCause[]): Refusal => {
  const said = causes.map(cause => `conflict with ${cause.message?.replace(/^conflict with /, '')}: ${cause.field}`);
  const message =
    causes.length === 1
      ? `Apply failed with 1 conflict: ${said[0]}`
      : `Apply failed with ${causes.length} conflicts: ${summarised(causes)}`;
  return refusal(409, 'Conflict', message, { causes });
};

/** Conflicts grouped by who owns the fields, as kubectl shows them. */
function summarised(causes: readonly StatusCause[]): string {
  const byOwner = new Map<string, string[]>();
  for (const { message = '', field = '' } of causes) byOwner.set(message, [...(byOwner.get(message) ?? []), field]);
  // Plural for the whole message, even where an owner has one field.
  const owners = [...byOwner].map(([owner, fields]) => [owner.replace(/^conflict /, 'conflicts '), fields] as const);
  return owners.map(([owner, fields]) => `${owner}:\n${fields.map(f => `- ${f}`).join('\n')}`).join('\n');
}

export const badRequest = (message: string): Refusal => refusal(400, 'BadRequest', message);

export const unauthorized = (): Refusal => refusal(401, 'Unauthorized', 'Unauthorized');

export const forbidden = (subject: Subject, why: string, causes?: readonly StatusCause[]): Refusal => {
  const about = subject.name === '' ? named(subject) : `${named(subject)} ${goQuoted(subject.name)}`;
  const message = subject.resource === '' ? `forbidden: ${why}` : `${about} is forbidden: ${why}`;
  return refusal(403, 'Forbidden', message, detailsOf(subject, causes === undefined ? {} : { causes }));
};

export const methodNotAllowed = (message?: string): Refusal =>
  refusal(
    405,
    'MethodNotAllowed',
    message ?? 'the server does not allow this method on the requested resource',
    message === undefined ? {} : undefined,
  );

/** `shaped`: the client asked for another form of the object (a Table, its metadata) that is not to be had. */
export const notAcceptable = (accepted: readonly string[], shaped: 'shaped' | 'plain'): Refusal =>
  shaped === 'shaped'
    ? refusal(406, 'NotAcceptable', `only the following media types are accepted: ${accepted.join(', ')}`)
    : refusal(406, 'NotAcceptable', `406: Not Acceptable\n\nAvailable representations: ${accepted.join(', ')}`, {});

/** Custom resources name the verb, and themselves. */
export const notSupported = (verb: string, { group, resource }: Omit<Subject, 'name'>): Refusal => {
  const subject = { group, resource, name: '' };
  const message = `${verb} is not supported on resources of kind "${named(subject)}"`;
  return refusal(405, 'MethodNotAllowed', message, detailsOf(subject));
};

/** One object's metadata is asked of a list, or the other way. */
export const misshapen = (asked: string, is: string, goType: string): Refusal =>
  refusal(406, 'NotAcceptable', `you requested ${asked}, but the requested object is ${is} (${goType})`);

export const unsupportedMediaType = (accepted: readonly string[]): Refusal =>
  refusal(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** A patch of no known format. */
export const unsupportedPatch = (): Refusal => refusal(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});

/** What the real server did not expect to have to refuse: 500, without a reason. */
export const unexpected = (message: string): Refusal => refusal(500, '', message);

export const tooLarge = (message: string): Refusal => refusal(413, 'RequestEntityTooLarge', message);

/** etcd's bound on one request is reached. */
export const objectTooLarge = (): Refusal => unexpected('etcdserver: request is too large');

export const expired = (message: string, continueToken?: string): Refusal => {
  const { status } = refusal(410, 'Expired', message);
  return new Refusal(continueToken === undefined ? status : { ...status, metadata: { continue: continueToken } });
};

export const tooLargeRevision = (asked: number, current: number): Refusal =>
  refusal(504, 'Timeout', `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  });

export const tooManyRequests = (
  message: string,
  retryAfterSeconds: number | undefined,
  causes?: readonly StatusCause[],
): Refusal =>
  refusal(429, 'TooManyRequests', message, {
    ...(causes === undefined ? {} : { causes }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });

export const unprocessable = (message: string): Refusal => refusal(422, 'Invalid', message, {});

export const notImplemented = (message: string): Refusal => refusal(501, 'NotImplemented', message);

export const serviceUnavailable = (message: string): Refusal => refusal(503, 'ServiceUnavailable', message);

/** A node's answer that is handed on without saying whose verb it was. */
export const nodeRefused = (code: number, text: string, subject: Subject): Refusal => {
  const [reason, words] = NODE_REASONS[code] ?? ['InternalError', serverFailed(text)];
  const message = `${words === '' ? text : words} ( ${named(subject)} ${subject.name})`;
  return refusal(code, reason, message, detailsOf(subject));
};

const NODE_REASONS: Readonly<Record<number, readonly [string, string]>> = {
  401: ['Unauthorized', 'the server has asked for the client to provide credentials'],
  403: ['Forbidden', ''],
  404: ['NotFound', 'the server could not find the requested resource'],
  405: ['MethodNotAllowed', 'the server does not allow this method on the requested resource'],
  422: ['Invalid', 'the server rejected our request due to an error in our request'],
  429: ['TooManyRequests', 'the server has received too many requests and has asked us to try again later'],
  503: ['ServiceUnavailable', 'the server is currently unable to handle the request'],
};

const serverFailed = (text: string): string =>
  `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`;

export const internalError = (message: string): Refusal =>
  refusal(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [{ message }] });

const CAUSE_REASONS: Readonly<Record<FieldError['type'], string>> = {
  InternalError: 'InternalError',
  Required: 'FieldValueRequired',
  Invalid: 'FieldValueInvalid',
  NotSupported: 'FieldValueNotSupported',
  Forbidden: 'FieldValueForbidden',
  Duplicate: 'FieldValueDuplicate',
  NotFound: 'FieldValueNotFound',
  TooLong: 'FieldValueTooLong',
  TooMany: 'FieldValueTooMany',
  TypeInvalid: 'FieldValueTypeInvalid',
};

/** 422: `subject.resource` is the kind here. */
export function invalid(subject: Subject, errors: readonly FieldError[]): Refusal {
  const texts = [...new Set(errors.map(error => `${error.field}: ${error.message}`))];
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  const causes = errors.map(({ type, message, field }) => ({ reason: CAUSE_REASONS[type], message, field }));
  return refusal(
    422,
    'Invalid',
    `${named(subject)} ${goQuoted(subject.name)} is invalid: ${all}`,
    detailsOf(subject, { causes }),
  );
}

/** The Status of a deletion that took the object away. */
export function deletedStatus(subject: Subject, uid: string): JsonObject {
  const details = detailsOf(subject, { uid });
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: JSON.parse(JSON.stringify(details)),
  };
}

/** What the client is told when something in the server broke. */
export function statusOf(error: unknown): Status {
  if (error instanceof Refusal) return error.status;
  if (error instanceof InvariantBroken) return internalError(error.message).status;
  return internalError(error instanceof Error ? error.message : String(error)).status;
}
