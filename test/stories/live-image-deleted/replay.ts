// Replays the trace on two Macs with real agents, under our collector or under the report's rule, and judges by the model.

import { type InProcessMac, inProcessMac } from '../../../sim/tart/in-process-host.ts';
import { cached } from '../../../sim/tart/model.ts';
import { digestOf, type Registry } from '../../../sim/tart/registry.ts';
import { type VirtualClock, virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { isContentId, repositoryOf } from '../../../src/agent/images/reference.ts';
import { silentLog } from '../../../src/base/log.ts';
import { inProcessApi } from '../../../src/fleet/api.ts';
import { openWorld } from '../../../src/fleet/world.ts';
import { RUNNER_POOL_LABEL } from '../../../src/kinds/wire.ts';
import type { Api } from '../../../src/kube/api.ts';
import { isTerminal, Pod } from '../../../src/kube/core/pod.ts';
import { counting, startAgent } from '../../agent/agent-world.ts';
import type { Provision, Trace } from './trace.ts';
import { collectByText } from './upstream-rule.ts';

export type Rule = 'pippin' | 'text';

/** What the two hours came to. */
export interface Account {
  readonly provisions: number;
  /** Pods whose job was done in the end. */
  readonly done: number;
  /** Images deleted although a pool's tag stood for them or a VM on the disk came from them. */
  readonly liveDeleted: number;
  /** Distinct contents that each host had to see once. */
  readonly firstSights: number;
  readonly warm: number;
  readonly cold: number;
  readonly pulledGb: number;
  /** Contents in the caches at the end that no tag stands for. */
  readonly supersededLeft: number;
  readonly medianWorkSeconds: number;
}

const SIZE_GB = 70;
const PULL_SECONDS = 450;
const JOB_SECONDS = 120;
const COLLECT_EVERY_MS = 5 * 60_000;
const NODES = ['mac-a', 'mac-b'] as const;

export async function replay(trace: Trace, rule: Rule): Promise<Account> {
  const clock = virtualClock();
  const random = seededRandom(`live image ${rule}`);
  const served = await inProcessApi({ clock, random });
  const told = new Map<string, number[]>();
  const open = openWorld({ ...served, component: 'story', clock, random, log: silentLog, metrics: counting(told) });
  const versions = new Map(trace.images.map(image => [image, 1]));
  const macs = new Map(NODES.map(node => [node, aMac(node, () => registryOf(versions), clock)]));
  const watch = watching(macs, () => trace.images);
  const agents = NODES.map(node => {
    const mac = macs.get(node);
    if (mac === undefined) throw new Error(node);
    return startAgent(open, mac, {
      nodeName: node,
      providerId: `scw-applesilicon://fr-par-1/${node}`,
      collectsGarbage: rule === 'pippin',
    });
  });
  await clock.advance(1000);
  await warmUp(trace, macs, clock);
  const startMs = clock.monotonic();

  for (const { atMs, act } of timeline(trace, {
    provision: provision => open.api.create(Pod, aPod(provision)).then(() => undefined),
    move: move => void versions.set(move.image, move.version),
    collect: () => collectAll(rule, macs, () => open.api.list(Pod)),
    sweep: () => deleteEnded(open.api),
  })) {
    await clock.advance(Math.max(0, startMs + atMs - clock.monotonic()));
    const acting = Promise.resolve(act());
    await clock.advance(0);
    await acting;
  }
  await deleteEnded(open.api);
  await clock.advance(10 * 60_000);

  const pods = (await open.api.list(Pod)).items;
  const account: Account = {
    ...watch.account(),
    provisions: trace.provisions.length,
    done: trace.provisions.length - pods.length,
    firstSights: sum(told, 'cold_starts_total', key => /first-sight|tag-moved/.test(key)),
    warm: sum(told, 'golden_base_reused_total'),
    cold: sum(told, 'golden_base_materialized_total'),
    supersededLeft: supersededIn(macs),
    medianWorkSeconds: median([...told].flatMap(([key, values]) => (key.includes('provision_work') ? values : []))),
  };
  const stopped = agents.map(agent => agent.stop());
  await clock.advance(1000);
  await Promise.all(stopped);
  await open.close();
  await served.close();
  return account;
}

function aMac(hostname: string, registry: () => Registry, clock: VirtualClock): InProcessMac {
  return inProcessMac({ clock, registry, hostname, hardwareUuid: hostname, address: '10.0.0.1', diskGb: 900 });
}

/** By digest: tart keeps such content whatever its tags do, so that only a collector ends it. */
async function warmUp(trace: Trace, macs: ReadonlyMap<string, InProcessMac>, clock: VirtualClock): Promise<void> {
  for (const { node, image } of trace.warmed) {
    const pulling = macs.get(node)?.tart.pull(`${repositoryOf(image)}@${digestOf(`${image} 1`)}`, () => undefined);
    await clock.advance(PULL_SECONDS * 1000);
    await pulling;
  }
}

function registryOf(versions: ReadonlyMap<string, number>): Registry {
  const image = (name: string, version: number) => ({
    digest: digestOf(`${name} ${version}`),
    sizeGb: SIZE_GB,
    pullSeconds: PULL_SECONDS,
    guest: { bootSeconds: 30, livesSeconds: JOB_SECONDS, exitCode: 0 },
  });
  return { images: Object.fromEntries([...versions].map(([name, version]) => [name, image(name, version)])) };
}

let podNumber = 0;

function aPod({ pool, node, image }: Provision): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `${pool}-${++podNumber}`, namespace: 'default', labels: { [RUNNER_POOL_LABEL]: pool } },
    spec: {
      nodeName: node,
      restartPolicy: 'Never',
      containers: [{ name: 'runner', image, imagePullPolicy: 'Always' }],
    },
  };
}

