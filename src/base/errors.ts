// Errors as kinds, not texts: each is defined once, beside its code, with its retry class and remedy.

/** When a failed pass may be tried again: `backoff` with growing delays, `conflict` at once, `never` on a timer only. */
export type RetryClass = 'backoff' | 'conflict' | 'never';

/** What all errors of one definition share. */
export interface ErrorKind {
  readonly code: string;
  readonly retry: RetryClass;
  readonly remedy: string;
  /** CamelCase: the condition's reason when this failure is shown on an object; the code's name unless given. */
  readonly reason?: string;
}

/** An error of ours: a stable code, what happened, and what the reader can do about it. */
export class PippinError extends Error {
  readonly code: string;
  readonly retry: RetryClass;
  readonly remedy: string;
  readonly reason: string | undefined;

  constructor(message: string, kind: ErrorKind, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PippinError';
    this.code = kind.code;
    this.retry = kind.retry;
    this.remedy = kind.remedy;
    this.reason = kind.reason;
  }
}

/** One row of the error catalogue. */
export interface ErrorDefinition<Args extends readonly unknown[]> {
  readonly code: string;
  /** Builds the error; `cause` is kept as the error's cause. */
  (...args: Args): PippinError;
  /** Whether `error` is of this definition. */
  is(error: unknown): error is PippinError;
  /** The same error with what caused it. */
  causedBy(cause: unknown, ...args: Args): PippinError;
}

/** Defines an error kind. `code` starts with PIPPIN_E_ and is used once in the whole program. */
export function defineError<Args extends readonly unknown[]>(
  code: `PIPPIN_E_${string}`,
  definition: { retry: RetryClass; remedy: string; says: (...args: Args) => string },
): ErrorDefinition<Args> {
  const { retry, remedy, says } = definition;
  const kind = { code, retry, remedy };
  const build = (...args: Args): PippinError => new PippinError(says(...args), kind);
  const is = (error: unknown): error is PippinError => error instanceof PippinError && error.code === code;
  const causedBy = (cause: unknown, ...args: Args): PippinError => new PippinError(says(...args), kind, { cause });
  return Object.assign(build, { code, is, causedBy });
}

/** A rule of the program that did not hold: ends the pass of one object, never the process. */
export class InvariantBroken extends Error {
  readonly evidence: unknown;

  constructor(message: string, evidence?: unknown) {
    super(message);
    this.name = 'InvariantBroken';
    this.evidence = evidence;
  }
}

/** Throws `InvariantBroken` unless `condition` holds. */
export function invariant(condition: boolean, message: string, evidence?: unknown): asserts condition {
  if (!condition) throw new InvariantBroken(message, evidence);
}

/** The message of whatever was thrown, on one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
