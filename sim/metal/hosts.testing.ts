// Simulated hosts over an embedded API, with one workload cluster, in virtual time: for the tests of this folder.

import { silentLog } from '../../src/base/log.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { BareMetalHost, type BareMetalHostSpec } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import standIns from '../../src/kinds/generated/metal-stand-ins.generated.json' with { type: 'json' };
import { client } from '../../src/kube/client.ts';
import { CustomResourceDefinition, Namespace } from '../../src/kube/core/other.ts';
import { runControllers } from '../../src/kube/run.ts';
import { virtualClock } from '../time/clock.ts';
import { seededRandom } from '../time/random.ts';
import { SimulatedHosts } from './hosts.ts';
import { SimulatedWorkloads } from './workloads.ts';

export const NS = 'metal';
export const KEY = { namespace: NS, name: 'host-0' };
export const CLUSTER = { namespace: NS, name: 'work' };

export async function aFleetOfHosts() {
  const clock = virtualClock();
  const random = seededRandom(1);
  const served = await inProcessApi({ clock, random });
  const api = client(served.transport, { clock });
  for (const each of standIns) await api.create<CustomResourceDefinition>(CustomResourceDefinition, each);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NS } });
  const workloads = new SimulatedWorkloads({
    clock,
    management: api,
    open: () => inProcessApi({ clock, random: random.stream('workload') }),
  });
  const workload = await workloads.open(CLUSTER);
  const hosts = new SimulatedHosts({ clock, workload: workloads });
  const { transport } = served;
  const world = openWorld({ transport, component: 'hosts', clock, random, log: silentLog, metrics: noMetrics });
  const stopping = new AbortController();
  const running = runControllers(world, [hosts.controller()], stopping.signal);
  await clock.advance(0);
  return {
    api,
    workload,
    workloads,
    hosts,
    clock,
    create: (spec: BareMetalHostSpec): Promise<BareMetalHost> =>
      api.create(BareMetalHost, {
        apiVersion: 'metal3.io/v1alpha1',
        kind: BareMetalHost.kind,
        metadata: { ...KEY, labels: { 'cluster.x-k8s.io/cluster-name': CLUSTER.name } },
        spec: { ...spec, consumerRef: { kind: 'Metal3Machine', name: 'machine-0', namespace: NS } },
      }),
    close: async (): Promise<void> => {
      stopping.abort(new Error('the test ends'));
      await running;
      await world.close();
      await workloads.close();
      await served.close();
    },
  };
}
