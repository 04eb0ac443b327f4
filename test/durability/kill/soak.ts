// Kills the API server in the middle of its work, again and again, and compares each restart with all that its clients saw.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../sim/time/random.ts';
import type { Random } from '../../../src/base/random.ts';
import { Books } from './books.ts';
import { Load } from './load.ts';
import { bundleServer, Victim } from './victim.ts';

export interface KillSoak {
  readonly kills: number;
  /** Between one acknowledgement and so many a kill comes. */
  readonly mostWrites?: number;
  readonly seed: string;
  /** Everything is kept below it. */
  readonly folder: string;
  readonly onKill: (summary: KillSummary) => void;
}

export interface KillSummary {
  /** While at least one write was under way. */
  kills: number;
  /** More kills: while the server was starting on what the kill before had left. */
  killsInStart: number;
  acknowledged: number;
  /** Writes that were under way at a kill: each may have happened or not. */
  cutOff: number;
  events: number;
  revision: number;
  violations: readonly string[];
}

const MOST_WRITES = 80;
/** One restart in so many is itself killed first. */
const START_KILLED = 8;

/** Ends early at the first violation. */
export async function killSoak(soak: KillSoak): Promise<KillSummary> {
  const { kills, seed, folder, mostWrites = MOST_WRITES } = soak;
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const random = seededRandom(seed);
  const books = new Books();
  const program = await bundleServer(folder);
  const load = (): Victim => new Victim(program, dataDir);
  const sum = {
    kills: 0,
    killsInStart: 0,
    acknowledged: 0,
    cutOff: 0,
    events: 0,
    revision: 0,
    violations: [] as string[],
  };
  let next = load();
  try {
    for (let life = 0; sum.kills < kills && books.violations.length === 0; life += 1) {
      if (life > 0 && random.below(START_KILLED) === 0) {
        await killInStart(next, random);
        sum.killsInStart += 1;
        next = load();
      }
      const victim = next;
      const url = await victim.serve();
      next = load();
      const lived = new Load(url, dataDir, { books, random: random.stream(`life ${life}`), life });
      await lived.judge();
      await killAtWork(victim, lived, { random, mostWrites });
      add(sum, lived, books);
      soak.onKill(sum);
    }
    const last = new Load(await next.serve(), dataDir, { books, random, life: -1 });
    await last.judge();
    return { ...sum, violations: books.violations };
  } finally {
    await next.kill();
  }
}

async function killAtWork(
  victim: Victim,
  load: Load,
  { random, mostWrites }: { random: Random; mostWrites: number },
): Promise<void> {
  const life = load.run();
  await Promise.race([load.acknowledgements(1 + random.below(mostWrites)), victim.endsByItself(), life]);
  // Some turns later: a kill right after an answer would always find the store in the same place.
  for (let turns = random.below(20); turns > 0; turns -= 1) await new Promise(resolve => setImmediate(resolve));
  await victim.kill();
  await life;
}

async function killInStart(victim: Victim, random: Random): Promise<void> {
  victim.begin();
  await new Promise(resolve => setTimeout(resolve, random.below(120)));
  await victim.kill();
}

function add(sum: KillSummary, { tally }: Load, books: Books): void {
  sum.kills += tally.inFlight > 0 ? 1 : 0;
  sum.acknowledged += tally.acknowledged;
  sum.cutOff += tally.inFlight;
  sum.events += tally.events;
  sum.revision = books.newest;
  sum.violations = books.violations;
}
