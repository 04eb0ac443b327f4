// tart's commands that do not take time, pure: each reads and changes the store and says what tart says.

import {
  type Answer,
  addressOf,
  cached,
  collectUnlinked,
  freeGb,
  missing,
  opened,
  refused,
  type SimVm,
  said,
  type TartHost,
  usage,
} from './model.ts';
import { parseRemoteName } from './names.ts';
import type { Manifest } from './registry.ts';

/** Foundation's own sentence, curly apostrophe included: agents match on it. */
export const NO_SPACE =
  'Error: Error Domain=NSCocoaErrorDomain Code=640 "You can’t save the file “disk.img” because the volume “Data” is out of space. There isn’t enough space."';

/** Copies a local VM or a cached image. The caller has pulled what was remote and absent. */
export function clone(host: TartHost, source: string, name: string): Answer {
  if (name.includes('/')) return usage('<new-name> should be a local name');

  const { store } = host;
  const remote = parseRemoteName(source);
  const id = remote === undefined ? undefined : cached(store, source);
  const from = remote === undefined ? store.vm(source) : id === undefined ? undefined : store.image(id)?.vm;
  if (from === undefined) return missing(source);

  touch(host, source);
  const taken = store.vmNames().some(other => other !== name && store.vm(other)?.mac === from.mac);
  const mac = taken && !from.suspended ? nextMac(host) : from.mac;
  const base = id ?? from.base;
  store.putVm(name, { ...from, mac, accessedMs: host.now(), ...(base === undefined ? {} : { base }) });
  return said();
}

export function remove(host: TartHost, names: readonly string[]): Answer {
  for (const name of names) {
    const answer = removeOne(host, name);
    if (answer.code !== 0) return answer;
  }
  return said();
}

function removeOne(host: TartHost, name: string): Answer {
  const { store } = host;
  const remote = parseRemoteName(name);
  if (remote === undefined) {
    if (store.vm(name) === undefined) return missing(name);
    if (host.holderOf(name) !== undefined) return refused(1, `VM "${name}" is running`);
    store.removeVm(name);
    return said();
  }
  if (remote.digest === undefined) {
    if (!store.tags().has(name)) return missing(name);
    store.unlink(name);
    collectUnlinked(store);
    return said();
  }
  if (store.image(name) === undefined) return missing(name);
  store.removeImage(name);
  return said();
}

/** What `set` can change; no check whether the VM runs. */
export interface Settings {
  readonly cpu?: number;
  readonly memoryMb?: number;
  readonly serial?: string;
  readonly mac?: string;
}

export function set(host: TartHost, name: string, settings: Settings): Answer {
  const vm = host.store.vm(name);
  if (vm === undefined) return missing(name);
  if (settings.cpu !== undefined && settings.cpu < (vm.os === 'darwin' ? 2 : 1)) {
    return refused(
      1,
      `Error: LessThanMinimalResourcesError: VM should have at least 2 CPU cores (requested ${settings.cpu})`,
    );
  }
  host.store.putVm(name, { ...vm, ...settings });
  return said();
}

/** Reads the DHCP leases by MAC: a VM that has halted still answers. Undefined: not yet. */
export function address(host: TartHost, name: string): Answer | undefined {
  const vm = host.store.vm(name);
  if (vm === undefined) return missing(name);

  touch(host, name);
  const fromMs = host.addressFromMs(name);
  return fromMs !== undefined && fromMs <= host.now() ? said(`${addressOf(vm)}\n`) : undefined;
}

export const noAddress = (): Answer =>
  refused(1, 'no IP address found, is your VM running?\nhint: try increasing the wait time with --wait');

/** The hidden `fqn`: a remote name as `repo@digest`, any other as it is. */
export function fullName(host: TartHost, name: string): Answer {
  if (parseRemoteName(name) === undefined) return said(`${name}\n`);
  const id = cached(host.store, name);
  return id === undefined ? missing(name) : said(`${id}\n`);
}

