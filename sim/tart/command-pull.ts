// `tart pull` in real time: one per registry host, resumable, told line by line.

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TartHome } from './home.ts';
import { lock } from './locks.ts';
import { type Answer, refused, said } from './model.ts';
import { parseRemoteName } from './names.ts';
import { digestOf, lookUp, type Manifest, type Registry } from './registry.ts';
import { finishPull, registryRefused, startPull } from './verbs.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);

export async function pull(home: TartHome, registry: Registry, ref: string): Promise<Answer> {
  const name = parseRemoteName(ref);
  if (name === undefined) return said(`"${ref}" is a local image, nothing to pull here!\n`);

  say(`pulling ${ref}...`);
  const unlockHost = await lock(home.lockPath(`registry ${name.host}`), () => say('waiting for lock...'));
  const found = lookUp(registry, ref);
  if (found.kind === 'failed') return refused(1, registryRefused(found.httpStatus));

  say('pulling manifest...');
  const start = startPull(home, ref, found.manifest);
  if (start.kind === 'answer') return start.answer;
  await transfer(home, ref, found.manifest);
  finishPull(home, ref, found.manifest);
  unlockHost();
  return said();
}

/** What has arrived is kept beside a lock: a killed pull goes on where it stopped, unless another command swept it. */
async function transfer(home: TartHome, ref: string, manifest: Manifest): Promise<void> {
  const key = digestOf(ref).slice(-32);
  const dir = home.unfinishedPull(key);
  const unlock = await lock(home.lockPath(`pull-${key}`));
  mkdirSync(dir, { recursive: true });
  const progress = join(dir, 'percent');

  say(`pulling disk (${manifest.sizeGb.toFixed(1)} GB compressed)...`);
  for (let percent = existsSync(progress) ? Number(readFileSync(progress, 'utf8')) : 0; percent <= 100; percent++) {
    say(`${percent}%`);
    writeFileSync(`${progress}.new`, String(percent));
    renameSync(`${progress}.new`, progress);
    if (percent < 100) await sleep(manifest.pullSeconds * 10);
  }
  say('pulling NVRAM...');
  rmSync(dir, { recursive: true, force: true });
  unlock();
}
