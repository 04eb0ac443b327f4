// `npm run bench:api`: the embedded API against kube-apiserver with etcd, in turn, with one client process for both.

import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { run } from '../run.ts';
import { PARTS, type Part, type Sizes } from './parts.ts';
import { tableOf } from './report.ts';
import type { Row } from './rows.ts';
import type { ServerName } from './servers.ts';

const FULL: Sizes = {
  pods: [5_000, 20_000],
  fanOut: 2_000,
  lists: 48,
  memory: [20_000, 100_000],
  few: 1_000,
  settleMs: 30_000,
};
const QUICK: Sizes = { pods: [2_000], fanOut: 300, lists: 16, memory: [5_000], few: 500, settleMs: 5_000 };

const HELP = `Usage: npm run bench:api -- [--only PART,...] [--quick] [--ours]
Parts: ${Object.keys(PARTS).join(', ')}
--quick  fewer objects: shows that it works, measures little
--ours   without the real control plane: no ratios
`;

interface Asked {
  readonly parts: readonly Part[];
  readonly sizes: Sizes;
  readonly servers: readonly ServerName[];
}

/** Throws what is wrong with the arguments. */
function asked(): Asked {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean' },
      ours: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) return { parts: [], sizes: QUICK, servers: [] };
  const names = values.only?.split(',') ?? Object.keys(PARTS);
  const unknown = names.find(name => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`there is no part "${unknown}": ${Object.keys(PARTS).join(', ')}`);
  const parts = names.flatMap(name => PARTS[name] ?? []);
  return {
    parts,
    sizes: values.quick === true ? QUICK : FULL,
    servers: values.ours === true ? ['pippin'] : ['pippin', 'kube-apiserver'],
  };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const load = (): string => loadavg()[0]?.toFixed(1) ?? '';

async function measure({ parts, sizes, servers }: Asked): Promise<number> {
  if (parts.length === 0) say(HELP);
  const rows: Row[] = [];
  for (const part of parts) {
    say(`${part.title} (load of this machine now: ${load()})`);
    rows.push(...(await part.run(sizes, servers, say)));
  }
  if (rows.length === 0) return 0;
  const { text, failed } = tableOf(rows);
  say(`\n${text}\nload of this machine at the end: ${load()}`);
  return failed > 0 ? 1 : 0;
}

await run(asked, measure);
