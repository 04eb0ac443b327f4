// A small cluster for tests: the embedded API in memory, virtual time, and the controllers that a test asks for.

import { settled, type VirtualClock, virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { createApi } from '../apiserver/api.ts';
import {
  builtinSchema,
  defaultAdmission,
  fieldOwnership,
  resources,
  strategicMerge,
} from '../apiserver/builtin/index.ts';
import { crdCheck, customSchemaWork as customSchema } from '../apiserver/schema/index.ts';
import { memoryStore } from '../apiserver/store-memory.ts';
import { silentLog } from '../base/log.ts';
import { type Metrics, noMetrics } from '../base/metrics.ts';
import definitions from '../kinds/generated/definitions.generated.json' with { type: 'json' };
import type { Api } from '../kube/api.ts';
import type { Caches } from '../kube/cache.ts';
import { callerOf, client } from '../kube/client.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { CustomResourceDefinition } from '../kube/core/other.ts';
import { caches } from '../kube/informer.ts';
import type { KubeObject } from '../kube/object.ts';
import type { Runnable } from '../kube/run.ts';
import { runControllers } from '../kube/run.ts';
import type { Transport } from '../kube/transport.ts';
import { type Discovery, discoveryOf } from './served/discovery.ts';

const ADMIN = { name: 'admin', groups: ['system:masters'] };

export interface TestWorld {
  readonly api: Api;
  readonly clock: VirtualClock;
  readonly discovery: Discovery;
  readonly caches: Caches;
  /** `type reason: message` of every event that was told. */
  readonly told: readonly string[];
  run(controllers: readonly Runnable<KubeWorld>[]): void;
  /** Lets everything happen that is due within `ms`, one second at a time. */
  pass(ms: number): Promise<void>;
  stop(): Promise<void>;
}

export interface TestOptions {
  /** Stands between the controllers and the API. */
  readonly between?: (transport: Transport) => Transport;
  readonly metrics?: Metrics;
}

export async function aWorld({
  between = transport => transport,
  metrics = noMetrics,
}: TestOptions = {}): Promise<TestWorld> {
  const clock = virtualClock();
  const random = seededRandom('builtin');
  const schemas = { builtinSchema, customSchema, crdCheck };
  const parts = { resources, ...schemas, strategicMerge, fieldOwnership, admission: [defaultAdmission] };
  const embedded = await createApi({ store: memoryStore(), clock, random: random.stream('api'), parts: () => parts });
  const api = client(embedded.transport, { clock, identity: ADMIN });
  const caller = callerOf(between(embedded.transport), { clock, identity: ADMIN });
  const own = caches({ caller, random: random.stream('caches'), log: silentLog, metrics: noMetrics });
  const told: string[] = [];
  const tell = (type: string) => (_about: KubeObject, reason: string, message: string) => {
    told.push(`${type} ${reason}: ${message}`);
  };
  const world: KubeWorld = {
    api: client(between(embedded.transport), { clock, identity: ADMIN }),
    caches: own,
    events: { normal: tell('Normal'), warning: tell('Warning') },
    clock,
    random: random.stream('controllers'),
    log: silentLog,
    metrics,
  };
  const stopping = new AbortController();
  const runs: Promise<void>[] = [];
  return {
    api,
    clock,
    told,
    discovery: discoveryOf(caller),
    caches: own,
    run: controllers => {
      runs.push(runControllers(world, controllers, stopping.signal));
    },
    pass: ms => clock.advance(ms),
    stop: async () => {
      stopping.abort(new Error('the test is over'));
      await settled();
      await clock.advance(60_000);
      await Promise.all(runs);
      await own.stop();
      await embedded.close();
    },
  };
}

/** Installs every CRD of this repository. */
export async function withCrds(world: TestWorld): Promise<void> {
  for (const crd of definitions) await world.api.create<CustomResourceDefinition>(CustomResourceDefinition, crd);
  await world.pass(0);
}
