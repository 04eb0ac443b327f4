// A bare-metal fleet in virtual time: real API handler and controllers, simulated hosts and workload clusters, every call held by a schedule.

import { SimulatedHosts } from '../../../sim/metal/hosts.ts';
import { allStepsTake, type HostQuirks } from '../../../sim/metal/quirks.ts';
import { SimulatedWorkloads } from '../../../sim/metal/workloads.ts';
import { virtualClock } from '../../../sim/time/clock.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import type { Stored } from '../../../src/apiserver/parts.ts';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { adminIdentity, inProcessApi } from '../../../src/fleet/api.ts';
import { ipamIdentity, metalIdentity } from '../../../src/fleet/manifests.ts';
import { ipamManager, metalManager } from '../../../src/fleet/metal.ts';
import { type OpenWorld, openWorld } from '../../../src/fleet/world.ts';
import type { Api } from '../../../src/kube/api.ts';
import type { ClusterAccess } from '../../../src/kube/cluster-access.ts';
import { runControllers } from '../../../src/kube/run.ts';
import type { Identity, Transport } from '../../../src/kube/transport.ts';
import { type MetalSettings, USUAL_METAL_SETTINGS } from '../../../src/metal/world.ts';
import { FaultLine } from '../../faults/fault-line.ts';
import { Schedule } from '../../faults/schedule.ts';
import { faultyTransport } from '../../faults/transport.ts';
import { type Life, Processes } from '../process.ts';
import { testLog } from '../test-log.ts';
import { Judge } from './judge.ts';
import { clusterPrograms, managementApi } from './management.ts';
import { CLUSTER, HARDWARE, IPAM, METAL } from './names.ts';
import { metalView } from './view.ts';

export interface MetalFleetOptions {
  readonly seed?: number | string;
  readonly settings?: Partial<MetalSettings>;
  /** Of every host; each step takes a second unless told otherwise. */
  readonly hosts?: HostQuirks;
  /** The standing run in which no wait on an API object sets a timer. */
  readonly rechecks?: 'outside only';
  /** Processes that are not started with the fleet. */
  readonly without?: readonly (typeof METAL | typeof IPAM | typeof CLUSTER | typeof HARDWARE)[];
  /** Stands between all programs and the API. */
  readonly between?: (api: Transport, stored: Stored) => Transport;
}

export type MetalFleet = Awaited<ReturnType<typeof metalFleet>>;

const RESTART_MS = seconds(2);
/** Nothing was written for so long, so that what is left stays: longer than any recheck of a wait. */
const QUIET_MS = minutes(3);

export async function metalFleet(options: MetalFleetOptions = {}) {
  const clock = virtualClock();
  const random = seededRandom(options.seed ?? 1);
  const schedule = new Schedule(clock, random.stream('schedule'));
  const processes = new Processes(clock, RESTART_MS);
  const line = new FaultLine(schedule, process => processes.crash(process));
  processes.under(line);
  const management = await managementApi(clock, random);
  const { served } = management;
  const judge = new Judge(served, clock);
  const api: Api = {
    ...management.api,
    create: async (kind, object) => judge.made(await management.api.create(kind, object)),
  };
  const judged = options.between?.(judge.transport, served.api.stored) ?? judge.transport;
  const workloads = new SimulatedWorkloads({
    clock,
    management: api,
    open: ({ name }) => inProcessApi({ clock, random: random.stream(`workload ${name}`) }),
  });
  const quirks = { ...options.hosts, delaysMs: { ...allStepsTake(seconds(1)), ...options.hosts?.delaysMs } };
  const hosts = new SimulatedHosts({ clock, workload: workloads, quirks });
  const rechecks = options.rechecks === undefined ? {} : { rechecks: options.rechecks };

  const open = (process: string, life: Life, who: { through: Transport; identity: Identity }): OpenWorld => {
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
  const faulty = (process: string, life: Life): Transport =>
    faultyTransport(judged, { process, life: life.number, line });

  const starts: Readonly<Record<string, () => void>> = {
    [METAL]: () =>
      processes.start(METAL, life => {
        const program = metalManager({
          world: open(METAL, life, { through: faulty(METAL, life), identity: metalIdentity }),
          settings: { ...USUAL_METAL_SETTINGS, ...options.settings },
          dial: access =>
            faultyTransport(workloads.dial(access), { process: METAL, life: life.number, line, seam: 'workload' }),
        });
        void program(life.signal);
      }),
    [IPAM]: () =>
      processes.start(IPAM, life => {
        const world = open(IPAM, life, { through: faulty(IPAM, life), identity: ipamIdentity });
        void ipamManager({ world })(life.signal);
      }),
    [CLUSTER]: () =>
      processes.start(CLUSTER, life => {
        const opened = (name: string, identity: Identity) => open(name, life, { through: judged, identity });
        const dial = (access: ClusterAccess): Transport => workloads.dial(access);
        for (const program of clusterPrograms(management, { dial, open: opened })) {
          void program(life.signal);
        }
      }),
    [HARDWARE]: () =>
      processes.start(HARDWARE, life => {
        const world = open(HARDWARE, life, { through: judged, identity: adminIdentity });
        void runControllers(world, [hosts.controller()], life.signal);
      }),
  };
  const start = (process: string): void => starts[process]?.();
  for (const each of [METAL, IPAM, CLUSTER, HARDWARE]) {
    if (!options.without?.some(left => left === each)) start(each);
  }
  const run = (until: () => boolean, withinMs: number = minutes(60)): Promise<boolean> => schedule.run(until, withinMs);
  const view = metalView(served.api.stored);
  return {
    /** The administrator's own way to the API: nothing holds it, nothing disturbs it. */
    api,
    /** The way that all programs take. */
    transport: judged,
    clock,
    hosts,
    workloads,
    line,
    schedule,
    view,
    /** Requests of our programs that their roles do not allow: always a fault of ours. */
    refused: judge.refused,
    /** Broken oracles, in words. */
    violations: judge.violations,
    /** Writes that a process asked for, answered or not: `PATCH /apis/…`. */
    writesOf: (process: string): readonly string[] =>
      line.calls.filter(call => call.process === process && call.write).map(({ label }) => label),
    /** What a crash, a deployment and a person can do to a program. A crashed one is back after two seconds. */
    start,
    stop: (process: string): void => processes.end(process),
    crash: (process: string): void => processes.crash(process),
    run,
    pass: (ms: number): Promise<void> => schedule.pass(ms),
    /** Runs until nothing was written for three minutes. False: something still writes when `withinMs` have passed. */
    settle: (withinMs: number = minutes(120)): Promise<boolean> =>
      run(() => clock.monotonic() - judge.lastWriteMs >= QUIET_MS, withinMs),
    /** Whatever of Metal3, of its address manager and of their Secrets is there: `Metal3Data metal/template-0`, sorted. */
    left: (): readonly string[] => view.left(),
    async close(): Promise<void> {
      processes.endAll();
      await workloads.close();
      await served.close();
    },
  };
}
