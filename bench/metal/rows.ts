// The rows of the bench's table, and what is asked of each.

import type { PlaceName } from './place.ts';
import type { Cost, PhaseName, Run } from './run.ts';
import { published } from './upstream.ts';

/** On the real API the servers' work is the same for the floor: what Pippin adds is to be less than half of it. */
const MOST_TIMES_FLOOR = 1.5;

/** In one process: so many times faster than upstream without its limits. */
const TIMES_UPSTREAM = 8;

const MOST_WRITES = 10;

/** By how much calls per claim may differ between sizes, and CPU per claim grow. */
const MOST_CALLS_GROWTH = 1.02;
const MOST_CPU_GROWTH = 1.25;

/** Below this a program is still warming up: its CPU per claim says nothing of growth. */
const FEWEST_FOR_CPU = 300;

export interface Row {
  readonly cells: readonly string[];
  /** Each asked figure, and whether it holds. */
  readonly asked: readonly { readonly what: string; readonly holds: boolean }[];
}

export const HEAD = [
  '',
  'pippin s',
  'floor s',
  'ratio',
  'asked',
  'writes/claim',
  'live reads',
  'relists',
  'aside',
  'passes/claim',
  'CPU ms/claim',
  'MiB',
  'upstream s (20/30, raised)',
  'verdict',
] as const;

export function rowsOf(place: PlaceName, run: Run): readonly Row[] {
  return (['create', 'delete'] as const).map(phase => rowOf(place, run, phase));
}

function rowOf(place: PlaceName, { claims, floor, ours }: Run, phase: PhaseName): Row {
  const [mine, bare] = [ours[phase], floor[phase]];
  const { cost } = mine;
  const ratio = mine.seconds / bare.seconds;
  const theirs = published(phase, claims);
  const asked = [...timeAsked(place, mine.seconds, { ratio, raised: theirs?.raised }), ...callsAsked(phase, cost)];
  const cells = [
    `${place}, ${claims} claims, ${phase}`,
    mine.seconds.toFixed(2),
    bare.seconds.toFixed(2),
    `${ratio.toFixed(2)}x`,
    asked.map(({ what }) => what).join(', '),
    cost?.writes.toFixed(2) ?? '',
    String(cost?.liveReads ?? ''),
    String(cost?.relists ?? ''),
    String(cost?.aside ?? ''),
    cost?.passes.toFixed(1) ?? '',
    cost?.cpuMs.toFixed(2) ?? '',
    cost?.residentMib.toFixed(0) ?? '',
    theirs === undefined ? '' : `${theirs.limited}, ${theirs.raised ?? '-'}`,
  ];
  return { cells, asked };
}

function timeAsked(
  place: PlaceName,
  seconds: number,
  { ratio, raised }: { readonly ratio: number; readonly raised: number | undefined },
): Row['asked'] {
  if (place === 'real') return [{ what: `<= ${MOST_TIMES_FLOOR}x`, holds: ratio <= MOST_TIMES_FLOOR }];
  return raised === undefined ? [] : [eightTimes(seconds, raised)];
}

/** A deletion takes ten writes, of which none can be spared: each holder takes its own finalizer off. */
function callsAsked(phase: PhaseName, cost: Cost | undefined): Row['asked'] {
  if (cost === undefined) return [];
  const noRead = { what: 'no live read', holds: cost.liveReads === 0 };
  if (phase === 'delete') return [noRead];
  return [{ what: `<= ${MOST_WRITES} writes`, holds: cost.writes <= MOST_WRITES }, noRead];
}

function eightTimes(seconds: number, upstream: number): Row['asked'][number] {
  const most = upstream / TIMES_UPSTREAM;
  return { what: `<= ${most.toFixed(1)} s`, holds: seconds <= most };
}

/** How the cost of a claim changes with their number. */
export function growthRows(place: PlaceName, runs: readonly Run[]): readonly Row[] {
  if (runs.length < 2) return [];
  return (['create', 'delete'] as const).flatMap(phase => {
    const costs = runs.flatMap(({ claims, ours }) => {
      const { cost } = ours[phase];
      return cost === undefined ? [] : [{ claims, calls: cost.writes + cost.liveReads / claims, cpuMs: cost.cpuMs }];
    });
    const calls = costs.map(cost => cost.calls);
    const warm = costs.filter(({ claims }) => claims >= FEWEST_FOR_CPU).map(({ cpuMs }) => cpuMs);
    const cpuGrowth = (warm.at(-1) ?? 0) / (warm[0] ?? 1);
    return [
      growth(`${place}, ${phase}: calls per claim, most to fewest`, Math.max(...calls) / Math.min(...calls), {
        most: MOST_CALLS_GROWTH,
      }),
      ...(warm.length < 2
        ? []
        : [growth(`${place}, ${phase}: CPU per claim, last to first`, cpuGrowth, { most: MOST_CPU_GROWTH })]),
    ];
  });
}

function growth(what: string, times: number, { most }: { readonly most: number }): Row {
  const asked = [{ what: `<= ${most}x`, holds: times <= most }];
  return { cells: [what, '', '', `${times.toFixed(3)}x`, `<= ${most}x`], asked };
}

export function teardownRow(claims: number, seconds: readonly number[], mostSeconds: number): Row {
  const worst = Math.max(...seconds);
  const asked = [{ what: `<= ${mostSeconds} s`, holds: worst <= mostSeconds }];
  const times = seconds.map(each => each.toFixed(2)).join(' ');
  return { cells: [`real, everything of ${claims} machines at once`, times, '', '', `<= ${mostSeconds} s`], asked };
}
