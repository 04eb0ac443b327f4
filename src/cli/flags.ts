// How flags are read that several commands have; a value that makes no sense is refused by the flag's name.

import { InvalidArgumentError } from 'commander';
import type { LogLevel } from '../adapters/system/log.ts';
import { usageError } from './errors.ts';

export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A whole number, 0 or more.');
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `30m`, `1h30m`, `90s`, as Go programs take them; `0` needs no unit. */
export function durationMs(text: string): number {
  if (text === '0') return 0;
  if (!/^(\d+(ms|s|m|h))+$/.test(text)) throw new InvalidArgumentError('A duration like 30m, 90s or 1h30m.');
  const parts = [...text.matchAll(/(\d+)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
}

export function levelOf(text: string): LogLevel {
  if (text === 'debug' || text === 'info' || text === 'warn' || text === 'error') return text;
  throw usageError(`--log-level is debug, info, warn or error, not "${text}"`);
}
