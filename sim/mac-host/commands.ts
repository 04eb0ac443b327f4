// What macOS's commands do on a simulated Mac: one table, as far as the set-up scripts call them.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { Launchd } from './launchd.ts';
import { kill, processesOf } from './processes.ts';
import type { Settings } from './settings.ts';

/** The Mac as its commands see it. */
export interface MacInside {
  readonly root: string;
  readonly user: string;
  readonly password: () => string;
  readonly launchd: Launchd;
  readonly clock: Clock;
  /** Settings by command and key, for whoever wants to look. */
  readonly settings: Settings;
}

export interface Answer {
  readonly code: number;
  readonly out?: readonly string[];
  readonly err?: readonly string[];
}

type Command = (mac: MacInside, args: readonly string[]) => Answer | Promise<Answer>;

const OK: Answer = { code: 0 };
const refuse = (err: string, code = 1): Answer => ({ code, err: [err] });

/** macOS writes this over a password that is not the user's (mac-F39). */
const SEALED = '<sealed>';

export const COMMANDS: Readonly<Record<string, Command>> = {
  chown: (mac, [, ...paths]) => (paths.every(path => isBelow(mac.root, path)) ? OK : refuse('outside the Mac', 126)),
  id: (mac, args) => ({ code: 0, out: [args.includes('-un') ? mac.user : '501'] }),
  sudo: (mac, [how, , password]) => sudo(mac, how, password),
  visudo: (_, args) => {
    const text = readFileSync(args.at(-1) ?? '', 'utf8');
    return /^\S+ ALL=\(ALL\) NOPASSWD: ALL\n$/.test(text) ? OK : refuse('parse error');
  },
  defaults: (mac, args) =>
    defaults(
      mac,
      args.filter(arg => arg !== '-currentHost'),
    ),
  pmset: (mac, [scope = '', ...pairs]) => {
    for (let at = 0; at + 1 < pairs.length; at += 2)
      mac.settings.set(`pmset ${scope} ${pairs[at]}`, pairs[at + 1] ?? '');
    return OK;
  },
  scutil: (mac, [verb, key, value]) => {
    if (verb !== '--set' || value === undefined) return refuse('usage');
    mac.settings.set(`scutil ${key}`, value);
    return OK;
  },
  softwareupdate: (mac, args) => {
    mac.settings.set('softwareupdate', args.join(' '));
    return OK;
  },
  killall: (mac, args) => {
    if (args.at(-1) !== 'loginwindow') return refuse('No matching processes were found');
    logIn(mac);
    return OK;
  },
  launchctl: (mac, [verb = '', ...args]) => LAUNCHCTL[verb]?.(mac, args) ?? refuse(`unknown subcommand ${verb}`, 64),
  pgrep: (mac, args) => {
    const pids = matching(mac, args.at(-1) ?? '').map(({ pid }) => String(pid));
    return { code: pids.length > 0 ? 0 : 1, out: pids };
  },
  pkill: async (mac, args) => {
    const found = matching(mac, args.at(-1) ?? '');
    for (const process of found) await kill(process, mac.clock);
    return { code: found.length > 0 ? 0 : 1 };
  },
};

const LAUNCHCTL: Readonly<Record<string, Command>> = {
  print: (mac, [target = '']) => {
    if (target.startsWith('gui/'))
      return mac.settings.get('session') !== undefined ? OK : refuse(`Could not find domain ${target}`, 113);
    const lines = mac.launchd.print(labelOf(target));
    return lines === undefined ? refuse(`Could not find service "${labelOf(target)}"`, 113) : { code: 0, out: lines };
  },
  bootstrap: (mac, [, path = '']) => {
    if (!isBelow(mac.root, path)) return refuse('outside the Mac', 126);
    return mac.launchd.bootstrap(path) ? OK : refuse('Bootstrap failed: 5: Input/output error', 5);
  },
  bootout: async (mac, [target = '']) =>
    (await mac.launchd.bootout(labelOf(target))) ? OK : refuse('Boot-out failed: 3: No such process', 3),
  kickstart: async (mac, args) =>
    (await mac.launchd.kickstart(labelOf(args.at(-1) ?? ''))) ? OK : refuse('Could not find service', 113),
};

const labelOf = (target: string): string => target.replace(/^system\//, '');

const isBelow = (root: string, path: string): boolean => path.startsWith(`${root}/`);

function sudo(mac: MacInside, how: string | undefined, password: string | undefined): Answer {
  if (existsSync(join(mac.root, 'etc/sudoers.d/pippin'))) return OK;
  if (how === 'stdin' && password === mac.password()) return OK;
  return refuse(how === 'none' ? 'sudo: a password is required' : 'sudo: 1 incorrect password attempt');
}

function defaults(mac: MacInside, [verb, domain = '', key = '', ...value]: readonly string[]): Answer {
  if (domain.startsWith('/') && !isBelow(mac.root, domain)) return refuse('outside the Mac', 126);
  const name = `defaults ${domain.replace(mac.root, '')} ${key}`;
  if (verb === 'write') {
    mac.settings.set(name, value.at(-1) ?? '');
    return OK;
  }
  const stored = mac.settings.get(name);
  return stored === undefined ? refuse('does not exist') : { code: 0, out: [stored] };
}

/** loginwindow, started anew: logs the user in, or seals the file when the password is not his (mac-F39). */
function logIn(mac: MacInside): void {
  const file = join(mac.root, 'etc/kcpassword');
  const user = mac.settings.get('defaults /Library/Preferences/com.apple.loginwindow autoLoginUser');
  if (user !== mac.user || !existsSync(file)) return;
  if (passwordIn(readFileSync(file)) === mac.password()) mac.settings.set('session', user);
  else writeFileSync(file, SEALED);
}

/** This Mac's own processes only, whatever else runs on this machine. */
function matching(mac: MacInside, pattern: string): ReturnType<typeof processesOf> {
  const regex = new RegExp(pattern);
  return processesOf(mac.root).filter(({ command }) => regex.test(command) && !command.startsWith('/bin/sh'));
}

/** The cipher of /etc/kcpassword, as macOS undoes it. */
const CIPHER = [0x7d, 0x89, 0x52, 0x23, 0xd2, 0xbc, 0xdd, 0xea, 0xa3, 0xb9, 0x1f];

function passwordIn(content: Uint8Array): string {
  const plain = content.map((byte, at) => byte ^ (CIPHER[at % CIPHER.length] ?? 0));
  const end = plain.indexOf(0);
  return new TextDecoder().decode(end < 0 ? plain : plain.subarray(0, end));
}
