// Every recorded call times every fault, and every watch event times every fault: numbered, so that each can be run again.

import type { CallFault, EventFault, Plan } from './fault-line.ts';
import type { Life } from './life.ts';
import { type Play, playMac } from './scenarios.ts';

export const CALL_FAULTS: readonly (readonly [name: string, fault: CallFault])[] = [
  ['crash-before', { kind: 'crash before' }],
  ['crash-after', { kind: 'crash after' }],
  ['answer-lost', { kind: 'answer lost' }],
  ['403', { kind: 'code', code: 403 }],
  ['404', { kind: 'code', code: 404 }],
  ['409', { kind: 'code', code: 409 }],
  ['500', { kind: 'code', code: 500 }],
  ['time-out', { kind: 'time-out' }],
];

const EVENT_FAULTS: readonly EventFault[] = ['dropped', 'doubled', 'late'];

/** One run of the matrix: `call:37:403`, `event:12:dropped`, `pair:5:88`, `swarm:7`. */
export type RunName = string;

/** The run without faults: what the others are compared with, and what says how many calls there are. */
export const baseline = (play: Play = playMac): Promise<Life> => play({});

export function runsOf({ calls, events }: Pick<Life, 'calls' | 'events'>): readonly RunName[] {
  return [
    ...calls.flatMap((_, n) => CALL_FAULTS.map(([name]) => `call:${n}:${name}`)),
    ...events.flatMap((_, n) => EVENT_FAULTS.map(fault => `event:${n}:${fault}`)),
  ];
}

/** Crashes before two different calls, spread over all pairs. */
export function pairsOf({ calls }: Pick<Life, 'calls'>, every: number): readonly RunName[] {
  const pairs: RunName[] = [];
  for (let first = 0; first < calls.length; first++) {
    for (let second = first + 1; second < calls.length; second++) {
      if ((first * 31 + second * 17) % every === 0) pairs.push(`pair:${first}:${second}`);
    }
  }
  return pairs;
}

export const swarmsOf = (count: number): readonly RunName[] => Array.from({ length: count }, (_, n) => `swarm:${n}`);

/** With watches alone: no wait on an API object sets a timer. With timers alone: no watch event arrives. */
export const STANDING: readonly RunName[] = ['standing:watches', 'standing:timers'];

/** Runs one by its name, with the oracles; the end is compared with the fault-free one. */
export async function runOne(name: RunName, faultFree: Life, play: Play = playMac): Promise<Life> {
  const [, seed] = /^swarm:(\d+)$/.exec(name) ?? [];
  const rechecks = name === 'standing:watches' ? ({ rechecks: 'outside only' } as const) : {};
  const life = await play(planOf(name), seed === undefined ? rechecks : { seed: `swarm ${seed}` });
  if (life.violations.length > 0 || life.end === faultFree.end) return life;
  return { ...life, violations: [`the end differs from the fault-free one: ${differenceOf(life.end, faultFree.end)}`] };
}

/** The plan that a name stands for. */
function planOf(name: RunName): Plan {
  const [what, first = '', second = ''] = name.split(':');
  if (what === 'call') {
    const fault = CALL_FAULTS.find(([each]) => each === second)?.[1];
    return { onCall: (_, n) => (n === Number(first) ? fault : undefined) };
  }
  if (what === 'event') {
    const fault = EVENT_FAULTS.find(each => each === second);
    return { onEvent: (_process, _label, n) => (n === Number(first) ? fault : undefined) };
  }
  if (what === 'pair') {
    return { onCall: (_, n) => (n === Number(first) || n === Number(second) ? { kind: 'crash before' } : undefined) };
  }
  if (what === 'standing') return first === 'timers' ? { onEvent: () => 'dropped' } : {};
  return swarm(Number(first));
}

/** Every 13th call or so gets some fault, for the first 400 calls; which ones, the seed decides. */
function swarm(seed: number): Plan {
  return {
    onCall: (_, n) => {
      const dice = (Math.imul(n + 1, 2_654_435_761) ^ Math.imul(seed + 1, 40_503)) >>> 0;
      if (n > 400 || dice % 13 !== 0) return undefined;
      return CALL_FAULTS[(dice >>> 8) % CALL_FAULTS.length]?.[1];
    },
  };
}

function differenceOf(end: string, expected: string): string {
  const have = end.split('\n');
  const want = expected.split('\n');
  const extra = have.filter(line => !want.includes(line)).map(line => `+ ${line}`);
  const missing = want.filter(line => !have.includes(line)).map(line => `- ${line}`);
  return [...extra, ...missing].join(', ') || 'the same lines, other counts';
}
