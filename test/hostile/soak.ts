// `npm run soak:hostile [-- --requests N --seed N]`: hostile requests by the million, with a word on how far it is.

import { parseArgs } from 'node:util';
import { attack } from './attack.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const requests = Number(values.requests);
const startedAt = Date.now();

const progress = (sent: number): void => {
  if (sent % 20_000 !== 0) return;
  process.stdout.write(`${sent} of ${requests} requests, ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
};
const { codes, broken, heapBytes, ready } = await attack({ requests, seed: Number(values.seed), progress });

for (const [code, count] of [...codes].sort(([a], [b]) => a - b)) process.stdout.write(`${code}: ${count}\n`);
const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
process.stdout.write(`heap after a tenth ${megabytes(heapBytes.early)}, at the end ${megabytes(heapBytes.late)}\n`);
process.stdout.write(`${broken.length} broken answers, ${ready ? 'still ready' : 'NOT READY'}\n`);
for (const each of broken.slice(0, 20)) process.stdout.write(`${each}\n`);
process.exitCode = broken.length === 0 && ready ? 0 : 1;
