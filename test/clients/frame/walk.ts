// Walks one server through a tour and keeps what each command said, masked.

import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runLine, type Surroundings } from './command.ts';
import { masked } from './mask.ts';
import type { Side } from './sides.ts';
import type { ForeignClient, Topic, Walked } from './topic.ts';

/** A tour of command lines. */
export interface Tour {
  readonly name: string;
  /** In order: later ones use what earlier ones made. */
  readonly topics: readonly Topic[];
  /** A folder whose content is copied to where the commands run. */
  readonly files: string;
  /** What is on the PATH beside the system's own tools: name and place of each program. */
  readonly programs: Readonly<Record<string, string>>;
}

export const commandLine = (tour: Tour): ForeignClient => ({ ...tour, walk: side => walk(side, tour) });

async function walk(side: Side, tour: Tour): Promise<Walked> {
  const surroundings = prepared(side, tour);
  const walked = new Map<string, readonly string[]>();
  for (const { name, lines } of tour.topics) {
    const shown: string[] = [];
    for (const line of lines) shown.push(await shownBy(line, surroundings));
    walked.set(name, shown);
  }
  return walked;
}

async function shownBy(line: string, surroundings: Surroundings): Promise<string> {
  const { code, stdout, stderr } = await runLine(line, surroundings);
  const text = `$ ${line}\n${stdout}--- stderr\n${stderr}--- exit code ${code}\n`;
  return masked(text, { [surroundings.cwd]: '<folder>', [surroundings.env.HOME ?? '']: '<home>' });
}

/** A folder with the tour's files, and a PATH that leads to its programs. */
function prepared({ folder, kubeconfig }: Side, { files, programs }: Tour): Surroundings {
  const home = mkdtempSync(join(folder, 'tour-'));
  const cwd = join(home, 'here');
  const bin = join(home, 'bin');
  cpSync(files, cwd, { recursive: true });
  mkdirSync(bin);
  for (const [name, program] of Object.entries(programs)) symlinkSync(program, join(bin, name));
  const own = join(home, 'kubeconfig');
  cpSync(kubeconfig, own);
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, KUBECONFIG: own, TMPDIR: home, LC_ALL: 'C' };
  return { cwd, env };
}
