// tart's command line over the model: argv in, tart's texts and exit codes out. `run` is finished by the shell wrapper.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { pull } from './command-pull.ts';
import { admitRun } from './command-run.ts';
import { address, clone, exec, stop, suspend } from './command-vm.ts';
import { getRow, json, jsonList, listRows, textTable } from './format.ts';
import { type TartHome, tartHome } from './home.ts';
import { type Answer, missing, refused, said, usage } from './model.ts';
import { anyImage, type Registry } from './registry.ts';
import * as verbs from './verbs.ts';

const VERSION = '2.32.1';

/** A parsed command line. */
export interface Call {
  readonly home: TartHome;
  readonly registry: Registry;
  readonly names: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
}

type Verb = (call: Call) => Answer | Promise<Answer>;

const VERBS: Readonly<Record<string, Verb>> = {
  list: ({ home, flags }) => {
    const source = flags.source;
    if (source !== undefined && source !== 'local' && source !== 'oci')
      return usage(`'${String(source)}' is not a valid <source>`);
    const rows = listRows(home, source);
    if (flags.quiet === true) return said(rows.map(row => `${String(row.Name)}\n`).join(''));
    return said(flags.format === 'json' ? `${jsonList(rows, keyOrder())}\n` : textTable(rows));
  },
  get: ({ home, names: [name = ''], flags }) => {
    verbs.touch(home, name);
    const vm = home.store.vm(name);
    if (vm === undefined) return missing(name);
    const row = getRow(home, name, vm);
    return said(flags.format === 'json' ? `${json(row, keyOrder())}\n` : textTable([row]));
  },
  fqn: ({ home, names: [name = ''] }) => verbs.fullName(home, name),
  delete: ({ home, names }) => verbs.remove(home, names),
  set: ({ home, names: [name = ''], flags }) =>
    verbs.set(home, name, {
      ...(flags.cpu === undefined ? {} : { cpu: Number(flags.cpu) }),
      ...(flags.memory === undefined ? {} : { memoryMb: Number(flags.memory) }),
      ...(flags['random-serial'] === true ? { serial: `s${process.hrtime.bigint()}` } : {}),
    }),
  rename: ({ home, names: [from = '', to = ''] }) => verbs.rename(home, from, to),
  prune: ({ home, flags }) =>
    flags['older-than'] === undefined
      ? usage('at least one pruning criteria must be specified')
      : verbs.prune(home, flags.entries === 'vms' ? 'vms' : 'caches', Number(flags['older-than']) * 86_400_000),
  clone,
  pull: ({ home, registry, names: [ref = ''] }) => pull(home, registry, ref),
  run: admitRun,
  stop,
  suspend,
  ip: address,
  exec,
};

/** Foundation orders keys differently from process to process. */
const keyOrder = (): number => process.pid;

const OPTIONS = {
  source: { type: 'string' },
  format: { type: 'string' },
  quiet: { type: 'boolean', short: 'q' },
  cpu: { type: 'string' },
  memory: { type: 'string' },
  'random-serial': { type: 'boolean' },
  'random-mac': { type: 'boolean' },
  'older-than': { type: 'string' },
  entries: { type: 'string' },
  timeout: { type: 'string', short: 't' },
  wait: { type: 'string' },
  resolver: { type: 'string' },
  concurrency: { type: 'string' },
  'prune-limit': { type: 'string' },
  insecure: { type: 'boolean' },
  'no-graphics': { type: 'boolean' },
  graphics: { type: 'boolean' },
  vnc: { type: 'boolean' },
  'vnc-experimental': { type: 'boolean' },
  'no-audio': { type: 'boolean' },
  'no-clipboard': { type: 'boolean' },
  'root-disk-opts': { type: 'string' },
  dir: { type: 'string', multiple: true },
  disk: { type: 'string', multiple: true },
} as const;

async function main(argv: readonly string[]): Promise<Answer> {
  const [verb = '', ...rest] = argv;
  if (verb === '--version') return said(`${VERSION}\n`);
  if (!Object.hasOwn(VERBS, verb)) return usage(`Unexpected argument '${verb}'`);

  const call = parseCall(verb, rest);
  if ('code' in call) return call;
  if (verb !== 'pull' && verb !== 'clone') call.home.sweepUnfinished();
  try {
    return (await VERBS[verb]?.(call)) ?? usage(`Unexpected argument '${verb}'`);
  } catch (error) {
    return refused(1, error instanceof Error ? error.message : String(error));
  }
}

function parseCall(verb: string, rest: readonly string[]): Call | Answer {
  const { TART_HOME, TART_SIM_DISK_GB = '460', HOME = '/' } = process.env;
  const home = tartHome(TART_HOME ?? `${HOME}/.tart`, Number(TART_SIM_DISK_GB));
  if (verb === 'exec') return { home, registry: anyImage, names: rest, flags: {} };
  try {
    const { values, positionals } = parseArgs({ args: [...rest], options: OPTIONS, allowPositionals: true });
    return { home, registry: readRegistry(), names: positionals, flags: values };
  } catch (error) {
    return usage(error instanceof Error ? error.message : String(error));
  }
}

/** TART_SIM_REGISTRY names a JSON file; without it every image exists. */
function readRegistry(): Registry {
  const path = process.env.TART_SIM_REGISTRY;
  return path === undefined || path === '' ? anyImage : JSON.parse(readFileSync(path, 'utf8'));
}

const answer = await main(process.argv.slice(2));
process.stdout.write(answer.out);
if (answer.err !== '') process.stderr.write(`${answer.err}\n`);
process.exitCode = answer.code;
