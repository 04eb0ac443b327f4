// The log of programs in virtual runs: silent, or on standard error when PIPPIN_TEST_LOG is set.

import type { Clock } from '../../src/base/clock.ts';
import { type Log, type LogFields, silentLog } from '../../src/base/log.ts';

export function testLog(process: string, clock: Clock, always: LogFields = {}): Log {
  const level = globalThis.process.env.PIPPIN_TEST_LOG;
  if (level === undefined) return silentLog;
  const line = (severity: string) => (message: string, fields?: LogFields) => {
    const text = JSON.stringify({ ...always, ...fields });
    globalThis.process.stderr.write(`${clock.monotonic()} ${process} ${severity} ${message} ${text}\n`);
  };
  return {
    debug: level === 'debug' ? line('debug') : () => undefined,
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    with: fields => testLog(process, clock, { ...always, ...fields }),
  };
}
