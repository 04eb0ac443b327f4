// A whole fleet in virtual time: real API handler and controllers, modelled cloud, hosts and tart, every call held by a schedule.

import { seededKeys } from '../../sim/keys/seeded-keys.ts';
import { inProcessShell } from '../../sim/mac-host/in-process.ts';
import { MacHostsModel } from '../../sim/mac-host/model.ts';
import { inProcess } from '../../sim/scaleway/in-process.ts';
import { ScalewayModel } from '../../sim/scaleway/model.ts';
import { virtualClock } from '../../sim/time/clock.ts';
import { seededRandom } from '../../sim/time/random.ts';
import { nodeSigner } from '../../src/apiserver/auth/index.ts';
import type { Stored } from '../../src/apiserver/parts.ts';
import { minutes, seconds } from '../../src/base/clock.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { discoveryOf } from '../../src/builtin/index.ts';
import { type InProcessApi, inProcessApi } from '../../src/fleet/api.ts';
import { clusterControllers, macManager } from '../../src/fleet/controllers.ts';
import { definitionsOf } from '../../src/fleet/definitions.ts';
import {
  clusterApiIdentity,
  controllerIdentity,
  installManifests,
  managerIdentity,
  sharedReader,
} from '../../src/fleet/manifests.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { callerOf, client } from '../../src/kube/client.ts';
import { CustomResourceDefinition, Namespace } from '../../src/kube/core/other.ts';
import type { KubeObject } from '../../src/kube/object.ts';
import type { Identity, Transport } from '../../src/kube/transport.ts';
import { type MacSettings, USUAL_SETTINGS } from '../../src/mac/world.ts';
import { FaultLine } from '../faults/fault-line.ts';
import { judgeRelease, type Models } from '../faults/oracles.ts';
import { faultyCloud, faultyShell } from '../faults/ports.ts';
import { Schedule } from '../faults/schedule.ts';
import { faultyTransport } from '../faults/transport.ts';
import { Macs } from './macs.ts';
import { CLUSTER, MANAGER, NS, POOL, TOKEN_OF } from './names.ts';
import { type ObjectAt, objectAt } from './object-at.ts';
import { type Life, Processes } from './process.ts';
import { testLog } from './test-log.ts';
import { viewOf } from './view.ts';

export interface FleetOptions {
  readonly seed?: number | string;
  /** Free Macs in the pool. 1 unless told otherwise. */
  readonly macs?: number;
  readonly settings?: Partial<MacSettings>;
  /** The standing run in which no wait on an API object sets a timer. */
  readonly rechecks?: 'outside only';
  /** How long after its deletion a Pod counts as stuck. 60 s unless told otherwise. */
  readonly deadlineSeconds?: number;
  /** Stands between all programs and the API. */
  readonly between?: (api: Transport, stored: Stored) => Transport;
}

export type VirtualFleet = Awaited<ReturnType<typeof virtualFleet>>;

const RESTART_MS = seconds(2);

