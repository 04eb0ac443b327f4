// Ages as kubectl shows them: `5s`, `3m10s`, `7h`, `12d`.

import { millisOf } from '../../base/clock.ts';

/** The age at `nowMs` of something that began at `time`. */
export function ageOf(time: string | undefined, nowMs: number): string {
  const began = millisOf(time);
  return Number.isNaN(began) ? '<unknown>' : humanDuration(nowMs - began);
}

/** Two units while they matter, then one. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(0, seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  return days(hours);
}

function days(hours: number): string {
  const whole = Math.floor(hours / 24);
  if (hours < 24 * 8) return pair(whole, 'd', hours % 24, 'h');
  if (whole < 365 * 2) return `${whole}d`;
  const years = Math.floor(whole / 365);
  return whole < 365 * 8 ? pair(years, 'y', whole % 365, 'd') : `${years}y`;
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}
