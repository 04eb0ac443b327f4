// Random histories of one Mac, judged from the model alone. A worker: node:test's own bookkeeping would take most of the time.

import { parentPort, workerData } from 'node:worker_threads';
import { type InProcessMac, inProcessMac } from '../../sim/tart/in-process-host.ts';
import { cached, type TartStore } from '../../sim/tart/model.ts';
import { digestOf, type RegistryImage } from '../../sim/tart/registry.ts';
import { type VirtualClock, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { type Collector, collector } from '../../src/agent/gc/collect.ts';
import type { BoundPod } from '../../src/agent/gc/view.ts';
import { type BaseWorld, ensureBase } from '../../src/agent/images/base.ts';
import { leases } from '../../src/agent/images/leases.ts';
import { isContentId } from '../../src/agent/images/reference.ts';
import { locks } from '../../src/agent/locks.ts';
import { cloneVm } from '../../src/agent/pod/clone.ts';
import type { AgentRecords } from '../../src/agent/records.ts';
import type { VmRuntime } from '../../src/agent/vm-runtime.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Random } from '../../src/base/random.ts';

const STEPS = 14;
const IMAGES = ['ghcr.io/a/runner:x', 'ghcr.io/a/runner:y', 'ghcr.io/b/base:z'];
const STRANGERS_IMAGE = 'ghcr.io/stranger/own:1';

/** An agent's memory: gone with a crash, while the Mac and the notes stay. */
interface AgentLife extends BaseWorld {
  readonly gc: Collector;
  /** The agent dies at its n-th call from now: neither that call nor any later one is carried out. */
  dieAfter(calls: number): void;
  readonly dead: () => boolean;
}

interface Story {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly mac: InProcessMac;
  readonly tags: Record<string, RegistryImage>;
  readonly pods: Map<string, BoundPod>;
  readonly violations: string[];
  readonly busy: Set<Promise<unknown>>;
  readonly log: string[];
  podsMade: number;
  removals: number;
}

const never = new Promise<never>(() => undefined);

function aLife(story: Story): AgentLife {
  const { mac, clock } = story;
  let left = Number.POSITIVE_INFINITY;
  let dead = false;
  const mortal = <T extends object>(port: T): T =>
    new Proxy(port, {
      get: (target, name, receiver) => {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          dead ||= --left < 0;
          return dead ? never : Reflect.apply(member, target, args);
        };
      },
    });
  const runtime: VmRuntime = mortal(watched(story));
  const records: AgentRecords = mortal(mac.records);
  const memory = locks();
  const held = leases(memory);
  const gc = collector({
    runtime,
    records,
    host: mac.host,
    leases: held,
    clock,
    log: silentLog,
    inheritsUpstream: false,
    minGoldensKept: 1,
    boundPods: async () => [...story.pods.values()],
  });
  const makeSpace = async (): Promise<void> => void (await gc.collect('aggressive'));
  return {
    runtime,
    records,
    leases: held,
    locks: memory,
    log: silentLog,
    makeSpace,
    gc,
    dieAfter: calls => {
      left = calls;
    },
    dead: () => dead,
  };
}

/** The oracle: judges every deletion by the model and the Pods alone, at the moment it is asked for. */
function watched(story: Story): VmRuntime {
  const { tart } = story.mac;
  return {
    ...tart,
    delete: async name => {
      const why = wrongToDelete(story, name);
      if (why !== undefined) story.violations.push(`${name}: ${why}`);
      if (isThere(tart.host.store, name)) story.removals += 1;
      await tart.delete(name);
    },
  };
}

const isThere = (store: TartStore, name: string): boolean =>
  store.vm(name) !== undefined || store.image(name) !== undefined || store.tags().has(name);

function wrongToDelete({ mac: { tart }, pods }: Story, name: string): string | undefined {
  const { store } = tart.host;
  if (store.vm(name) !== undefined) {
    if (tart.running().includes(name)) return 'it runs';
    return name === 'stranger' ? "it is a stranger's" : undefined;
  }
  const id = isContentId(name) ? name : cached(store, name);
  if (id === undefined) return undefined;
  if (name.startsWith('ghcr.io/stranger')) return "it is a stranger's";
  const used = store.vmNames().find(vm => vm !== 'stranger' && store.vm(vm)?.base === id);
  if (used !== undefined) return `VM ${used} comes from it`;
  const wanted = [...pods.values()].find(pod => pod.wantsImage && cached(store, pod.image) === id);
  return wanted === undefined ? undefined : `Pod ${wanted.uid} names it`;
}

/** Starts work without waiting for it: pulls, clones and collections overlap. */
function begin(story: Story, what: string, work: () => Promise<unknown>): void {
  story.log.push(what);
  const going = work().catch(() => undefined);
  story.busy.add(going);
  void going.then(() => story.busy.delete(going));
}

