// The program's log as JSON lines, by pino: one line per event, secrets struck out whoever put them in (safe-20).

import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import type { Log, LogFields } from '../../base/log.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogOptions {
  readonly level: LogLevel;
  /** Where lines go: a file (made for its owner alone), or standard error. */
  readonly to: { readonly file: string } | 'stderr';
}

/** Names under which secrets travel, at the top of a line's fields and one level below. */
const SECRET_NAMES = [
  'password',
  'token',
  'secret',
  'secretKey',
  'privateKey',
  'privateKeyPem',
  'kubeconfig',
  'authorization',
];

const LOGGER: LoggerOptions = {
  base: null,
  messageKey: 'message',
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: label => ({ level: label }) },
  redact: { paths: SECRET_NAMES.flatMap(name => [name, `*.${name}`]), censor: '[secret]' },
};

/** Writes at once and in order: a program that is killed has said everything before. */
export function pinoLog({ level, to }: LogOptions): Log {
  return logOf(pino({ ...LOGGER, level }, destinationOf(to)));
}

function destinationOf(to: LogOptions['to']): DestinationStream {
  return pino.destination(to === 'stderr' ? { dest: 2, sync: true } : { dest: to.file, sync: true, mode: 0o600 });
}

function logOf(logger: Logger): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void =>
      logger[level](fields, message);
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: fields => logOf(logger.child(fields)),
  };
}
