// Walks one server through the tour and keeps what each command said, masked.

import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { binaryPath } from '../../../scripts/kube/binaries.ts';
import { runLine, type Surroundings } from '../frame/command.ts';
import { masked } from '../frame/mask.ts';
import type { Side } from '../frame/sides.ts';
import type { Topic } from './topic.ts';

/** By topic: what each of its lines said. */
export type Walked = ReadonlyMap<string, readonly string[]>;

export async function walk(side: Side, topics: readonly Topic[]): Promise<Walked> {
  const surroundings = prepared(side);
  const walked = new Map<string, readonly string[]>();
  for (const { name, lines } of topics) {
    const shown: string[] = [];
    for (const line of lines) shown.push(await shownBy(line, side, surroundings));
    walked.set(name, shown);
  }
  return walked;
}

async function shownBy(line: string, side: Side, surroundings: Surroundings): Promise<string> {
  const { code, stdout, stderr } = await runLine(line, surroundings);
  const text = `$ ${line}\n${stdout}--- stderr\n${stderr}--- exit code ${code}\n`;
  return masked(text, { [surroundings.cwd]: '<folder>', [side.folder]: '<home>' });
}

/** A folder with the tour's files, and a PATH that leads to the kubectl of the pinned version. */
function prepared({ folder, kubeconfig }: Side): Surroundings {
  const cwd = join(folder, 'tour');
  const bin = join(folder, 'bin');
  cpSync(join(import.meta.dirname, 'files'), cwd, { recursive: true });
  mkdirSync(bin);
  symlinkSync(binaryPath('kubectl'), join(bin, 'kubectl'));
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, KUBECONFIG: kubeconfig, TMPDIR: folder, LC_ALL: 'C' };
  return { cwd, env };
}
