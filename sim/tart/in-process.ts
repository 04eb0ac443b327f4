// The tart model as the agent's port, in this process and on a virtual clock: for tests and fault runs.

import { noSpace, runtimeFailed, vmNotFound, vmSlotsUsedUp } from '../../src/agent/vm-errors.ts';
import type { Inventory, VmRuntime } from '../../src/agent/vm-runtime.ts';
import type { Clock } from '../../src/base/clock.ts';
import { notSeen, present } from '../../src/base/sighting.ts';
import { type Guests, type GuestWrites, guests } from './guests.ts';
import { memoryStore } from './memory-store.ts';
import { type Answer, addressOf, cached, refuseRun, type TartHost, type TartStore } from './model.ts';
import { lookUp, type Manifest, type Registry } from './registry.ts';
import * as verbs from './verbs.ts';

export interface InProcessTartOptions {
  readonly clock: Clock;
  /** Read at each pull: a test moves a tag by changing what this answers. */
  readonly registry: () => Registry;
  readonly diskGb?: number;
  readonly guestWrites?: GuestWrites;
}

/** The port, and what only a test or an oracle may know and do. */
export interface InProcessTart extends VmRuntime {
  readonly host: TartHost;
  /** Names of the VMs whose process lives. */
  running(): readonly string[];
  /** The guest ends by itself, now. */
  endGuest(vm: string, exitCode?: number): void;
  /** All VMs stop at once and nobody records how. */
  cutPower(): void;
}

export function inProcessTart(options: InProcessTartOptions): InProcessTart {
  const { clock } = options;
  const store = memoryStore();
  const live = guests(clock, store, options.guestWrites ?? (() => undefined));
  const host: TartHost = {
    store,
    diskGb: options.diskGb ?? 460,
    now: () => clock.now(),
    holderOf: vm => live.find(vm)?.pid,
    addressFromMs: vm => live.addressFromMs(vm),
  };
  return {
    host,
    running: live.names,
    endGuest: live.end,
    cutPower: () => {
      for (const vm of live.names()) live.stop(vm, 'unseen');
    },
    ...diskCalls(host),
    ...runCalls(host, live),
    pull: pulls(host, options),
    version: async () => '2.32.1',
    guestDiskPercent: async () => undefined,
  };
}

type DiskCalls = Pick<
  VmRuntime,
  'inventory' | 'onDisk' | 'contentId' | 'clone' | 'resize' | 'renewIdentity' | 'delete'
>;

function diskCalls(host: TartHost): DiskCalls {
  const { store } = host;
  let serials = 0;
  return {
    inventory: async () => inventoryOf(store),
    onDisk: async name => {
      verbs.touch(host, name);
      const vm = store.vm(name);
      return vm === undefined ? notSeen('tart', name) : present({ name, sizeBytes: gb(vm.sharedGb + vm.ownGb) });
    },
    contentId: async image => {
      const id = cached(store, image);
      return id === undefined ? notSeen('tart', image) : present(id);
    },
    clone: async (source, name) => orThrow(`clone ${source}`, verbs.clone(host, source, name), source),
    resize: async (name, size) => orThrow(`set ${name}`, verbs.set(host, name, size), name),
    renewIdentity: async name => orThrow(`set ${name}`, verbs.set(host, name, { serial: `s${++serials}` }), name),
    delete: async name => {
      const answer = verbs.remove(host, [name]);
      if (answer.code !== 2) orThrow(`delete ${name}`, answer, name);
    },
  };
}

type RunCalls = Pick<VmRuntime, 'run' | 'shutDown' | 'stop' | 'address' | 'process' | 'lastExit'>;

function runCalls(host: TartHost, live: Guests): RunCalls {
  return {
    run: async (name, run) => {
      const refusal = refuseRun(host, name);
      if (refusal !== undefined) orThrow(`run ${name}`, refusal, name);
      verbs.touch(host, name);
      return live.start(name, run);
    },
    shutDown: async name => live.askToShutDown(name),
    stop: async name => live.stop(name, 'recorded'),
    address: async name => {
      const vm = host.store.vm(name);
      const from = host.addressFromMs(name);
      return vm !== undefined && from !== undefined && from <= host.now() ? addressOf(vm) : undefined;
    },
    process: async name => {
      const process = live.find(name);
      return process === undefined ? notSeen('processes', name) : present(process);
    },
    lastExit: async name => live.lastExit(name),
  };
}

/** Progress is told in tenths, and what has arrived is kept for the next try. */
const STEPS = 10;

function pulls(host: TartHost, { clock, registry }: InProcessTartOptions): VmRuntime['pull'] {
  const arrived = new Map<string, number>();
  let last: Promise<unknown> = Promise.resolve();

  async function transfer(ref: string, manifest: Manifest, onProgress: (percent: number) => void): Promise<void> {
    for (let step = arrived.get(manifest.digest) ?? 0; step < STEPS; step++) {
      arrived.set(manifest.digest, step);
      onProgress(step * (100 / STEPS));
      await clock.sleep((manifest.pullSeconds * 1000) / STEPS);
    }
    arrived.delete(manifest.digest);
    onProgress(100);
    verbs.finishPull(host, ref, manifest);
  }

  async function pull(ref: string, onProgress: (percent: number) => void): Promise<void> {
    const found = lookUp(registry(), ref);
    if (found.kind === 'failed') throw runtimeFailed(`tart pull ${ref}`, verbs.registryRefused(found.httpStatus));
    const start = verbs.startPull(host, ref, found.manifest);
    if (start.kind === 'answer') return orThrow(`pull ${ref}`, start.answer, ref);
    await transfer(ref, found.manifest, onProgress);
  }

  // One pull at a time, as the lock on the registry's folder has it.
  return (ref, onProgress) => {
    const mine = last.then(() => pull(ref, onProgress));
    last = mine.catch(() => undefined);
    return mine;
  };
}

/** The same errors as the command line's: told apart by exit code and text. */
function orThrow(call: string, answer: Answer, name: string): void {
  if (answer.code === 0) return;
  if (answer.err.includes('does not exist')) throw vmNotFound(name);
  if (answer.err === verbs.NO_SPACE) throw noSpace(`tart ${call}`);
  if (answer.err.includes('exceeds the system limit')) throw vmSlotsUsedUp(answer.err);
  throw runtimeFailed(`tart ${call}`, answer.err);
}

function inventoryOf(store: TartStore): Inventory {
  const named = [...store.imageIds().map(id => [id, id] as const), ...store.tags()];
  return {
    vms: store.vmNames().flatMap(name => {
      const vm = store.vm(name);
      return vm === undefined ? [] : [{ name, sizeBytes: gb(vm.sharedGb + vm.ownGb), accessedMs: vm.accessedMs }];
    }),
    images: named.flatMap(([name, id]) => {
      const vm = store.image(id)?.vm;
      return vm === undefined ? [] : [{ name, sizeBytes: gb(vm.sharedGb), accessedMs: vm.accessedMs }];
    }),
  };
}

const gb = (n: number): number => n * 1e9;
