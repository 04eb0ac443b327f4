// What no tracked file may say: where somebody's machine keeps things, and from which registry it installs.

import type { Finding, Rule } from '../rule.ts';

/** Spelled in parts, or this file would find itself. */
const any = (...words: readonly string[]): string => words.join('|');
const HOSTS = new RegExp(
  any(
    'registry[.]npmjs',
    'npmjs[.](?:org|com)',
    'proxy[.]golang',
    'sum[.]golang',
    'pypi[.]org',
    'deb[.]debian',
    'artifactory',
    'verdaccio',
  ),
  'i',
);
const MACHINE_PATH = /(?:^|[\s"'`(=:,])\/(?:work|workspace|root|home\/[a-z]\w*)\//;

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [HOSTS, 'a registry host: package managers know theirs, leave it out'],
  [MACHINE_PATH, 'a path of one machine: make it relative to the repository, or a temporary folder'],
  [/"resolved":/, 'a resolved address: write the lock file with omit-lockfile-registry-resolved'],
];

export const leaks: Rule = {
  name: 'leaks',
  holds: 'no tracked file names a machine or a registry',
  check: ({ texts }) =>
    texts.flatMap(({ path, text }) =>
      path.startsWith('test/house/') ? [] : text.split('\n').flatMap((line, i) => inLine(path, line, i + 1)),
    ),
};

function inLine(path: string, text: string, line: number): Finding[] {
  return PATTERNS.flatMap(([pattern, says]) => (pattern.test(text) ? [{ path, line, says }] : []));
}
