// The page on moving, as tests run it: its command lines, in the order in which a reader meets them.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/metal-move.md'), 'utf8');

const [moving = '', mending = '', goingOn = '', ...others] = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);
if (goingOn === '' || others.length > 0) throw new Error('the page on moving has not three blocks of commands');

/** `moving` moves; after an interruption `mending` comes before it is run again, and `goingOn` after. */
export const COMMANDS = { moving, mending, goingOn };
