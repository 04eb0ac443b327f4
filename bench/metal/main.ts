// `npm run bench:metal`: claims, data and addresses through Pippin against a bare client that makes the same writes.

import { cpus, loadavg, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { run } from '../run.ts';
import { type Options, PARTS, type Part } from './parts.ts';
import type { Row } from './rows.ts';
import { tableOf } from './table.ts';

const FULL = {
  sizes: [100, 300, 1_000, 3_000, 10_000],
  teardowns: [
    { machines: 10, times: 5, mostSeconds: 2 },
    { machines: 1_000, times: 1, mostSeconds: 30 },
  ],
};
const QUICK = { sizes: [30, 100], teardowns: [{ machines: 10, times: 2, mostSeconds: 2 }] };

const HELP = `Usage: npm run bench:metal -- [--only PART,...] [--sizes N,...] [--quick] [--ours] [--profile FOLDER]
Parts: ${Object.keys(PARTS).join(', ')}
--sizes    numbers of claims, growing; ${FULL.sizes.join(',')} unless told otherwise
--quick    few claims: shows that it works, measures little
--ours     without the real control plane: the embedded API alone
--profile  keeps a CPU profile of each program with the managers
`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const load = (): string => loadavg()[0]?.toFixed(1) ?? '';

function asked(): { readonly parts: readonly Part[]; readonly options: Options } {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      sizes: { type: 'string' },
      profile: { type: 'string' },
      quick: { type: 'boolean' },
      ours: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const usual = values.quick === true ? QUICK : FULL;
  const sizes = values.sizes === undefined ? usual.sizes : values.sizes.split(',').map(Number);
  const profile = values.profile === undefined ? {} : { profileTo: values.profile };
  const options = { ...usual, sizes, ...profile, say };
  if (values.help === true) return { parts: [], options };
  const names = values.only?.split(',') ?? (values.ours === true ? ['embedded'] : Object.keys(PARTS));
  const unknown = names.find(name => !Object.hasOwn(PARTS, name));
  if (unknown !== undefined) throw new Error(`there is no part "${unknown}": ${Object.keys(PARTS).join(', ')}`);
  return { parts: names.flatMap(name => PARTS[name] ?? []), options };
}

async function measure({ parts, options }: ReturnType<typeof asked>): Promise<number> {
  if (parts.length === 0) say(HELP);
  else
    say(
      `${cpus().length} cores (${cpus()[0]?.model}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`,
    );
  const rows: Row[] = [];
  for (const part of parts) {
    say(`${part.title} (load of this machine now: ${load()})`);
    rows.push(...(await part.run(options)));
  }
  if (rows.length === 0) return 0;
  const { text, failed } = tableOf(rows);
  say(`\n${text}\nload of this machine at the end: ${load()}`);
  return failed > 0 ? 1 : 0;
}

await run(asked, measure);
