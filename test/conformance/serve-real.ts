// Keeps a real ground up while cases are written: `node test/conformance/serve-real.ts FILE`, until it is interrupted.

import { writeFileSync } from 'node:fs';
import { realGround } from './frame/real-ground.ts';

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write('usage: serve-real.ts FILE\n');
  process.exit(2);
}
const { url, caPem, adminToken, etcdUrl, ...ground } = await realGround();
writeFileSync(file, JSON.stringify({ url, caPem, adminToken, etcdUrl }), { mode: 0o600 });
process.stdout.write(`ready at ${url}; its address and token are in ${file}\n`);
const end = async (): Promise<void> => {
  await ground[Symbol.asyncDispose]();
  process.exit(0);
};
process.once('SIGINT', () => void end());
process.once('SIGTERM', () => void end());
