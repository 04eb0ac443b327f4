// How our programs become one file each: for Node, with everything inside but Node's own modules.

import { resolve } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** Some packages are CommonJS and use what a module does not have: `require` for Node's own modules, and their folder. */
const BANNER = [
  `import { createRequire as requireFrom } from 'node:module';`,
  'const require = requireFrom(import.meta.url);',
  'const { filename: __filename, dirname: __dirname } = import.meta;',
].join(' ');

export const BUNDLE_OPTIONS = {
  absWorkingDir: resolve(import.meta.dirname, '..'),
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // ssh2 works without its native part, and a signed Node may not load one (design section 9).
  loader: { '.node': 'empty' },
  // ssh2 asks for it in a try, and it is nothing but native.
  external: ['cpu-features'],
  banner: { js: BANNER },
  legalComments: 'linked',
  logLevel: 'warning',
} satisfies BuildOptions;
