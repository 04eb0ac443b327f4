// The program that is killed: the embedded API as `pippin apiserver` serves it, loaded first and started by a line on its input.

import process from 'node:process';
import { serveAlone } from '../../../src/fleet/serve-alone.ts';

const [dataDir = ''] = process.argv.slice(2);
const never = new AbortController();

process.umask(0o077);
process.stdin.on('end', () => process.exit());
process.stdin.once('data', () => {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  void serveAlone({ dataDir, port: 0, level: 'error', say }, never.signal);
});