export async function virtualFleet(options: FleetOptions = {}) {
  const clock = virtualClock();
  const random = seededRandom(options.seed ?? 1);
  const schedule = new Schedule(clock, random.stream('schedule'));
  const processes = new Processes(clock, RESTART_MS);
  const line = new FaultLine(schedule, process => processes.crash(process));
  processes.under(line);
  const rechecks = options.rechecks === undefined ? {} : { rechecks: options.rechecks };
  const keys = seededKeys(random.stream('keys'));
  const authority = await keys.authority('test', clock.now(), clock.now() + minutes(60 * 24 * 365));
  const signer = nodeSigner({ keys, authority, authorityNotAfter: clock.now() + minutes(60 * 24 * 365), clock });
  const access = { cryptography: keys, tokenKey: await keys.pair() };
  const served = await inProcessApi({ clock, random: random.stream('api'), access });
  const noted = { refused: [] as string[], violations: [] as string[] };
  const noting = judging(served, () => ({ cloud, macs }), noted);
  const judged = options.between?.(noting, served.api.stored) ?? noting;
  const api = client(served.transport, { clock });
  for (const each of definitionsOf()) await api.create(CustomResourceDefinition, each);
  await installManifests(api, ['macProvider', 'agent', 'clusterApi', 'embedded']);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });

  const cloud = new ScalewayModel({ clock, random: random.stream('cloud'), keysEnter: 'at login' });
  const transport = (process: string, life: Life): Transport =>
    faultyTransport(judged, { process, life: life.number, line });
  const macs = new Macs({ clock, random: random.stream('macs'), keys, processes, transport, world: rechecks });
  const hosts = new MacHostsModel(cloud, macs);
  for (let n = 0; n < (options.macs ?? 1); n++) cloud.order({ name: `${POOL}${n}` });
  const open = (process: string, life: Life, who: { through: Transport; identity: Identity }) => {
    const world = openWorld({
      transport: who.through,
      identity: who.identity,
      component: process,
      clock,
      random: random.stream(`${process} ${life.number}`),
      log: testLog(process, clock),
      metrics: noMetrics,
    });
    life.signal.addEventListener('abort', () => void world.close(), { once: true });
    return { ...world, ...rechecks };
  };

  const startManager = (name: string = MANAGER): void =>
    processes.start(name, life => {
      const via = { process: name, life: life.number, line };
      const program = macManager({
        world: open(name, life, { through: transport(name, life), identity: managerIdentity }),
        cloud: faultyCloud(inProcess(cloud), via),
        shell: faultyShell(inProcessShell(hosts), via),
        keys,
        artifacts: { tart: bundle('tart-1'), agent: bundle('agent-1') },
        settings: {
          ...USUAL_SETTINGS,
          poolPrefix: POOL,
          apiServer: { url: 'https://api:6443', caPem: 'CA' },
          ...options.settings,
        },
        projectId: cloud.state.projectId,
        zones: ['fr-par-1'],
        sweep: { deadlineSeconds: options.deadlineSeconds ?? 60 },
      });
      void program(life.signal);
    });

  const startCluster = (): void =>
    processes.start(CLUSTER, life => {
      const through = judged;
      const kubernetes = clusterControllers({
        world: open(CLUSTER, life, { through, identity: sharedReader }),
        actingAs: controllerIdentity,
        kubernetes: {
          discovery: discoveryOf(callerOf(through, { clock, identity: sharedReader })),
          mintToken: async ({ account }) => `${TOKEN_OF}${account.name}`,
          signer,
          rootCaPem: 'CA',
        },
      });
      const clusterApi = clusterControllers({
        world: open('cluster api', life, { through, identity: clusterApiIdentity }),
        clusterApi: {},
      });
      void kubernetes(life.signal);
      void clusterApi(life.signal);
    });

  startManager();
  startCluster();
  return {
    /** The administrator's own way to the API: nothing holds it, nothing disturbs it. */
    api,
    /** Requests of our programs that their roles do not allow: always a fault of ours. */
    refused: noted.refused,
    /** Broken oracles, in words. */
    violations: noted.violations,
    view: viewOf(served.api.stored),
    clock,
    cloud,
    hosts,
    macs,
    line,
    schedule,
    processes,
    startManager,
    run: (until: () => boolean, withinMs: number = minutes(60)): Promise<boolean> => schedule.run(until, withinMs),
    pass: (ms: number): Promise<void> => schedule.pass(ms),
    async close(): Promise<void> {
      processes.endAll();
      cloud.close();
      await served.close();
    },
  };
}

interface Noted {
  readonly refused: string[];
  readonly violations: string[];
}

/** Notes who was forbidden what, and has every write judged. 403 of a fault plan never get here. */
function judging(served: InProcessApi, models: () => Models, { refused, violations }: Noted): Transport {
  const stored = (key: ObjectAt): KubeObject | undefined =>
    served.api.stored.get(key.storage, key.namespace, key.name) as KubeObject | undefined;
  return async request => {
    const at = request.method === 'GET' ? undefined : objectAt(request.path);
    const before = at === undefined ? undefined : stored(at);
    const response = await served.transport(request);
    if (response.status === 403) refused.push(`${request.identity?.name}: ${request.method} ${request.path}`);
    if (at !== undefined && before !== undefined) {
      const violation = judgeRelease(before, stored(at), models());
      if (violation !== undefined) violations.push(violation);
    }
    return response;
  };
}

const bundle = (digest: string) => ({ digest, bytes: () => Promise.resolve(new Uint8Array([1])) });
