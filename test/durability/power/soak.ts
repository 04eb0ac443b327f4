// From one trace of a store under load: every crash that its syncs allow, and what the store makes of each (api-3).

import { mkdtempSync } from 'node:fs';
import { basename, join } from 'node:path';
import { seededRandom } from '../../../sim/time/random.ts';
import { sqliteStore } from '../../../src/adapters/sqlite/store.ts';
import { messageOf } from '../../../src/base/errors.ts';
import type { Random } from '../../../src/base/random.ts';
import { Disk } from './disk.ts';
import { layOut } from './lay-out.ts';
import { isWrite, type Said } from './said.ts';
import { runTraced, type Step, stepsOf } from './strace.ts';

export interface PowerSoak {
  readonly images: number;
  readonly writes: number;
  readonly seed: string;
  /** Traces and images are below it. */
  readonly folder: string;
  readonly mutant?: 'without-sync';
  readonly onImage?: (done: number) => void;
}

export interface PowerSummary {
  readonly steps: number;
  readonly syncs: number;
  readonly acknowledged: number;
  readonly images: number;
  /** Acknowledgements that were said before what they acknowledge was on disk. */
  readonly early: readonly string[];
  /** Images that did not open, lost an acknowledged write, or held what nobody wrote. */
  readonly wrong: readonly string[];
}

export async function powerSoak(soak: PowerSoak): Promise<PowerSummary> {
  const data = mkdtempSync(join(soak.folder, 'data-'));
  const trace = join(soak.folder, `${basename(data)}.trace`);
  const nodeOptions = soak.mutant === undefined ? [] : ['--import', join(import.meta.dirname, `${soak.mutant}.ts`)];
  const args = [join(data, 'api.db'), soak.seed, String(soak.writes)];
  runTraced({ program: join(import.meta.dirname, 'writer.ts'), args, nodeOptions, trace });
  const steps = await stepsOf(trace, data);
  return judged(steps, data, soak);
}

async function judged(steps: readonly Step[], data: string, soak: PowerSoak): Promise<PowerSummary> {
  const random = seededRandom(`${soak.seed} images`);
  const written = steps.flatMap(saidIn);
  const cuts = cutsAmong(steps, soak.images, random);
  const disk = new Disk(data);
  const [early, wrong]: [string[], string[]] = [[], []];
  let [acknowledged, done] = [0, 0];
  for (const [at, step] of steps.entries()) {
    disk.take(step);
    for (const said of saidIn(step)) {
      if (!disk.keeps(said.seq)) early.push(`write ${said.seq} (revision ${said.revision}) at step ${at}`);
      acknowledged = Math.max(acknowledged, said.revision);
    }
    for (let n = cuts.get(at) ?? 0; n > 0; n -= 1) {
      const trouble = await troubleOf(disk.image(random), { acknowledged, written, folder: soak.folder });
      if (trouble !== undefined) wrong.push(`cut after step ${at} of ${steps.length}: ${trouble}`);
      done += 1;
      soak.onImage?.(done);
    }
  }
  const syncs = steps.filter(({ kind }) => kind === 'sync').length;
  return { steps: steps.length, syncs, acknowledged: written.length, images: done, early, wrong };
}

const saidIn = (step: Step): readonly Said[] => (step.kind === 'say' ? [JSON.parse(step.line) as Said] : []);

/** How many images are made after which step: half of them anywhere, half where a sync or a name's change is near. */
function cutsAmong(steps: readonly Step[], images: number, random: Random): ReadonlyMap<number, number> {
  const turns = [...steps.keys()].filter(at => !/^(write|say)$/.test(steps[at]?.kind ?? ''));
  const cuts = new Map<number, number>();
  for (let n = 0; n < images; n += 1) {
    const turn = turns[random.below(turns.length)] ?? 0;
    const at = n % 2 === 0 ? random.below(steps.length) : Math.max(0, turn - random.below(2));
    cuts.set(at, (cuts.get(at) ?? 0) + 1);
  }
  return cuts;
}

interface Expected {
  readonly acknowledged: number;
  readonly written: readonly Said[];
  readonly folder: string;
}

/** Opens the image as a start after the crash would. */
async function troubleOf(image: ReadonlyMap<string, Buffer>, expected: Expected): Promise<string | undefined> {
  const folder = join(expected.folder, 'image');
  layOut(image, folder);
  try {
    const store = sqliteStore(join(folder, 'api.db'));
    const found = store.range('things')?.rows ?? [];
    const { revision } = store;
    await store.close();
    return differenceOf(new Map(found.map(row => [row.name, row.object])), revision, expected);
  } catch (error) {
    return messageOf(error);
  }
}

/** The image must be the state at some revision, whole, and that revision must not be before an acknowledged one. */
function differenceOf(
  found: ReadonlyMap<string, Parameters<typeof isWrite>[0]>,
  revision: number,
  { acknowledged, written }: Expected,
): string | undefined {
  if (revision < acknowledged) return `it ends at revision ${revision}, but ${acknowledged} was acknowledged`;
  const then = new Map<string, number>();
  for (const { name, seq, removed } of written.filter(said => said.revision <= revision).sort(byRevision)) {
    if (removed) then.delete(name);
    else then.set(name, seq);
  }
  const missing = [...then].find(([name, seq]) => !isWrite(found.get(name) ?? {}, seq));
  if (missing !== undefined) return `at revision ${revision} ${missing[0]} is not as write ${missing[1]} left it`;
  return found.size === then.size
    ? undefined
    : `at revision ${revision} it holds ${found.size} objects, not ${then.size}`;
}

const byRevision = (a: Said, b: Said): number => a.revision - b.revision;
