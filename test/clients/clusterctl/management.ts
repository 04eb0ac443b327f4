// One management cluster of a move: an API, embedded or real, with our manager on it and, while it is its turn, the hardware.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SimulatedHosts } from '../../../sim/metal/hosts.ts';
import { allStepsTake } from '../../../sim/metal/quirks.ts';
import type { SimulatedWorkloads } from '../../../sim/metal/workloads.ts';
import { httpTransport } from '../../../src/adapters/http/client.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { installDefinitions } from '../../../src/fleet/definitions.ts';
import { installManifests } from '../../../src/fleet/manifests.ts';
import { openWorld } from '../../../src/fleet/world.ts';
import type { Api } from '../../../src/kube/api.ts';
import { client } from '../../../src/kube/client.ts';
import { runControllers } from '../../../src/kube/run.ts';
import { embeddedGround } from '../../conformance/frame/embedded-ground.ts';
import { realGround } from '../../conformance/frame/real-ground.ts';
import { kubeconfigOf } from '../../kube/kubeconfig.ts';
import { testLog } from '../../world/test-log.ts';
import { ManagerProcess } from './our-process.ts';
import { type Way, wayTo } from './way.ts';

export type Side = 'embedded' | 'real';

const HARDWARE_STEP_MS = 50;

export interface Management {
  readonly name: string;
  /** The administrator's own. */
  readonly api: Api;
  /** Of the administrator, past nobody who notes. */
  readonly kubeconfig: string;
  readonly manager: ManagerProcess;
  readonly managersWay: Way;
  readonly clusterctlsWay: Way;
  readonly clusterctlsKubeconfig: string;
  /** The Bare Metal Operator with its hardware: on one side at a time, as there is one Ironic. */
  readonly hardware: Hardware;
  close(): Promise<void>;
}

export interface Hardware {
  /** What hosts went through since the start: the name of each state that was written. */
  readonly states: string[];
  start(workloads: SimulatedWorkloads): void;
  stop(): Promise<void>;
}

export async function management(side: Side, name: string, folder: string): Promise<Management> {
  mkdirSync(folder);
  const ground = side === 'real' ? await realGround() : await embeddedGround();
  const access = { server: ground.url, caPem: ground.caPem, token: async () => ground.adminToken };
  const api = client(httpTransport(access), { clock: systemClock });
  await installDefinitions({ api, clock: systemClock }, ['mac', 'metal', 'stand-ins for metal']);
  await installManifests(api, ['metal', 'ipam', 'metalPolicies', 'clusterApi']);
  const [managersWay, clusterctlsWay] = [await wayTo(ground), await wayTo(ground)];
  const configured = (who: string, url: string): string => {
    const file = join(folder, `${who}.kubeconfig`);
    writeFileSync(file, kubeconfigOf(url, ground.caPem, ground.adminToken), { mode: 0o600 });
    return file;
  };
  const manager = new ManagerProcess(configured('manager', managersWay.url), folder);
  manager.start();
  const hardware = hardwareOf(access, name);
  return {
    name,
    api,
    manager,
    managersWay,
    clusterctlsWay,
    kubeconfig: configured('admin', ground.url),
    clusterctlsKubeconfig: configured('clusterctl', clusterctlsWay.url),
    hardware,
    close: async () => {
      await manager.stop();
      await hardware.stop();
      await Promise.all([managersWay.close(), clusterctlsWay.close()]);
      await ground[Symbol.asyncDispose]();
    },
  };
}

function hardwareOf(access: Parameters<typeof httpTransport>[0], name: string): Hardware {
  const states: string[] = [];
  let end = (): Promise<void> => Promise.resolve();
  const noting = (inner: ReturnType<typeof httpTransport>): ReturnType<typeof httpTransport> => {
    return request => {
      const isStatus = request.method === 'PATCH' && request.path.endsWith('/status');
      const state = isStatus ? stateIn(Buffer.from(request.body ?? []).toString()) : undefined;
      if (state !== undefined) states.push(state);
      return inner(request);
    };
  };
  const start = (workloads: SimulatedWorkloads): void => {
    const delaysMs = allStepsTake(HARDWARE_STEP_MS);
    const hosts = new SimulatedHosts({ clock: systemClock, workload: workloads, quirks: { delaysMs } });
    const world = openWorld({
      transport: noting(httpTransport(access)),
      component: `hardware of ${name}`,
      clock: systemClock,
      random: systemRandom,
      log: testLog(`hardware of ${name}`, systemClock),
      metrics: noMetrics,
    });
    const life = new AbortController();
    const running = runControllers(world, [hosts.controller()], life.signal);
    end = async () => {
      life.abort(new Error('the hardware is another cluster’s now'));
      await running;
      await world.close();
    };
  };
  const stop = async (): Promise<void> => {
    await end();
    end = () => Promise.resolve();
  };
  return { states, start, stop };
}

function stateIn(body: string): string | undefined {
  const patch: { readonly status?: { readonly provisioning?: { readonly state?: string } } } = JSON.parse(body);
  return patch.status?.provisioning?.state;
}
