// Crash images of a backup and a restore: a backup has its name when it is whole, and a restore is done, undone or to be run again.

import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../sim/time/random.ts';
import { restoreUnfinished } from '../../../src/adapters/sqlite/errors.ts';
import { restoreBackup } from '../../../src/adapters/sqlite/restore.ts';
import { sqliteStore } from '../../../src/adapters/sqlite/store.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { Disk } from './disk.ts';
import { layOut } from './lay-out.ts';
import { isWrite } from './said.ts';
import { runTraced, stepsOf } from './strace.ts';

const OBJECTS = 40;
/** Where a restore lets revisions go on: far above all that the store has had. */
const RESTORED_FROM = 1_000_000_000;

export interface KeepingSummary {
  readonly images: number;
  /** In how many the restore was found half done, refused by name, and finished by another. */
  readonly unfinished: number;
  readonly wrong: readonly string[];
}

export async function keepingSoak({ images, folder }: { images: number; folder: string }): Promise<KeepingSummary> {
  const data = mkdtempSync(join(folder, 'keep-'));
  const trace = `${data}.trace`;
  const program = join(import.meta.dirname, 'keeper.ts');
  runTraced({ program, args: [data, String(OBJECTS)], nodeOptions: [], trace });
  const steps = await stepsOf(trace, data);
  const first = steps.findIndex(step => step.kind === 'say');
  const every = Math.max(1, Math.floor((steps.length - first) / images));
  const [disk, random, said] = [new Disk(data), seededRandom('keeping'), new Set<string>()];
  const wrong: string[] = [];
  let [made, unfinished] = [0, 0];
  for (const [at, step] of steps.entries()) {
    disk.take(step);
    if (step.kind === 'say') said.add(step.line);
    if (at < first || at % every !== 0) continue;
    const place = join(folder, 'kept-image');
    layOut(disk.image(random), place);
    const outcome = await outcomeOf(place, said);
    made += 1;
    if (outcome === 'unfinished') unfinished += 1;
    else if (outcome !== 'whole') wrong.push(`cut after step ${at} of ${steps.length}: ${outcome}`);
  }
  return { images: made, unfinished, wrong };
}

/** `whole`, `unfinished`, or what is wrong. */
async function outcomeOf(place: string, said: ReadonlySet<string>): Promise<string> {
  const [store, backup] = [join(place, 'api.db'), join(place, 'kept.backup')];
  if (said.has('backed up') && !existsSync(backup)) return 'the backup is gone';
  try {
    if (existsSync(backup)) restored(backup, join(place, 'elsewhere.db'));
    const trouble = await troubleIn(store, said);
    if (trouble !== undefined) return trouble;
    if (said.has('restored') && readFileSync(join(place, 'key'), 'utf8') !== 'secret') return 'the key is gone';
    return 'whole';
  } catch (error) {
    if (!restoreUnfinished.is(error) || said.has('restored')) return messageOf(error);
    restored(backup, store);
    return (await troubleIn(store, new Set(['restored']))) ?? 'unfinished';
  }
}

function restored(backup: string, store: string): void {
  restoreBackup({ backup, store, nowMs: 0, onProgress: () => undefined, putSecrets: () => undefined });
}

/** All objects are there, whichever side of the restore the store is on. */
async function troubleIn(file: string, said: ReadonlySet<string>): Promise<string | undefined> {
  const store = sqliteStore(file);
  const rows = store.range('things')?.rows ?? [];
  const { revision } = store;
  await store.close();
  if (rows.length !== OBJECTS) return `it holds ${rows.length} objects`;
  if (rows.some(row => !isWrite(row.object, Number(row.name.slice(1))))) return 'an object is not as it was written';
  return said.has('restored') && revision < RESTORED_FROM ? `it goes on at revision ${revision}` : undefined;
}
