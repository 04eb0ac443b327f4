// A cluster with the address manager for tests: the embedded API in memory, virtual time, and faults on the way to it.

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
import { customSchemaWork as customSchema } from '../apiserver/schema/index.ts';
import { memoryStore } from '../apiserver/store-memory.ts';
import { silentLog } from '../base/log.ts';
import { noMetrics } from '../base/metrics.ts';
import { Cluster } from '../kinds/generated/cluster.generated.ts';
import definitions from '../kinds/generated/definitions.generated.json' with { type: 'json' };
import metalDefinitions from '../kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import standIns from '../kinds/generated/metal-stand-ins.generated.json' with { type: 'json' };
import type { Api } from '../kube/api.ts';
import { callerOf, client } from '../kube/client.ts';
import type { KubeWorld } from '../kube/controller.ts';
import { CustomResourceDefinition, Namespace } from '../kube/core/other.ts';
import { caches } from '../kube/informer.ts';
import { type Kind, resourceName } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import { runControllers } from '../kube/run.ts';
import type { Transport } from '../kube/transport.ts';
import { ipamControllers } from './index.ts';
import { CAPI_KINDS, METAL3_KINDS } from './objects.testing.ts';
import { type IpamSettings, USUAL_IPAM_SETTINGS } from './world.ts';

const NS = 'metal';
const ADMIN = { name: 'admin', groups: ['system:masters'] };

export interface IpamTest {
  readonly api: Api;
  readonly clock: VirtualClock;
  /** `Normal Reason: message` of every Event told. */
  readonly told: readonly string[];
  /** `PATCH ipclaims/a/status` of every write that a controller made. */
  readonly writes: string[];
  /** `ipclaims/a` of every object that a controller read live; discovery and lists are not among them. */
  readonly reads: string[];
  define(kinds: readonly Kind[]): Promise<void>;
  /** Lets everything happen that is due within `ms`. */
  pass(ms: number): Promise<void>;
  /** Stops every controller, as a crash would, and starts them again with nothing in memory. */
  restart(): Promise<void>;
  /** Stops every controller for good; `restart` starts them all the same. */
  halt(): Promise<void>;
  stop(): Promise<void>;
}

export interface IpamTestOptions {
  readonly kinds?: readonly Kind[];
  readonly settings?: IpamSettings;
  /** Stands between the controllers and the API. */
  readonly between?: (transport: Transport) => Transport;
  /** As in KubeWorld: waits on API objects set no timer. */
  readonly rechecks?: KubeWorld['rechecks'];
  /** Definitions as upstream's: without our rules, and without conditions where upstream has none. */
  readonly definitions?: 'upstream';
  /** Which of the controllers run; all unless told otherwise. */
  readonly only?: readonly string[];
}

export async function anIpamTest(options: IpamTestOptions = {}): Promise<IpamTest> {
  const { kinds = [...METAL3_KINDS, ...CAPI_KINDS], settings = USUAL_IPAM_SETTINGS, between = next => next } = options;
  const clock = virtualClock();
  const random = seededRandom('ipam');
  // Definitions are not judged: other tests do, and it is most of the time that a start takes.
  const schemas = { builtinSchema, customSchema };
  const parts = { resources, ...schemas, strategicMerge, fieldOwnership, admission: [defaultAdmission] };
  const embedded = await createApi({ store: memoryStore(), clock, random: random.stream('api'), parts: () => parts });
  const api = client(embedded.transport, { clock, identity: ADMIN });
  const [told, writes, reads]: [string[], string[], string[]] = [[], [], []];
  const noting: Transport = request => {
    const [, what = ''] = /\/namespaces\/[^/]+\/(.*)$/.exec(request.path) ?? [];
    if (request.method !== 'GET') writes.push(`${request.method} ${what}`);
    else if (what.includes('/')) reads.push(what);
    return embedded.transport(request);
  };
  const tell = (type: string) => (_: KubeObject, reason: string, message: string) =>
    void told.push(`${type} ${reason}: ${message}`);
  const begin = () => {
    const transport = between(noting);
    const seams = { clock, random, log: silentLog, metrics: noMetrics };
    const own = caches({ caller: callerOf(transport, { clock, identity: ADMIN }), ...seams });
    const stopping = new AbortController();
    const world: KubeWorld = {
      ...seams,
      api: client(transport, { clock, identity: ADMIN }),
      caches: own,
      events: { normal: tell('Normal'), warning: tell('Warning') },
      ...(options.rechecks === undefined ? {} : { rechecks: options.rechecks }),
    };
    const wanted = ipamControllers(settings).filter(({ name }) => options.only?.includes(name) ?? true);
    return { own, stopping, ended: runControllers(world, wanted, stopping.signal) };
  };
  const define = async (some: readonly Kind[]): Promise<void> => {
    const names = new Set(some.map(resourceName));
    for (const each of [...definitions, ...metalDefinitions, ...standIns]) {
      if (!names.has(each.metadata.name)) continue;
      const definition = options.definitions === 'upstream' ? asUpstream(each) : each;
      await api.create<CustomResourceDefinition>(CustomResourceDefinition, definition);
    }
  };
  await define([Cluster, ...kinds]);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  let life: ReturnType<typeof begin> | undefined = begin();
  const halt = async (): Promise<void> => {
    life?.stopping.abort(new Error('stopped'));
    await settled();
    await clock.advance(100);
    await life?.ended;
    await life?.own.stop();
    life = undefined;
  };
  return {
    api,
    clock,
    told,
    writes,
    reads,
    define,
    halt,
    pass: ms => clock.advance(ms),
    restart: async () => {
      await halt();
      life = begin();
      await clock.advance(0);
    },
    stop: async () => {
      await halt();
      await embedded.close();
    },
  };
}

/** Nothing in the kinds of ipam.metal3.io has conditions or rules upstream: its webhooks have the rules. */
function asUpstream<T>(definition: T): T {
  const text = JSON.stringify(definition, (key, value: unknown) => {
    return key === 'x-kubernetes-validations' || key === 'conditions' ? undefined : value;
  });
  return JSON.parse(text) as T;
}
