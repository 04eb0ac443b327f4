// `npm run soak:metal`: ten thousand random sequences on as many processes as there are processors. `-- --batch N` plays one batch again.

import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { playBatch, SEQUENCES_OF_A_BATCH } from './play.ts';

const { values } = parseArgs({
  options: {
    sequences: { type: 'string', default: '10000' },
    batch: { type: 'string' },
    part: { type: 'string' },
  },
});
const batches = Math.ceil(Number(values.sequences) / SEQUENCES_OF_A_BATCH);

interface Played {
  readonly batch: number;
  readonly violations: readonly string[];
}

async function worker(part: number, parts: number): Promise<void> {
  for (let batch = part; batch < batches; batch += parts) {
    const played: Played = { batch, violations: await playBatch(batch) };
    process.send?.(played);
  }
  process.disconnect();
}

async function all(): Promise<void> {
  const startedMs = performance.now();
  const parts = availableParallelism();
  let done = 0;
  let violated = 0;
  const add = ({ batch, violations }: Played): void => {
    done++;
    if (violations.length > 0) violated++;
    for (const each of violations) process.stdout.write(`${each}\n  again: npm run soak:metal -- --batch ${batch}\n`);
    if (done % 50 === 0) process.stdout.write(`  ${done * SEQUENCES_OF_A_BATCH} sequences\n`);
  };
  await Promise.all(
    Array.from({ length: parts }, (_, part) => {
      const argv = ['--sequences', values.sequences, '--part', `${part}/${parts}`];
      const child = fork(import.meta.filename, argv);
      child.on('message', message => add(message as Played));
      return new Promise<void>((resolve, reject) => {
        child.once('exit', code => (code === 0 ? resolve() : reject(new Error(`a worker ended with ${code}`))));
      });
    }),
  );
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  process.stdout.write(`${done * SEQUENCES_OF_A_BATCH} sequences in ${seconds} s, ${violated} violated\n`);
  if (violated > 0 || done < batches) process.exitCode = 1;
}

if (values.batch !== undefined) {
  const violations = await playBatch(Number(values.batch));
  process.stdout.write(`${violations.join('\n') || 'nothing is held twice, and nothing is left'}\n`);
  if (violations.length > 0) process.exitCode = 1;
} else if (values.part !== undefined) {
  const [part = 0, parts = 1] = values.part.split('/').map(Number);
  await worker(part, parts);
} else await all();
