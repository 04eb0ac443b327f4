// A Mac's disk under TART_HOME, in tart's own layout. Disk images are empty: their sizes are told in config.json.

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SimImage, SimVm, TartStore } from './model.ts';
import { parseRemoteName } from './names.ts';

const FILES = ['config.json', 'disk.img', 'nvram.bin'] as const;
const EXPLICIT = '.explicitly-pulled';

/** What config.json holds beside tart's own fields. */
type Told = Pick<SimVm, 'diskGb' | 'sharedGb' | 'ownGb' | 'serial' | 'base' | 'guest'>;

export function diskStore(home: string): TartStore {
  const vms = join(home, 'vms');
  const cache = join(home, 'cache', 'OCIs');
  const vmDir = (name: string): string => join(vms, name);
  const imageDir = (id: string): string => join(cache, pathOf(id));
  const tagged = (): [string, string][] =>
    entriesUnder(cache).flatMap(path => {
      const id = lstatSync(path).isSymbolicLink() ? nameOf(cache, readlinkSync(path)) : undefined;
      return id === undefined ? [] : [[nameOf(cache, path), id]];
    });

  return {
    vmNames: () => (existsSync(vms) ? readdirSync(vms).filter(name => isWhole(vmDir(name))) : []),
    vm: name => readVm(vmDir(name)),
    putVm: (name, vm) => writeVm(home, vmDir(name), vm),
    removeVm: name => removeDir(home, vmDir(name)),
    imageIds: () =>
      entriesUnder(cache)
        .filter(path => lstatSync(path).isDirectory() && isWhole(path))
        .map(path => nameOf(cache, path)),
    image: id => readImage(imageDir(id)),
    putImage: (id, image) => {
      writeVm(home, imageDir(id), image.vm);
      writeFileSync(join(imageDir(id), 'manifest.json'), '{}');
      if (image.explicitlyPulled) writeFileSync(join(imageDir(id), EXPLICIT), '');
    },
    removeImage: id => removeDir(home, imageDir(id)),
    tags: () => new Map(tagged()),
    link: (tag, id) => {
      const path = join(cache, pathOf(tag));
      rmSync(path, { force: true });
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(imageDir(id), path);
    },
    unlink: tag => rmSync(join(cache, pathOf(tag)), { force: true }),
  };
}

/** `host/ns:tag` and `host/ns@sha256:hex` as a path below the cache; a port's colon is percent-encoded. */
function pathOf(text: string): string {
  const name = parseRemoteName(text);
  if (name === undefined) throw new Error(`not a remote name: ${text}`);
  return join(name.host.replace(':', '%3A'), name.namespace, name.digest ?? name.tag ?? 'latest');
}

function nameOf(cache: string, path: string): string {
  const last = basename(path);
  const repository = dirname(path)
    .slice(cache.length + 1)
    .replace('%3A', ':');
  return last.startsWith('sha256:') ? `${repository}@${last}` : `${repository}:${last}`;
}

/** Digest directories and tag links, however deep the namespace is. */
function entriesUnder(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap(entry => {
    const path = join(dir, entry.name);
    if (entry.isSymbolicLink() || entry.name.startsWith('sha256:')) return [path];
    return entry.isDirectory() ? entriesUnder(path) : [];
  });
}

const isWhole = (dir: string): boolean => FILES.every(file => existsSync(join(dir, file)));

function readVm(dir: string): SimVm | undefined {
  if (!isWhole(dir)) return undefined;
  try {
    const config = JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8'));
    const told: Told = config.simulated;
    return {
      ...told,
      os: config.os,
      cpu: config.cpuCount,
      memoryMb: config.memorySize / 1048576,
      mac: config.macAddress,
      accessedMs: Math.floor(statSync(join(dir, 'nvram.bin')).mtimeMs),
      suspended: existsSync(join(dir, 'state.vzvmsave')),
    };
  } catch {
    return undefined; // removed by another process in this moment
  }
}

function readImage(dir: string): SimImage | undefined {
  const vm = readVm(dir);
  return vm === undefined ? undefined : { vm, explicitlyPulled: existsSync(join(dir, EXPLICIT)) };
}

/** A new directory appears whole: it is filled under tmp and renamed. */
function writeVm(home: string, dir: string, vm: SimVm): void {
  const fresh = !isWhole(dir);
  const target = fresh ? join(home, 'tmp', `vm-${process.pid}-${basename(dir).slice(-16)}`) : dir;
  mkdirSync(target, { recursive: true });
  const config = join(target, 'config.json');
  writeFileSync(`${config}.new`, JSON.stringify(configOf(vm), null, 2));
  renameSync(`${config}.new`, config);
  for (const file of ['disk.img', 'nvram.bin']) writeFileSync(join(target, file), '');
  utimesSync(join(target, 'nvram.bin'), vm.accessedMs / 1000, vm.accessedMs / 1000);
  if (!fresh) return;
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dirname(dir), { recursive: true });
  renameSync(target, dir);
}

function configOf(vm: SimVm): Record<string, unknown> {
  const { diskGb, sharedGb, ownGb, serial, base, guest } = vm;
  const told: Told = { diskGb, sharedGb, ownGb, serial, guest, ...(base === undefined ? {} : { base }) };
  return {
    version: 1,
    os: vm.os,
    arch: 'arm64',
    ecid: Buffer.from(serial).toString('base64'),
    hardwareModel: Buffer.from('simulated').toString('base64'),
    cpuCount: vm.cpu,
    cpuCountMin: vm.os === 'darwin' ? 2 : 1,
    memorySize: vm.memoryMb * 1048576,
    memorySizeMin: 4096 * 1048576,
    macAddress: vm.mac,
    display: { width: 1024, height: 768 },
    simulated: told,
  };
}

/** Gone in one step for whoever looks, then for good. */
function removeDir(home: string, dir: string): void {
  if (!existsSync(dir)) return;
  const trash = join(home, 'tmp', `gone-${process.pid}-${basename(dir).slice(-16)}`);
  mkdirSync(dirname(trash), { recursive: true });
  renameSync(dir, trash);
  rmSync(trash, { recursive: true, force: true });
}
