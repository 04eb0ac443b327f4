// Killed between the writing of its log and the sync, then started again, then a power cut: what the start showed must be there (api-3).

import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../sim/time/random.ts';
import { sqliteStore } from '../../../src/adapters/sqlite/store.ts';
import type { Store } from '../../../src/apiserver/store.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { Disk } from './disk.ts';
import { layOut } from './lay-out.ts';
import { runTraced, type Step, stepsOf } from './strace.ts';

export interface SeenSummary {
  /** Whether the kill left in the log what was never synced: otherwise nothing is shown here. */
  readonly sawUnsynced: boolean;
  readonly wrong: readonly string[];
}

/** All that a client could see of the store, and where it is. */
export const contentOf = (store: Store): string =>
  JSON.stringify([store.revision, store.range('things')?.rows.map(row => [row.name, row.revision, row.object.token])]);

/** `killedAt`: the number of the sync before which the writer is killed, far behind those of its start. */
export async function seenSoak(soak: { images: number; killedAt: number; folder: string }): Promise<SeenSummary> {
  const data = mkdtempSync(join(soak.folder, 'seen-'));
  const file = join(data, 'api.db');
  const traced = async (name: string, args: readonly string[], killedAt?: number): Promise<readonly Step[]> => {
    const trace = `${data}.${name}`;
    const program = join(import.meta.dirname, name);
    runTraced({
      program,
      args: [file, ...args],
      nodeOptions: [],
      trace,
      ...(killedAt === undefined ? {} : { killedAt }),
    });
    return stepsOf(trace, data);
  };
  const written = await traced('writer.ts', ['seen', '100000'], soak.killedAt);
  const read = await traced('reader.ts', []);
  const disk = new Disk(data);
  for (const step of written) disk.take(step);
  const sawUnsynced = disk.isBehind(`${file}-wal`);
  const seen = untilSaid(
    read.map(step => after(written.length, step)),
    disk,
  );
  const random = seededRandom('seen');
  const wrong: string[] = [];
  for (let n = 0; n < soak.images; n += 1) {
    layOut(disk.image(random), join(soak.folder, 'seen-image'));
    const found = await contentIn(join(soak.folder, 'seen-image', 'api.db'));
    if (found !== seen)
      wrong.push(`seen was ${seen.slice(0, 40)}, after the power cut there is ${found.slice(0, 200)}`);
  }
  return { sawUnsynced, wrong };
}

/** A step of a trace that goes on where another has ended. */
const after = (steps: number, step: Step): Step =>
  step.kind === 'sync' ? { ...step, began: step.began + steps } : step;

/** The disk at the moment at which the reader said what it saw. */
function untilSaid(steps: readonly Step[], disk: Disk): string {
  for (const step of steps) {
    if (step.kind === 'say') return step.line;
    disk.take(step);
  }
  throw new Error('the reader said nothing');
}

async function contentIn(file: string): Promise<string> {
  try {
    const store = sqliteStore(file);
    const content = contentOf(store);
    await store.close();
    return content;
  } catch (error) {
    return messageOf(error);
  }
}