export function rename(host: TartHost, from: string, to: string): Answer {
  const { store } = host;
  const vm = store.vm(from);
  if (vm === undefined) return usage(`failed to rename a non-existent local VM: ${from}`);
  if (store.vm(to) !== undefined)
    return usage(`failed to rename VM ${from}, target VM ${to} already exists, delete it first!`);
  store.putVm(to, vm);
  store.removeVm(from);
  return said();
}

/** Evicts what was opened longer ago. Links stay and dangle, hidden from `list`, as tart leaves them. */
export function prune(host: TartHost, what: 'caches' | 'vms', olderThanMs: number): Answer {
  const { store } = host;
  const old = (vm: SimVm | undefined): boolean => vm !== undefined && vm.accessedMs < host.now() - olderThanMs;
  if (what === 'caches') {
    for (const id of store.imageIds().filter(id => old(store.image(id)?.vm))) store.removeImage(id);
    return said();
  }
  const idle = store.vmNames().filter(name => host.holderOf(name) === undefined && old(store.vm(name)));
  for (const name of idle) store.removeVm(name);
  return said();
}

/** How a registry's refusal reads. */
export const registryRefused = (httpStatus: number): string =>
  `Error: UnexpectedHTTPStatusCode(when: "pulling manifest", code: ${httpStatus}, details: "")`;

/** What a pull finds out before any byte of the disk moves. */
export type PullStart = { readonly kind: 'answer'; readonly answer: Answer } | { readonly kind: 'transfer' };

/** A cached digest costs nothing: a notice, and the tag link where it is missing or points elsewhere. */
export function startPull(host: TartHost, ref: string, manifest: Manifest): PullStart {
  const name = parseRemoteName(ref);
  if (name === undefined) return { kind: 'answer', answer: said(`"${ref}" is a local image, nothing to pull here!\n`) };

  const id = `${name.host}/${name.namespace}@${manifest.digest}`;
  if (host.store.image(id) !== undefined) {
    finishPull(host, ref, manifest);
    touch(host, id);
    return { kind: 'answer', answer: said(`${id} image is already cached and linked!\n`) };
  }
  if (freeGb(host) < manifest.sizeGb + 0.134) return { kind: 'answer', answer: refused(1, NO_SPACE) };
  return { kind: 'transfer' };
}

/** Moves the pulled directory into place, points the tag at it, and lets go of what the tag pointed at before. */
export function finishPull(host: TartHost, ref: string, manifest: Manifest): void {
  const name = parseRemoteName(ref);
  if (name === undefined) return;

  const { store } = host;
  const id = `${name.host}/${name.namespace}@${manifest.digest}`;
  const explicitlyPulled = name.digest !== undefined || store.image(id)?.explicitlyPulled === true;
  const vm = store.image(id)?.vm ?? {
    ...manifest.vm,
    accessedMs: host.now(),
    mac: nextMac(host),
    serial: manifest.digest,
  };
  store.putImage(id, { vm: { ...vm, base: id }, explicitlyPulled });
  if (name.digest !== undefined) return;
  store.link(`${name.host}/${name.namespace}:${name.tag}`, id);
  collectUnlinked(store);
}

/** Opens a VM or an image: its access date moves, which `list` alone does not do. */
export function touch(host: TartHost, name: string): void {
  const { store } = host;
  const vm = store.vm(name);
  if (vm !== undefined) {
    store.putVm(name, opened(vm, host.now()));
    return;
  }

  const id = parseRemoteName(name) === undefined ? undefined : cached(store, name);
  const image = id === undefined ? undefined : store.image(id);
  if (id !== undefined && image !== undefined) store.putImage(id, { ...image, vm: opened(image.vm, host.now()) });
}

/** A MAC that no VM and no image on this disk has. */
function nextMac(host: TartHost): string {
  const { store } = host;
  const taken = new Set([
    ...store.vmNames().map(name => store.vm(name)?.mac),
    ...store.imageIds().map(id => store.image(id)?.vm.mac),
  ]);
  for (let n = 1; ; n++) {
    const mac = `7a:00:00:00:${hex(n >> 8)}:${hex(n & 255)}`;
    if (!taken.has(mac)) return mac;
  }
}

const hex = (n: number): string => n.toString(16).padStart(2, '0');
