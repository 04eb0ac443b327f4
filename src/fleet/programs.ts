// Which files Pippin starts as processes of their own: sources in a clone, bundles beside this one when installed.

import { dirname, join, resolve } from 'node:path';

/** By name, from the root of the clone. `npm run bundle` makes `NAME.mjs` of each. */
export const PROGRAMS = {
  /** The whole command line. */
  pippin: 'src/cli/main.ts',
  /** The double of tart: what its `tart` script calls. */
  tart: 'sim/tart/command.ts',
} as const;

export type ProgramName = keyof typeof PROGRAMS;

const here = import.meta.filename;
const isBundled = here.endsWith('.mjs');

/** The absolute path of a program, to hand to Node. */
export function programFile(name: ProgramName): string {
  return isBundled ? join(dirname(here), `${name}.mjs`) : resolve(dirname(here), '../..', PROGRAMS[name]);
}
