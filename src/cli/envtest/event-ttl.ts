// `--event-ttl` of kube-apiserver: how long Events stay, as a duration of Go.

import { goDurationProblem } from '../../apiserver/rules/go-duration.ts';
import { defineError } from '../../base/errors.ts';

const ttlInvalid = defineError('PIPPIN_E_ENVTEST_EVENT_TTL', {
  retry: 'never',
  remedy: 'Use a duration as Go writes them, like 1h or 90m',
  // In the words of the real program.
  says: (text: string, why: string) => `invalid argument ${JSON.stringify(text)} for "--event-ttl" flag: ${why}`,
});

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** In milliseconds; 0 is for ever. */
export function eventTtlOf(text: string): number {
  const problem = goDurationProblem(text);
  if (problem !== undefined) throw ttlInvalid(text, problem);
  if (text.startsWith('-')) throw ttlInvalid(text, 'it is negative');
  // Less than a millisecond counts as nothing.
  const parts = [...text.matchAll(/([\d.]+)([^.\d]*)/g)];
  return parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (UNIT_MS[unit] ?? 0), 0);
}
