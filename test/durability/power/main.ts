// `npm run soak:power [-- --images N --seed S]`: 500 crash images unless told otherwise, then the mutant, which must fail.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { keepingSoak } from './keeping.ts';
import { seenSoak } from './seen.ts';
import { type PowerSummary, powerSoak } from './soak.ts';
import { straceMissing } from './strace.ts';

const { values } = parseArgs({
  options: { images: { type: 'string', default: '500' }, seed: { type: 'string', default: 'power' } },
});
const images = Number(values.images);
const folder = mkdtempSync(join(tmpdir(), 'pippin-soak-power-'));
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function tell(what: string, { steps, syncs, acknowledged, images: made, early, wrong }: PowerSummary): void {
  say(`${what}: ${steps} steps with ${syncs} syncs, ${acknowledged} writes acknowledged`);
  say(`  ${early.length} acknowledged before their sync; ${wrong.length} of ${made} crash images wrong`);
  for (const line of [...early.slice(0, 5), ...wrong.slice(0, 5)]) say(`    ${line}`);
}

async function main(): Promise<boolean> {
  const missing = straceMissing();
  if (missing !== undefined) throw new Error(missing);
  const onImage = (done: number): void => void (done % 100 === 0 && say(`${done} images`));
  const store = await powerSoak({ images, writes: 1600, seed: values.seed, folder, onImage });
  tell('the store', store);
  const mutant = await powerSoak({ images: 50, writes: 400, seed: values.seed, folder, mutant: 'without-sync' });
  tell('the mutant synchronous=OFF, which must fail', mutant);
  const kept = await keepingSoak({ images: Math.ceil(images / 5), folder });
  say(
    `backup and restore: ${kept.wrong.length} of ${kept.images} crash images wrong, ${kept.unfinished} finished by another`,
  );
  const seen = await seenSoak({ images: Math.ceil(images / 5), killedAt: 40, folder });
  say(`a kill before a sync, a start, a power cut: ${seen.wrong.length} crash images without what the start showed`);
  for (const line of [...kept.wrong.slice(0, 5), ...seen.wrong.slice(0, 5)]) say(`    ${line}`);
  return (
    seen.sawUnsynced &&
    store.early.length + store.wrong.length + kept.wrong.length + seen.wrong.length === 0 &&
    mutant.early.length > 0 &&
    mutant.wrong.length > 0
  );
}

try {
  const holds = await main();
  say(holds ? 'holds' : 'does not hold');
  process.exitCode = holds ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}