interface Acts {
  provision(provision: Provision): Promise<void>;
  move(move: Trace['moves'][number]): void;
  collect(): Promise<void>;
  sweep(): Promise<void>;
}

function timeline(trace: Trace, acts: Acts): readonly { atMs: number; act: () => Promise<void> | void }[] {
  const ticks = Array.from(
    { length: Math.floor(trace.endMs / COLLECT_EVERY_MS) },
    (_, n) => (n + 1) * COLLECT_EVERY_MS,
  );
  return [
    ...trace.moves.map(move => ({ atMs: move.atMs, act: () => acts.move(move) })),
    ...trace.provisions.map(provision => ({ atMs: provision.atMs, act: () => acts.provision(provision) })),
    ...ticks.flatMap(atMs => [
      { atMs, act: acts.collect },
      { atMs, act: acts.sweep },
    ]),
  ].sort((a, b) => a.atMs - b.atMs);
}

/** The report's rule runs where upstream's agent ran it; ours runs in the agents themselves. */
async function collectAll(
  rule: Rule,
  macs: ReadonlyMap<string, InProcessMac>,
  list: () => Promise<{ items: readonly Pod[] }>,
): Promise<void> {
  if (rule === 'pippin') return;
  const { items } = await list();
  for (const [node, mac] of macs) {
    const here = items.filter(pod => pod.spec.nodeName === node && !isTerminal(pod));
    await collectByText(
      mac,
      here.map(pod => pod.spec.containers[0]?.image ?? ''),
    );
  }
}

/** What a runner pool does with finished Pods. */
async function deleteEnded(api: Api): Promise<void> {
  for (const pod of (await api.list(Pod)).items.filter(isTerminal)) {
    await api.delete(Pod, { namespace: 'default', name: pod.metadata.name });
  }
}

/** Judges each deletion when it is asked for, by the model alone, and counts what is pulled. */
function watching(macs: ReadonlyMap<string, InProcessMac>, images: () => readonly string[]) {
  let liveDeleted = 0;
  let pulledGb = 0;
  for (const mac of macs.values()) {
    const { tart } = mac;
    const { store } = tart.host;
    const remove = tart.delete;
    const pull = tart.pull;
    Object.assign(tart, {
      delete: async (name: string) => {
        if (isLive(name)) liveDeleted += 1;
        await remove(name);
      },
      pull: async (image: string, onProgress: (percent: number) => void) => {
        let moved = false;
        await pull(image, percent => {
          moved = true;
          onProgress(percent);
        });
        if (moved) pulledGb += SIZE_GB;
      },
    });
    const isLive = (name: string): boolean => {
      if (store.vm(name) !== undefined) return false;
      const id = isContentId(name) ? name : cached(store, name);
      const byTag = images().some(image => cached(store, image) === id);
      return id !== undefined && (byTag || store.vmNames().some(vm => store.vm(vm)?.base === id));
    };
  }
  return { account: () => ({ liveDeleted, pulledGb }) };
}

function supersededIn(macs: ReadonlyMap<string, InProcessMac>): number {
  return [...macs.values()].reduce((left, { tart }) => {
    const { store } = tart.host;
    const named = new Set(store.tags().values());
    return left + store.imageIds().filter(id => !named.has(id)).length;
  }, 0);
}

function sum(
  told: ReadonlyMap<string, readonly number[]>,
  name: string,
  which: (key: string) => boolean = () => true,
): number {
  const values = [...told].flatMap(([key, observed]) => (key.includes(name) && which(key) ? observed : []));
  return values.reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
