// `npm run soak:move`: clusterctl is killed after every write of a move, or after an even sample of them; it ends at the first fault, and says how many it tried.

import { parseArgs } from 'node:util';
import { exitOnSignals } from '../../exit-on-signals.ts';
import { Journey } from './journey.ts';
import { evenly } from './moves.ts';

const { values } = parseArgs({
  options: {
    real: { type: 'boolean', default: false },
    machines: { type: 'string', default: '10' },
    sample: { type: 'string', default: 'all' },
  },
});

async function soak(): Promise<void> {
  const journey = await Journey.begin(values.real ? 'real' : 'embedded', Number(values.machines));
  try {
    await journey.move();
    const { run } = await journey.move();
    const total = run.writes.length;
    const count = values.sample === 'all' ? total : Math.min(Number(values.sample), total);
    console.log(`${values.machines} machines, ${total} writes of clusterctl; it is killed after ${count} of them`);
    for (const { name, when } of evenly(count, total)) {
      const moved = await journey.move(when());
      console.log(`${name}, ${moved.run.writes.at(-1)}: moved, ${moved.seconds} s`);
    }
    console.log(`killed ${count} times: nothing lost, no host installed again`);
  } finally {
    await journey.close();
  }
}

exitOnSignals();
await soak();
