// A CPU profile of this process, from when the managers start: what the floor costs is not in it.

import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import process from 'node:process';

/** Answers what ends it: that leaves the profile in the folder. */
export async function startProfile(folder: string): Promise<() => Promise<void>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(join(folder, `metal-${process.pid}.cpuprofile`), JSON.stringify(profile));
  };
}
