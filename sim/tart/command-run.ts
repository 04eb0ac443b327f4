// The first half of `tart run`: who may run, and what the shell that becomes the VM has to do.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Call } from './command.ts';
import { lock } from './locks.ts';
import { type Answer, refused, refuseRun, type SimVm, said, usage } from './model.ts';
import { touch } from './verbs.ts';

/** Standard output is the plan: assignments that the wrapper evaluates. The VM's lock names the wrapper's process. */
export async function admitRun(call: Call): Promise<Answer> {
  const { home, flags, names } = call;
  const [name = ''] = names;
  if (flags.vnc === true && flags['vnc-experimental'] === true)
    return usage('--vnc and --vnc-experimental are mutually exclusive');
  const shares = sharesOf(flags.dir);
  const gone = shares.find(share => !existsSync(share.path));
  if (gone !== undefined)
    return refused(1, `Error: Error Domain=VZErrorDomain Code=2 "directory ${gone.path} does not exist"`);

  const unlock = await lock(home.lockPath('home'));
  const refusal = refuseRun(home, name);
  const vm = home.store.vm(name);
  if (refusal !== undefined || vm === undefined) return refusal ?? said();

  touch(home, name);
  const snapshot = join(home.path, 'vms', name, 'state.vzvmsave');
  const resumed = vm.suspended;
  rmSync(snapshot, { force: true });
  home.hold(name, Number(process.env.TART_SIM_PID ?? process.ppid), home.now() + vm.guest.bootSeconds * 1000);
  unlock();
  const status = shares.find(share => share.name === 'status')?.path ?? '';
  const vnc = flags.vnc === true || flags['vnc-experimental'] === true;
  return said(planOf(vm, { status, snapshot, resumed, vnc }));
}

interface Plan {
  readonly status: string;
  readonly snapshot: string;
  readonly resumed: boolean;
  readonly vnc: boolean;
}

function planOf({ guest }: SimVm, plan: Plan): string {
  const vncUrl = `vnc://:simulated-${process.pid}@127.0.0.1:${5900 + (process.pid % 1000)}`;
  return [
    `lives=${guest.livesSeconds ?? ''}`,
    `shutdown=${guest.shutDownSeconds ?? ''}`,
    `code=${guest.exitCode ?? ''}`,
    `crashes=${guest.crashes === true ? 1 : ''}`,
    `resumed=${plan.resumed ? 1 : ''}`,
    `status=${quoted(plan.status)}`,
    `snapshot=${quoted(plan.snapshot)}`,
    `vnc=${plan.vnc ? quoted(vncUrl) : ''}`,
  ].join('\n');
}

/** `[name:]PATH[:ro]`, as tart takes it; `:rw` is taken as part of the path. */
function sharesOf(dir: Call['flags'][string]): readonly { readonly name: string; readonly path: string }[] {
  const texts = Array.isArray(dir) ? dir.map(String) : [];
  return texts.map(text => {
    const match = /^(?:([^/:]+):)?(.*?)(?::ro)?$/.exec(text);
    return { name: match?.[1] ?? '', path: match?.[2] ?? '' };
  });
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
