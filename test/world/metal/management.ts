// The management cluster of a virtual bare-metal fleet: its API with all that is installed there, and what stands for Kubernetes and Cluster API.

import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { settled, type VirtualClock, virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { nodeSigner } from '../../../src/apiserver/auth/index.ts';
import { DEFINITIONS } from '../../../src/apiserver/objects/definitions.ts';
import type { Store } from '../../../src/apiserver/store.ts';
import { type Held, memoryStore } from '../../../src/apiserver/store-memory.ts';
import { minutes } from '../../../src/base/clock.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import type { Random } from '../../../src/base/random.ts';
import { discoveryOf } from '../../../src/builtin/index.ts';
import { type InProcessApi, inProcessApi } from '../../../src/fleet/api.ts';
import { clusterControllers, type Program } from '../../../src/fleet/controllers.ts';
import { definitionsOf } from '../../../src/fleet/definitions.ts';
import {
  clusterApiIdentity,
  controllerIdentity,
  installManifests,
  sharedReader,
} from '../../../src/fleet/manifests.ts';
import { metalWebhooks } from '../../../src/fleet/metal-webhooks.ts';
import { type OpenWorld, openWorld } from '../../../src/fleet/world.ts';
import type { Api } from '../../../src/kube/api.ts';
import { callerOf, client } from '../../../src/kube/client.ts';
import type { ClusterAccess } from '../../../src/kube/cluster-access.ts';
import type { Events } from '../../../src/kube/controller.ts';
import { CustomResourceDefinition, Namespace } from '../../../src/kube/core/other.ts';
import type { Identity, Transport } from '../../../src/kube/transport.ts';
import { holding } from '../held.ts';
import { testLog } from '../test-log.ts';
import { CLUSTER, NS } from './names.ts';

type Discovery = ReturnType<typeof discoveryOf>;
type Discovered = Awaited<ReturnType<Discovery>>;

interface Management {
  readonly served: InProcessApi;
  readonly api: Api;
  readonly clock: VirtualClock;
  readonly keys: ReturnType<typeof seededKeys>;
  readonly discovery: Discovery;
}

/** What every fleet begins with. */
interface AtRest {
  readonly held: Held;
  readonly discovered: Discovered;
}

let atRest: Promise<AtRest> | undefined;

/** With the definitions and roles of everything that runs on it: set up once in a process, and each fleet has its own. */
export async function managementApi(clock: VirtualClock, random: Random): Promise<Management> {
  atRest ??= setUp();
  const { held, discovered } = await atRest;
  const management = await opened({ clock, random, store: memoryStore(undefined, held) });
  return { ...management, discovery: discoveryFrom(discovered, management) };
}

/** What is served was found out when everything was set up; the server is asked again once a definition changed. */
const discoveryFrom =
  (discovered: Discovered, { served, discovery }: Management): Discovery =>
  async () =>
    served.api.stored.revision?.(DEFINITIONS) === 0 ? discovered : discovery();

interface Seams {
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly store: Store;
}

async function opened({ clock, random, store }: Seams): Promise<Management> {
  const keys = seededKeys(random.stream('keys'));
  const access = { cryptography: keys, tokenKey: await keys.pair() };
  const parts = { webhooks: metalWebhooks, definitions: 'trusted' } as const;
  const served = await inProcessApi({ clock, random: random.stream('api'), access, store, ...parts });
  const discovery = discoveryOf(callerOf(served.transport, { clock, identity: sharedReader }));
  return { served, api: client(served.transport, { clock }), clock, keys, discovery };
}

/** Until what stands for Kubernetes has nothing left to do: roles are aggregated, namespaces have what each one has. */
async function setUp(): Promise<AtRest> {
  const [clock, random, store] = [virtualClock(), seededRandom('set up'), memoryStore()];
  const held = holding(store);
  const management = await opened({ clock, random, store });
  const { api, served, discovery } = management;
  for (const each of definitionsOf(['mac', 'metal', 'stand-ins for metal'])) {
    await api.create(CustomResourceDefinition, each);
  }
  await installManifests(api, ['metal', 'ipam', 'metalPolicies', 'metalWebhooks', 'clusterApi', 'embedded']);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  await unchanged(store);
  const discovered = await discovery();

  const ending = new AbortController();
  const open = (component: string, identity: Identity): OpenWorld => {
    const seams = { clock, random: random.stream(component), log: testLog(component, clock), metrics: noMetrics };
    const world = openWorld({ transport: served.transport, identity, component, ...seams });
    ending.signal.addEventListener('abort', () => void world.close(), { once: true });
    return world;
  };
  void kubernetes(management, { open }, NEVER_STARTED)(ending.signal);
  await unchanged(store);
  ending.abort(new Error('all is set up'));
  await served.close();
  return { held: held(), discovered };
}

/** Turns of the event loop that nothing was written in, after which nothing is without a timer that fires. */
const IDLE_TURNS = 50;

async function unchanged(store: Store): Promise<void> {
  for (let turns = 0, { revision } = store; turns < IDLE_TURNS; turns++) {
    await settled();
    if (store.revision !== revision) turns = 0;
    revision = store.revision;
  }
}

const YEAR_MS = minutes(60 * 24 * 365);

interface Ways {
  readonly open: (name: string, identity: Identity) => OpenWorld;
  /** To workload clusters. */
  readonly dial: (access: ClusterAccess) => Transport;
}

/** Nothing here has a Pod, a Node or an account to look after. */
const NEVER_STARTED = ['scheduler', 'node-certificates', 'service-account-tokens', 'disruption', 'taint-eviction'];
/** Their work is done when all is set up. */
const AT_REST = ['namespace-defaults', 'clusterrole-aggregation', 'pod-garbage-collector', 'node-lifecycle'];

/** What Kubernetes itself does on a real cluster. */
function kubernetes(
  { clock, keys, discovery }: Management,
  { open }: Pick<Ways, 'open'>,
  without: readonly string[],
): Program {
  const authority = keys.authority('test', clock.now(), clock.now() + YEAR_MS);
  return async signal => {
    const signer = nodeSigner({ keys, authority: await authority, authorityNotAfter: clock.now() + YEAR_MS, clock });
    const program = clusterControllers({
      world: open(CLUSTER, sharedReader),
      actingAs: controllerIdentity,
      without,
      kubernetes: {
        discovery: async () => playedWith(await discovery()),
        mintToken: async ({ account }) => `token of ${account.name}`,
        signer,
        rootCaPem: 'CA',
      },
    });
    await program(signal);
  };
}

/** Nothing of any other kind is made here: their lists and watches were half of the time that a run takes. */
const PLAYED_WITH = /(x-k8s|metal3)[.]io |^ (namespaces|configmaps|secrets|serviceaccounts|events)$/;

const playedWith = ({ kinds, failed }: Discovered): Discovered => ({
  kinds: kinds.filter(({ group, plural }) => PLAYED_WITH.test(`${group} ${plural}`)),
  failed,
});

/** What Cluster API tells people is no part of a run, and was a tenth of its writes. */
const UNSAID: Events = { normal: () => undefined, warning: () => undefined };

/** What stands for Kubernetes and for Cluster API. */
export function clusterPrograms(management: Management, ways: Ways): readonly Program[] {
  const clusterApi = clusterControllers({
    world: { ...ways.open('cluster api', clusterApiIdentity), events: UNSAID },
    clusterApi: { providers: ['metal'], dial: ways.dial },
  });
  return [kubernetes(management, ways, [...NEVER_STARTED, ...AT_REST]), clusterApi];
}
