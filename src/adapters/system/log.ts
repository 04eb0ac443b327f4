// The log as JSON lines on standard error, by pino. What looks like a secret does not get in (safe-20).

import { pino } from 'pino';
import type { Log, LogFields } from '../../base/log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogOptions {
  readonly level: LogLevel;
  /** Where lines go; standard error unless told otherwise. */
  readonly write?: (line: string) => void;
}

/** Field names whose values are secrets wherever they stand; compared without case, dashes and underscores. */
const SECRET_FIELDS = new Set(
  ['authorization', 'cookie', 'password', 'passphrase', 'sudoPassword', 'privateKey', 'privateKeyPem']
    .concat(['secretKey', 'accessKey', 'clientKeyPem', 'token', 'kubeconfig', 'stringData'])
    .map(plain),
);

/** How deep fields are looked into; what lies deeper is not written at all. */
const DEEPEST = 8;

/** A log of at least `level`. */
export function systemLog({ level, write }: LogOptions): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, messageKey: 'message' };
  const formatters = { level: (label: string) => ({ level: label }) };
  const sink = write === undefined ? pino.destination({ dest: 2, sync: true }) : { write };
  return over(pino({ ...options, formatters }, sink));
}

function over(logger: pino.Logger): Log {
  const line =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (logger.isLevelEnabled(level)) logger[level](cleaned(fields, DEEPEST) as object, message);
    };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    with: fields => over(logger.child(cleaned(fields, DEEPEST) as Record<string, unknown>)),
  };
}

/** Redacted by us: pino's own redaction knows paths, and ours come from anywhere. */
function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (value instanceof Error) return value.message;
  if (Array.isArray(value)) return value.map(item => cleaned(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_FIELDS.has(plain(name)) ? '[redacted]' : cleaned(inner, depth - 1),
    ]),
  );
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase();
}