async function runPod(story: Story, life: AgentLife, image: string, policy: 'Always' | 'IfNotPresent'): Promise<void> {
  const uid = `u${++story.podsMade}`;
  const vm = `vm-${uid}`;
  story.pods.set(uid, { uid, image, vms: [vm], wantsImage: true });
  const base = await ensureBase({ image, policy, onProgress: () => undefined }, life);
  await cloneVm({ vm, use: 'pod', image, podUid: uid }, base, life);
  if (life.dead() || !story.pods.has(uid)) return;
  await life.runtime.run(vm, { shares: [] });
}

function endPod(story: Story): void {
  const uids = [...story.pods.keys()];
  const uid = uids[story.random.below(uids.length)];
  if (uid === undefined) return;
  const pod = story.pods.get(uid);
  if (pod?.wantsImage === true && story.random.below(2) === 0) {
    story.pods.set(uid, { ...pod, wantsImage: false });
    return;
  }
  for (const vm of pod?.vms ?? []) story.mac.tart.endGuest(vm);
  story.pods.delete(uid);
}

async function step(story: Story, life: AgentLife): Promise<AgentLife> {
  const { random, clock } = story;
  const image = IMAGES[random.below(IMAGES.length)] ?? '';
  const policy = random.below(2) === 0 ? 'Always' : 'IfNotPresent';
  switch (random.below(9)) {
    case 0:
      begin(story, `base ${image}`, () => ensureBase({ image, policy, onProgress: () => undefined }, life));
      break;
    case 1:
    case 2:
      begin(story, `pod ${image} ${policy}`, () => runPod(story, life, image, policy));
      break;
    case 3:
      story.log.push(`retag ${image}`);
      story.tags[image] = {
        digest: digestOf(`${image} ${random.below(4)}`),
        pullSeconds: 1 + random.below(20),
        sizeGb: 20,
      };
      break;
    case 4:
      story.log.push('end a Pod');
      endPod(story);
      break;
    case 5:
      begin(story, 'gc', () => life.gc.collect('routine'));
      break;
    case 6:
      begin(story, 'aggressive gc', () => life.gc.collect('aggressive'));
      break;
    case 7:
      story.log.push('a day passes');
      await clock.advance(random.below(2) === 0 ? 25 * 3600_000 : 10_000);
      break;
    default:
      story.log.push('crash');
      life.dieAfter(random.below(6));
      await settle(story);
      story.busy.clear();
      return aLife(story);
  }
  if (random.below(2) === 0) await settle(story);
  return life;
}

async function settle(story: Story): Promise<void> {
  await story.clock.runUntil(() => story.busy.size === 0, 3600_000);
}

async function tell(seed: number): Promise<Story> {
  const clock = virtualClock();
  const tags: Record<string, RegistryImage> = {};
  for (const image of IMAGES) tags[image] = { digest: digestOf(`${image} 0`), pullSeconds: 5, sizeGb: 20 };
  const registry = () => ({ images: { ...tags, [STRANGERS_IMAGE]: { pullSeconds: 0 } } });
  const mac = inProcessMac({ clock, registry, hostname: 'mac', hardwareUuid: 'hw', diskGb: 130 });
  const story: Story = {
    clock,
    random: seededRandom(seed),
    mac,
    tags,
    pods: new Map(),
    violations: [],
    busy: new Set(),
    log: [],
    podsMade: 0,
    removals: 0,
  };
  begin(story, "a stranger's VM", async () => {
    await mac.tart.pull(STRANGERS_IMAGE, () => undefined);
    await mac.tart.clone(STRANGERS_IMAGE, 'stranger');
  });
  await settle(story);
  let life = aLife(story);
  for (let n = 0; n < STEPS; n++) life = await step(story, life);
  await settle(story);

  begin(story, 'last gc', () => life.gc.collect('routine'));
  await settle(story);
  const again: string[] = [];
  begin(story, 'gc again', async () => again.push(...(await life.gc.collect('routine')).map(({ name }) => name)));
  await settle(story);
  for (const name of again) story.violations.push(`${name}: a second collection freed it`);
  if (mac.tart.host.store.vm('stranger') === undefined) story.violations.push("the stranger's VM is gone");
  if (cached(mac.tart.host.store, STRANGERS_IMAGE) === undefined) story.violations.push("the stranger's image is gone");
  return story;
}

/** What a history came to, when it broke a rule. */
export interface Violation {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly history: readonly string[];
}

/** Tells histories until one breaks a rule; answers it, and how much was collected. */
async function tellAll(from: number, to: number): Promise<{ broken?: Violation; collected: number }> {
  let collected = 0;
  for (let seed = from; seed <= to; seed++) {
    const { violations, log, removals } = await tell(seed);
    collected += removals;
    if (violations.length > 0) return { broken: { seed, violations, history: log }, collected };
  }
  return { collected };
}

parentPort?.postMessage(await tellAll(workerData.from, workerData.to));
