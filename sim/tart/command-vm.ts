// The commands that deal with other processes or wait: stop, suspend, ip, exec, clone of what is not cached.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from './command.ts';
import { pull } from './command-pull.ts';
import { lock } from './locks.ts';
import { type Answer, cached, missing, refused, said } from './model.ts';
import { parseRemoteName } from './names.ts';
import * as verbs from './verbs.ts';

/** SIGINT to the holder, SIGKILL at the timeout. Not running: exit 2. */
export async function stop({ home, names: [name = ''], flags }: Call): Promise<Answer> {
  const vm = home.store.vm(name);
  if (vm === undefined) return missing(name);
  verbs.touch(home, name);
  const pid = home.holderOf(name);
  if (pid === undefined) {
    if (!vm.suspended) return refused(2, `VM "${name}" is not running`);
    home.store.putVm(name, { ...vm, suspended: false });
    return said();
  }

  process.kill(pid, 'SIGINT');
  const untilMs = Date.now() + Number(flags.timeout ?? 30) * 1000;
  while (home.holderOf(name) === pid) {
    if (Date.now() >= untilMs) process.kill(pid, 'SIGKILL');
    await sleep(100);
  }
  return said();
}

/** Asks for a snapshot and does not wait for it. */
export function suspend({ home, names: [name = ''] }: Call): Answer {
  if (home.store.vm(name) === undefined) return missing(name);
  const pid = home.holderOf(name);
  if (pid === undefined) return refused(2, `VM "VM "${name}" is not running" is not running`);
  process.kill(pid, 'SIGUSR1');
  return said();
}

export async function address({ home, names: [name = ''], flags }: Call): Promise<Answer> {
  const untilMs = Date.now() + Math.max(1, Number(flags.wait ?? 0)) * 1000;
  for (;;) {
    const answer = verbs.address(home, name);
    if (answer !== undefined) return answer;
    if (Date.now() >= untilMs) return verbs.noAddress();
    await sleep(100);
  }
}

/** The guest agent knows one command: how full the root volume is. */
export function exec({ home, names: [name = '', ...command] }: Call): Answer {
  const vm = home.store.vm(name);
  if (vm === undefined) return missing(name);
  if (home.holderOf(name) === undefined) return refused(2, `VM "${name}" is not running`);
  if (command[0] !== '/bin/df')
    return refused(1, 'Failed to connect to the VM using its control socket: is the guest agent running?');

  const totalKb = Math.round(vm.diskGb * 976_562);
  const usedKb = Math.round((vm.sharedGb + vm.ownGb) * 976_562);
  return said(
    `Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/disk3s1 ${totalKb} ${usedKb} ${totalKb - usedKb} ${Math.ceil((usedKb * 100) / totalKb)}% /\n`,
  );
}

/** Pulls first what is remote and absent; the copy itself is one at a time. */
export async function clone({ home, registry, names: [source = '', name = ''] }: Call): Promise<Answer> {
  if (parseRemoteName(source) !== undefined && cached(home.store, source) === undefined) {
    const pulled = await pull(home, registry, source);
    if (pulled.code !== 0) return pulled;
  }
  const unlock = await lock(home.lockPath('home'));
  const answer = verbs.clone(home, source, name);
  unlock();
  return answer;
}
