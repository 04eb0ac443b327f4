// The parts of the bench: which load is put on each server, and what is asked of the figures.

import { Load, type Run } from './load.ts';
import * as pods from './pods.ts';
import { residentMib } from './resources.ts';
import { type Figure, paired, perSecond, type Row } from './rows.ts';
import { type Server, type ServerName, startServer } from './servers.ts';

export interface Sizes {
  /** Numbers of Pods at which the verbs are measured. */
  readonly pods: readonly number[];
  /** Patches whose events are waited for. */
  readonly fanOut: number;
  readonly lists: number;
  /** Numbers of Pods at which memory is measured, growing. */
  readonly memory: readonly number[];
  /** What counts as few objects, for the cost of a write. */
  readonly few: number;
  /** How long after the last write memory is looked at. */
  readonly settleMs: number;
}

export interface Part {
  readonly title: string;
  run(sizes: Sizes, servers: readonly ServerName[], say: (line: string) => void): Promise<readonly Row[]>;
}

type Figures = Map<string, Figure>;

const LISTED = 5_000;
const WATCHERS = 20;
const MANY_WATCHERS = 200;
/** Writes over which the cost of one is measured. */
const SAMPLE = 2_000;
const START_MS = 1_000;

/** Each server in turn, afresh, ended before the next begins. */
async function onEach(
  servers: readonly ServerName[],
  work: (server: Server, load: Load) => Promise<Figures>,
): Promise<Map<ServerName, Figures>> {
  const figures = new Map<ServerName, Figures>();
  for (const name of servers) {
    const server = await startServer(name);
    const load = new Load(server.target, server.pids);
    try {
      await load.open();
      figures.set(name, await work(server, load));
    } finally {
      load.close();
      await server.stop();
    }
  }
  return figures;
}

const TIMES: Readonly<Record<string, number>> = { create: 3, get: 3, list: 3, merge: 4, status: 4, delete: 4 };

/** Is told each figure as soon as it is known: a run takes many minutes. */
type Told = (what: string, figure: Figure) => void;

async function verbs(count: number, lists: number, load: Load, told: Told): Promise<Figures> {
  const figures: Figures = new Map();
  const row = async (name: string, times: number, make: Parameters<Load['run']>[1]): Promise<void> => {
    // Anew for each: a server lets go of watchers that it was too slow for.
    await load.watch(WATCHERS);
    const figure = perSecond(await load.run(times, make));
    told(name, figure);
    figures.set(name, figure);
  };
  await row('create', count, pods.create);
  await row('get', count, pods.get);
  await row(`list of ${Math.min(count, LISTED)}`, lists, () => pods.list(LISTED));
  await row('merge patch', count, n => pods.mergePatch(n, 1));
  await row('status patch', count, n => pods.statusPatch(n, 1));
  await row('delete', count, pods.remove);
  return figures;
}

const verbsPart: Part = {
  title: 'Verbs, 16 clients, 20 watchers',
  run: async (sizes, servers, say) => {
    const rows: Row[] = [];
    for (const count of sizes.pods) {
      const figures = await onEach(servers, ({ name }, load) => {
        const told: Told = (what, { value }) => say(`  ${name}, ${count} Pods: ${what} ${Math.round(value)}/s`);
        return verbs(count, sizes.lists, load, told);
      });
      const about = (name: string): Pick<Row, 'unit' | 'target'> => {
        const times = TIMES[name.split(' ')[0] ?? ''] ?? 3;
        return { unit: '/s', target: { better: 'more', times } };
      };
      rows.push(...paired(figures, about).map(row => ({ ...row, name: `${row.name}, ${count} Pods` })));
    }
    return rows;
  },
};

const eventsPart: Part = {
  title: 'Events delivered, merge patches by 16 clients',
  run: async (sizes, servers) => {
    const figures = await onEach(servers, async (_, load) => {
      await load.run(sizes.fanOut, pods.create);
      // Both servers are warm for what is counted.
      await load.run(sizes.fanOut, n => pods.mergePatch(n, MANY_WATCHERS));
      const found: Figures = new Map();
      for (const [round, watchers] of [WATCHERS, MANY_WATCHERS].entries()) {
        await load.watch(watchers);
        const run = await load.deliver(sizes.fanOut, n => pods.mergePatch(n, round));
        const lost = load.lost();
        found.set(`events, ${watchers} watchers`, {
          ...perSecond(run),
          ...(lost === 0 ? {} : { note: `${lost} dropped` }),
        });
      }
      return found;
    });
    return paired(figures, name =>
      name.includes(String(MANY_WATCHERS)) ? { unit: '/s', target: { better: 'more', times: 3 } } : { unit: '/s' },
    );
  },
};

const memoryPart: Part = {
  title: 'Resident memory',
  run: async (sizes, servers) => {
    const figures = await onEach(servers, async ({ pids }, load) => {
      const found: Figures = new Map();
      await load.watch(WATCHERS);
      let made = 0;
      for (const count of sizes.memory) {
        const from = made;
        await load.run(count - made, n => pods.create(n + from));
        made = count;
        await new Promise(resolve => setTimeout(resolve, sizes.settleMs));
        found.set(`memory, ${count} Pods`, { value: residentMib(pids) });
      }
      return found;
    });
    return paired(figures, () => ({ unit: 'MiB', target: { better: 'less', times: 4 } }));
  },
};

const costPart: Part = {
  title: 'Cost of a write, among few objects and among many',
  run: async (sizes, servers, say) => {
    const many = sizes.memory.at(-1) ?? sizes.few;
    const figures = await onEach(servers, async (_, load) => {
      const costs: number[] = [];
      let made = 0;
      for (const count of [sizes.few, many]) {
        const from = made;
        await load.run(count - made, n => pods.create(n + from));
        made = count;
        costs.push(await costOf(load, count));
      }
      const [first = 0, last = 0] = costs;
      say(`  CPU for one merge patch: ${first.toFixed(0)} µs among ${sizes.few}, ${last.toFixed(0)} µs among ${many}`);
      return new Map([[`cost of a write, ${many} to ${sizes.few} objects`, { value: last / first }]]);
    });
    return paired(figures, () => ({ unit: 'x', atMost: 1.2 }));
  },
};

/** CPU time of the server for one merge patch, spread over all objects; the first round warms up. */
async function costOf(load: Load, objects: number): Promise<number> {
  const step = Math.max(1, Math.floor(objects / SAMPLE));
  const round = (n: number): Promise<Run> =>
    load.run(SAMPLE, i => pods.mergePatch((i * step) % objects, n + Math.floor((i * step) / objects)));
  await round(objects);
  await load.watch(WATCHERS);
  const run = await round(objects + SAMPLE);
  return (run.serverCpuMs / run.count) * 1000;
}

const startPart: Part = {
  title: 'Start to ready',
  run: async (_, servers) => {
    const figures = await onEach(servers, async ({ readyMs }) => new Map([['start to ready', { value: readyMs }]]));
    return paired(figures, () => ({ unit: 'ms', atMost: START_MS }));
  },
};

export const PARTS: Readonly<Record<string, Part>> = {
  start: startPart,
  verbs: verbsPart,
  events: eventsPart,
  memory: memoryPart,
  cost: costPart,
};
