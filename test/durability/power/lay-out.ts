// A crash image as a folder: what a start after the crash finds.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** In place of an earlier one. */
export function layOut(image: ReadonlyMap<string, Buffer>, place: string): void {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  for (const [path, content] of image) writeFileSync(join(place, basename(path)), content);
}
