// The tree that the house rules judge: what git tracks or would track, texts only.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TextFile, Tree } from './rule.ts';
import { readSources, root } from './source.ts';

/** Reads the whole tree once. */
export function readTree(): Tree {
  return { sources: readSources(), texts: readTexts() };
}

function readTexts(): TextFile[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  return list.split('\0').flatMap(path => {
    const file = join(root, path);
    // A file can be listed and gone: deleted, and not yet committed.
    if (path === '' || !existsSync(file)) return [];
    const bytes = readFileSync(file);
    return bytes.subarray(0, 8000).includes(0) ? [] : [{ path, text: bytes.toString('utf8') }];
  });
}
