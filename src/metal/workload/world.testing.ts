// A management cluster and workload clusters for tests: embedded APIs in this process, virtual time, faults on the way.

import { settled, type VirtualClock, virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { createApi } from '../../apiserver/api.ts';
import {
  builtinSchema,
  defaultAdmission,
  fieldOwnership,
  resources,
  strategicMerge,
} from '../../apiserver/builtin/index.ts';
import { crdCheck, customSchemaWork as customSchema } from '../../apiserver/schema/index.ts';
import { memoryStore } from '../../apiserver/store-memory.ts';
import { silentLog } from '../../base/log.ts';
import { type Metrics, noMetrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import definitions from '../../kinds/generated/definitions.generated.json' with { type: 'json' };
import metalDefinitions from '../../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import standIns from '../../kinds/generated/metal-stand-ins.generated.json' with { type: 'json' };
import type { Api } from '../../kube/api.ts';
import { callerOf, client } from '../../kube/client.ts';
import type { ClusterAccess } from '../../kube/cluster-access.ts';
import { CustomResourceDefinition, Secret } from '../../kube/core/other.ts';
import { Unavailable } from '../../kube/errors.ts';
import { caches } from '../../kube/informer.ts';
import { type Kind, resourceName } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import { type Runnable, runControllers } from '../../kube/run.ts';
import type { ApiResponse, EventStream, Transport } from '../../kube/transport.ts';
import { type MetalWorld, USUAL_METAL_SETTINGS } from '../world.ts';
import { workloadClusters } from './clusters.ts';

export const NS = 'metal';
const ADMIN = { name: 'admin', groups: ['system:masters'] };

/** One workload cluster, and what can be wrong with the way to it. */
export interface SimWorkload {
  readonly api: Api;
  /** `GET /api/v1/nodes`, in the order they came. */
  readonly requests: string[];
  /** Watches that are open now. */
  readonly watches: Set<EventStream>;
  /** Tokens that are let in. */
  readonly tokens: Set<string>;
  /** Every request fails, or is answered with this status. */
  trouble: 'dead' | number | undefined;
  /** Its watches tell nothing before this is settled. */
  late: Promise<void>;
}

export interface MetalTest {
  readonly world: MetalWorld;
  /** The management cluster as the test sees it. */
  readonly api: Api;
  readonly clock: VirtualClock;
  /** `Normal Reason: message` of every Event told. */
  readonly told: string[];
  /** `PATCH /apis/...` of every write that a controller made in the management cluster. */
  readonly writes: string[];
  /** Names of workload clusters dialled, in order. */
  readonly dialled: string[];
  /** How often each controller looked at an object, by its name. */
  readonly passes: ReadonlyMap<string, number>;
  workloadCluster(name: string): Promise<SimWorkload>;
  run(...controllers: readonly Runnable<MetalWorld>[]): void;
  /** Stops every controller, as a crash between two steps would, and starts them again. */
  restart(): Promise<void>;
  /** Stops every controller; `restart` starts them all the same. */
  halt(): Promise<void>;
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** Stands between the controllers and the management cluster. */
export type Between = (transport: Transport) => Transport;

export async function aMetalTest(
  kinds: readonly Kind[],
  between: Between = transport => transport,
  /** What becomes of each definition before it is installed. */
  prepared: (definition: CustomResourceDefinition) => CustomResourceDefinition = definition => definition,
): Promise<MetalTest> {
  const clock = virtualClock();
  const random = seededRandom('metal');
  const served = await anApi(clock, random.stream('management'));
  const { api } = served;
  const wanted = new Set(kinds.map(resourceName));
  for (const each of [...definitions, ...metalDefinitions, ...standIns]) {
    if (!wanted.has(each.metadata.name)) continue;
    await api.create<CustomResourceDefinition>(CustomResourceDefinition, prepared(each));
  }
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } };
  await served.transport({ ...POST, path: '/api/v1/namespaces', body: Buffer.from(JSON.stringify(namespace)) });
  const workloads = new Map<string, SimWorkload & { readonly transport: (token: string) => Transport }>();
  const [told, writes, dialled]: [string[], string[], string[]] = [[], [], []];
  const passes = new Map<string, number>();
  const metrics = passCounting(passes);
  const tell = (type: string) => (_: KubeObject, reason: string, message: string) =>
    void told.push(`${type} ${reason}: ${message}`);

  const dial = (access: ClusterAccess): Transport => {
    const name = new URL(access.server).hostname;
    dialled.push(name);
    return async request => {
      const token = (await access.token?.()) ?? '';
      const workload = workloads.get(name);
      if (workload === undefined) throw new Unavailable(request.path, `no host ${name}`);
      return workload.transport(token)(request);
    };
  };
  const noting: Transport = request => {
    if (request.method !== 'GET') writes.push(`${request.method} ${request.path}`);
    return served.transport(request);
  };
  const begin = () => {
    const transport = between(noting);
    const options = { clock, identity: ADMIN };
    const own = caches({ caller: callerOf(transport, options), random, log: silentLog, metrics: noMetrics });
    const seams = { clock, random, log: silentLog, metrics };
    const base = { ...seams, api: client(transport, options), caches: own };
    const workload = workloadClusters({ ...base, dial });
    const events = { normal: tell('Normal'), warning: tell('Warning') };
    const world: MetalWorld = { ...base, events, settings: USUAL_METAL_SETTINGS, workload };
    return { world, own, workload, stopping: new AbortController() };
  };
  let life = begin();
  let started: readonly Runnable<MetalWorld>[] = [];
  let ended: Promise<void> = Promise.resolve();
  const start = (controllers: readonly Runnable<MetalWorld>[]): void => {
    started = controllers;
    ended = runControllers(life.world, controllers, life.stopping.signal);
  };
  const end = async (): Promise<void> => {
    life.stopping.abort(new Error('stopped'));
    life.workload.close();
    await settled();
    await clock.advance(60_000);
    await ended;
    await life.own.stop();
  };
  return {
    get world() {
      return life.world;
    },
    api,
    clock,
    told,
    writes,
    dialled,
    passes,
    run: (...controllers) => start(controllers),
    restart: async () => {
      await end();
      life = begin();
      start(started);
    },
    halt: end,
    workloadCluster: async name => {
      const workload = await simWorkload(clock, random.stream(`workload ${name}`));
      workloads.set(name, workload);
      return workload;
    },
    pass: ms => clock.advance(ms),
    stop: end,
  };
}

const passCounting = (passes: Map<string, number>): Metrics => ({
  ...noMetrics,
  histogram: ({ name }) => ({
    observe: (_seconds, labels) => {
      const { controller } = labels ?? {};
      if (name !== 'pippin_pass_seconds' || controller === undefined) return;
      passes.set(controller, (passes.get(controller) ?? 0) + 1);
    },
  }),
});

const POST = { method: 'POST', query: '', headers: { 'content-type': 'application/json' }, identity: ADMIN } as const;

async function anApi(
  clock: VirtualClock,
  random: Random,
): Promise<{ readonly api: Api; readonly transport: Transport }> {
  const schemas = { builtinSchema, customSchema, crdCheck };
  const parts = { resources, ...schemas, strategicMerge, fieldOwnership, admission: [defaultAdmission] };
  const { transport } = await createApi({ store: memoryStore(), clock, random, parts: () => parts });
  const asAdmin: Transport = request => transport({ ...request, identity: request.identity ?? ADMIN });
  return { api: client(asAdmin, { clock }), transport: asAdmin };
}

async function simWorkload(clock: VirtualClock, random: Random) {
  const { api, transport } = await anApi(clock, random);
  const watches = new Set<EventStream>();
  const sim: SimWorkload & { transport: (token: string) => Transport } = {
    api,
    requests: [],
    watches,
    tokens: new Set(['good']),
    trouble: undefined,
    late: Promise.resolve(),
    transport: token => async request => {
      sim.requests.push(`${request.method} ${request.path}`);
      if (sim.trouble === 'dead') throw new Unavailable(request.path, 'connection refused');
      if (sim.trouble !== undefined) return refused(sim.trouble);
      if (!sim.tokens.has(token)) return refused(401);
      return counted(await transport(request), sim);
    },
  };
  return sim;
}

const refused = (status: number): ApiResponse => ({ status, headers: {}, body: new Uint8Array() });

function counted(answer: ApiResponse, sim: SimWorkload): ApiResponse {
  const { stream } = answer;
  if (stream === undefined) return answer;
  const open: EventStream = {
    next: async () => {
      const event = await stream.next();
      await sim.late;
      return event;
    },
    close: reason => {
      sim.watches.delete(open);
      stream.close(reason);
    },
  };
  sim.watches.add(open);
  return { ...answer, stream: open };
}

/** A kubeconfig with a token in it; `more` is put below its user, or its cluster. */
export const kubeconfigText = (
  name: string,
  more: { readonly user?: string; readonly cluster?: string; readonly token?: string } = {},
): string => `apiVersion: v1
kind: Config
current-context: admin
contexts:
- {name: admin, context: {cluster: ${name}, user: admin}}
clusters:
- name: ${name}
  cluster:
    server: https://${name}:6443
${more.cluster === undefined ? '' : `    ${more.cluster}\n`}users:
- name: admin
  user:
    ${more.user ?? `token: ${more.token ?? 'good'}`}
`;

/** Writes the Secret that holds the kubeconfig of a workload cluster. */
export async function putKubeconfig(api: Api, cluster: string, text: string): Promise<void> {
  const metadata = {
    name: `${cluster}-kubeconfig`,
    namespace: NS,
    labels: { 'cluster.x-k8s.io/cluster-name': cluster },
  };
  const data = { value: Buffer.from(text).toString('base64') };
  await api.patch<Secret>(Secret, metadata, { apiVersion: 'v1', kind: 'Secret', metadata, data }, APPLY);
}

const APPLY = { type: 'apply', fieldManager: 'test', force: true } as const;
