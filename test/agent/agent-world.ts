// One agent on one simulated Mac, over the real API handler, in virtual time: what a user sees of it.

import { type InProcessMac, inProcessMac } from '../../sim/tart/in-process-host.ts';
import { anyImage, type Registry } from '../../sim/tart/registry.ts';
import { type VirtualClock, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { type AgentPorts, agent } from '../../src/agent/index.ts';
import type { AgentSettings } from '../../src/agent/settings.ts';
import { silentLog } from '../../src/base/log.ts';
import type { Labels, Metrics } from '../../src/base/metrics.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { openWorld } from '../../src/fleet/world.ts';
import type { Api } from '../../src/kube/api.ts';
import type { KubeWorld } from '../../src/kube/controller.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Pod, type PodSpec } from '../../src/kube/core/pod.ts';
import type { ObjectMeta } from '../../src/kube/object.ts';
import type { ApiRequest, Transport } from '../../src/kube/transport.ts';

export const NODE = 'mac-0';
export const IMAGE = 'ghcr.io/tuist/runner:macos-26';
export const PROVIDER_ID = 'scw-applesilicon://fr-par-1/11111111-1111-4111-8111-111111111111';

export interface AgentTestOptions {
  readonly registry?: Registry;
  readonly settings?: Partial<AgentSettings>;
  readonly diskGb?: number;
  /** Requests that the API answers with 403. */
  readonly refuses?: (request: ApiRequest) => boolean;
}

/** What was told to the metrics, by `name{label=value}`. */
type Counted = ReadonlyMap<string, readonly number[]>;

export interface AgentTestWorld {
  readonly api: Api;
  readonly clock: VirtualClock;
  readonly mac: InProcessMac;
  readonly events: readonly string[];
  readonly counted: Counted;
  /** Changes what the registry serves from now on. */
  serve(registry: Registry): void;
  pod(name: string, spec?: Partial<PodSpec>, metadata?: Partial<ObjectMeta>): Promise<Pod>;
  find(name: string): Promise<Pod | undefined>;
  node(): Promise<Node | undefined>;
  /** Lets time pass until the Pod is as wanted; fails when it is not within `seconds`. */
  until(name: string, wanted: (pod: Pod | undefined) => boolean, seconds?: number): Promise<Pod | undefined>;
  /** Ends this agent's life, VMs untouched, and begins another on the same Mac (or on another one). */
  restart(mac?: InProcessMac, settings?: Partial<AgentSettings>): Promise<void>;
  stop(): Promise<void>;
  close(): Promise<void>;
}

const USUAL: AgentSettings = {
  nodeName: NODE,
  providerId: PROVIDER_ID,
  nodeLabels: { 'tuist.dev/fleet': 'builders' },
  cpu: 8,
  memoryMb: 16_384,
  maxPods: 5,
  minGoldensKept: 1,
  collectsGarbage: true,
  inheritsUpstream: false,
};

export async function agentTestWorld(options: AgentTestOptions = {}): Promise<AgentTestWorld> {
  const clock = virtualClock();
  const random = seededRandom('agent');
  const served = await inProcessApi({ clock, random });
  const counted = new Map<string, number[]>();
  const transport = refusingTransport(served.transport, options.refuses ?? (() => false));
  const open = openWorld({ transport, component: 'agent', clock, random, log: silentLog, metrics: counting(counted) });
  const events: string[] = [];
  let registry = options.registry ?? anyImage;
  const mac = aMac({
    clock,
    registry: () => registry,
    ...(options.diskGb === undefined ? {} : { diskGb: options.diskGb }),
  });
  let life: { stop: () => Promise<void> } | undefined;

  const begin = (on: InProcessMac, changed: Partial<AgentSettings>): void => {
    life = startAgent({ ...open, events: noting(events) }, on, { ...options.settings, ...changed });
  };
  const stop = async (): Promise<void> => {
    const ended = life?.stop();
    await clock.advance(1000);
    await ended;
    life = undefined;
  };
  begin(mac, {});
  await clock.advance(1000);

  const find = (name: string): Promise<Pod | undefined> => open.api.find(Pod, { namespace: 'default', name });
  return {
    api: open.api,
    clock,
    mac,
    events,
    counted,
    find,
    serve: next => {
      registry = next;
    },
    node: () => open.api.find(Node, { name: NODE }),
    pod: (name, spec = {}, metadata = {}) =>
      open.api.create(Pod, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', ...metadata },
        spec: { nodeName: NODE, restartPolicy: 'Never', containers: [{ name: 'vm', image: IMAGE }], ...spec },
      }),
    until: async (name, wanted, seconds = 120) => {
      for (let passed = 0; passed <= seconds * 2; passed++) {
        const pod = await find(name);
        if (wanted(pod)) return pod;
        await clock.advance(500);
      }
      throw new Error(`not within ${seconds} s: ${JSON.stringify((await find(name))?.status)}`);
    },
    restart: async (on = mac, changed = {}) => {
      await stop();
      begin(on, changed);
      await clock.advance(1000);
    },
    stop,
    close: async () => {
      await stop();
      await open.close();
      await served.close();
    },
  };
}

/** An agent on this Mac, until it is stopped. */
export function startAgent(
  world: KubeWorld,
  mac: InProcessMac,
  settings: Partial<AgentSettings>,
): { stop: () => Promise<void> } {
  const ports: AgentPorts = {
    ...world,
    runtime: mac.tart,
    host: mac.host,
    records: mac.records,
    settings: { ...USUAL, ...settings },
  };
  const stopping = new AbortController();
  const running = agent({ ports, lease: { api: world.api, reconnect: () => undefined } }, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** A Mac of its own. */
export function aMac(more: {
  clock: VirtualClock;
  registry?: () => Registry;
  diskGb?: number;
  hardwareUuid?: string;
}): InProcessMac {
  return inProcessMac({
    registry: () => anyImage,
    hostname: NODE,
    hardwareUuid: 'hw-1',
    address: '10.0.0.5',
    ...more,
  });
}

export const isRunning = (pod: Pod | undefined): boolean =>
  pod?.status?.phase === 'Running' && pod.status.containerStatuses?.[0]?.ready === true;

export const isGone = (pod: Pod | undefined): boolean => pod === undefined;

export const phaseIs =
  (phase: string) =>
  (pod: Pod | undefined): boolean =>
    pod?.status?.phase === phase;

function refusingTransport(transport: Transport, refuses: (request: ApiRequest) => boolean): Transport {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Forbidden',
    message: 'refused',
    code: 403,
  };
  const refusal = { status: 403, headers: {}, body: new TextEncoder().encode(JSON.stringify(status)) };
  return async request => (refuses(request) ? refusal : transport(request));
}

function noting(events: string[]): AgentPorts['events'] {
  const note = (about: { metadata: ObjectMeta }, reason: string, message: string): void =>
    void events.push(`${about.metadata.name} ${reason}: ${message}`);
  return { normal: note, warning: note };
}

/** Metrics that note every observation by name and labels. */
export function counting(counted: Map<string, number[]>): Metrics {
  const note = (name: string, labels: Labels, value: number): void => {
    const key = `${name}{${Object.entries(labels)
      .map(([label, of]) => `${label}=${of}`)
      .join(',')}}`;
    counted.set(key, [...(counted.get(key) ?? []), value]);
  };
  return {
    counter: ({ name }) => ({ add: (labels = {}, by = 1) => note(name, labels, by) }),
    gauge: ({ name }) => ({ set: (value, labels = {}) => note(name, labels, value), forget: () => undefined }),
    histogram: ({ name }) => ({ observe: (value, labels = {}) => note(name, labels, value) }),
  };
}
