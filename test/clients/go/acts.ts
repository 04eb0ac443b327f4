// The program on client-go as a client: what it printed in each of its acts.

import { clientPath } from '../../../scripts/clients/programs.ts';
import { runLine } from '../frame/command.ts';
import { masked } from '../frame/mask.ts';
import type { Side } from '../frame/sides.ts';
import type { ForeignClient, Walked } from '../frame/topic.ts';

const DEADLINE_MS = 240_000;

const ACTS = [
  'discovery',
  'typed',
  'errors',
  'informers',
  'dynamic',
  'apply',
  'protobuf',
  'paging',
  'election',
  'churn',
  'eviction',
  'tokens',
  'streams',
];

export const goProgram: ForeignClient = {
  name: 'a Go program on client-go',
  topics: [{ name: 'acts', lines: ACTS }],
  walk: played,
};

async function played({ name, kubeconfig, folder }: Side): Promise<Walked> {
  const surroundings = { cwd: folder, env: { HOME: folder, PATH: '/usr/bin:/bin' }, deadlineMs: DEADLINE_MS };
  const { stdout, code, stderr } = await runLine(`${clientPath('client-go')} --kubeconfig=${kubeconfig}`, surroundings);
  // What fails on the real server is the program's own fault.
  if (name === 'real' && code !== 0) throw new Error(`it failed with ${code}:\n${stdout}${stderr}`);
  const printed = new Map(stdout.split(/^## /m).map(act => [act.replace(/\n.*/s, ''), masked(act)]));
  const said = ACTS.map(act => printed.get(act) ?? `${act} was not played: exit code ${code}\n${stderr}`);
  return new Map([['acts', said]]);
}
