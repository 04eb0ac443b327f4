// tart's rules, pure: what is on a Mac's disk, what keeps it there, and who may run. The faces bring time and storage.

import { contentIdOf, parseRemoteName } from './names.ts';

/** How the guest of an image behaves. */
export interface SimGuest {
  /** From the start of the VM to its address. */
  readonly bootSeconds: number;
  /** From a polite request to the end; undefined: the guest is deaf to it. */
  readonly shutDownSeconds?: number;
  /** Ends by itself after so long; undefined: runs until it is told. */
  readonly livesSeconds?: number;
  /** What it writes to its status share before it ends by itself. */
  readonly exitCode?: number;
  /** Ends with a crash, which tart reports with exit code 0. */
  readonly crashes?: boolean;
}

/** A VM directory. Sizes are told, not occupied. */
export interface SimVm {
  readonly os: 'darwin' | 'linux';
  readonly cpu: number;
  readonly memoryMb: number;
  readonly diskGb: number;
  /** What it shares with the content it was cloned from. */
  readonly sharedGb: number;
  /** What it has written itself. */
  readonly ownGb: number;
  readonly mac: string;
  readonly serial: string;
  /** The content that its blocks come from: what only the model knows. */
  readonly base?: string;
  readonly guest: SimGuest;
  readonly accessedMs: number;
  readonly suspended: boolean;
}

/** A cached digest directory: a VM directory with its manifest. */
export interface SimImage {
  readonly vm: SimVm;
  /** Pulled by digest: tart's own clean-up leaves it alone. */
  readonly explicitlyPulled: boolean;
}

/** Where the state is kept: in memory, or as files under TART_HOME. */
export interface TartStore {
  vmNames(): readonly string[];
  vm(name: string): SimVm | undefined;
  putVm(name: string, vm: SimVm): void;
  removeVm(name: string): void;
  imageIds(): readonly string[];
  image(contentId: string): SimImage | undefined;
  putImage(contentId: string, image: SimImage): void;
  removeImage(contentId: string): void;
  /** `host/ns:tag` to content id; a link may dangle. */
  tags(): ReadonlyMap<string, string>;
  link(tag: string, contentId: string): void;
  unlink(tag: string): void;
}

/** A Mac, as tart sees it. */
export interface TartHost {
  readonly store: TartStore;
  readonly diskGb: number;
  now(): number;
  /** The process that holds the VM's lock; undefined when it does not run. */
  holderOf(vm: string): number | undefined;
  /** From when the guest's address is in the DHCP leases; undefined: never booted. */
  addressFromMs(vm: string): number | undefined;
}

/** What a call says and the code it ends with. */
export interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export const said = (out = ''): Answer => ({ code: 0, out, err: '' });
export const refused = (code: number, err: string): Answer => ({ code, out: '', err });
export const usage = (message: string): Answer =>
  refused(64, `Error: ${message}\nUsage: tart <subcommand>\n  See 'tart --help' for more information.`);
export const missing = (name: string): Answer => refused(2, `the specified VM "${name}" does not exist`);

/** Apple's kernel runs two macOS VMs; Linux guests are not counted. */
const MACOS_SLOTS = 2;

/** The content that a remote name stands for on this disk; undefined when it is not cached or the link dangles. */
export function cached(store: TartStore, text: string): string | undefined {
  const name = parseRemoteName(text);
  if (name === undefined) return undefined;

  const id =
    name.digest === undefined
      ? store.tags().get(`${name.host}/${name.namespace}:${name.tag ?? 'latest'}`)
      : contentIdOf(name, name.digest);
  return id !== undefined && store.image(id) !== undefined ? id : undefined;
}

/** What tart does whenever a link changed: content that no tag names goes, unless it was asked for by digest. */
export function collectUnlinked(store: TartStore): void {
  const linked = new Set(store.tags().values());
  for (const id of store.imageIds()) {
    if (!linked.has(id) && store.image(id)?.explicitlyPulled === false) store.removeImage(id);
  }
}

/** Blocks are shared between an image and all clones of it, and are freed with the last of them. */
function usedGb(store: TartStore): number {
  const shared = new Map<string, number>();
  let own = 0;
  for (const id of store.imageIds()) shared.set(id, store.image(id)?.vm.sharedGb ?? 0);
  for (const name of store.vmNames()) {
    const vm = store.vm(name);
    if (vm === undefined) continue;
    shared.set(vm.base ?? `vm ${name}`, vm.sharedGb);
    own += vm.ownGb;
  }
  return own + [...shared.values()].reduce((sum, gb) => sum + gb, 0);
}

export const freeGb = (host: TartHost): number => Math.max(0, host.diskGb - usedGb(host.store));

/** Whether `run` may start this VM; undefined: it may. */
export function refuseRun(host: TartHost, name: string): Answer | undefined {
  const vm = host.store.vm(name);
  if (vm === undefined) return refused(1, `Error: the specified VM "${name}" does not exist`);
  if (host.holderOf(name) !== undefined) return refused(2, `VM "${name}" is already running!`);
  if (vm.os !== 'darwin') return undefined;

  const others = host.store
    .vmNames()
    .filter(other => host.holderOf(other) !== undefined && host.store.vm(other)?.os === 'darwin');
  if (others.length < MACOS_SLOTS) return undefined;
  return refused(1, `The number of VMs exceeds the system limit (other running VMs: ${others.join(', ')})`);
}

/** The VM as it is after `touch`: every open moves the access date. */
export const opened = (vm: SimVm, nowMs: number): SimVm => ({ ...vm, accessedMs: nowMs });

/** The address that the DHCP server gives this MAC. */
export function addressOf(vm: SimVm): string {
  const octets = vm.mac.split(':').map(octet => Number.parseInt(octet, 16));
  return `192.168.${64 + ((octets[4] ?? 0) % 128)}.${2 + ((octets[5] ?? 0) % 250)}`;
}
