// The bundles that a manager puts on Macs, from files: read when they are sent, known by their digest from the start.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { defineError, messageOf } from '../base/errors.ts';
import type { Artifact } from '../mac/artifacts.ts';

const artifactUnusable = defineError('PIPPIN_E_ARTIFACT_UNUSABLE', {
  retry: 'never',
  remedy:
    'Give the flag the path of a gzipped tar: tart.app at the top of one, an executable `agent` at the top of the other',
  says: (flag: string, file: string, why: string) => `${flag} ${file} cannot be used: ${why}`,
});

/** Rejects when the file cannot be read or is no gzip: better at the start than on the first Mac. */
export async function artifactFile(flag: string, file: string): Promise<Artifact> {
  const content = await readFile(file).catch((error: unknown) => {
    throw artifactUnusable.causedBy(error, flag, file, messageOf(error));
  });
  if (content[0] !== 0x1f || content[1] !== 0x8b) throw artifactUnusable(flag, file, 'it is not gzipped');
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return { digest, bytes: () => readFile(file) };
}
