// What the program says while it works. Secrets never go in; the adapter redacts all the same (safe-20).

export type LogFields = Readonly<Record<string, unknown>>;

/** A structured log. Each line: a sentence and the fields that identify what it is about. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** The same log with fields added to every line. */
  with(fields: LogFields): Log;
}

/** Says nothing: for tests and for code whose caller does not listen. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLog,
};
