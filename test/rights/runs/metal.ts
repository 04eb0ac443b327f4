// What Metal3 and its address manager ask for while a bare-metal fleet is made, repaired, moved about and taken apart.

import { seededRandom } from '../../../sim/time/random.ts';
import { minutes, seconds } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { ipamIdentity, metalIdentity } from '../../../src/fleet/manifests.ts';
import { templateOf } from '../../../src/fleet/up/metal-objects.ts';
import { BareMetalHost } from '../../../src/kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../../src/kinds/generated/capi-ip-address.generated.ts';
import { Cluster } from '../../../src/kinds/generated/cluster.generated.ts';
import { IPAddressClaim } from '../../../src/kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../../src/kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../../src/kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../../src/kinds/generated/machine-set.generated.ts';
import { Metal3Cluster } from '../../../src/kinds/generated/metal3-cluster.generated.ts';
import { Metal3Data } from '../../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../../src/kinds/generated/metal3-machine.generated.ts';
import { Metal3Remediation } from '../../../src/kinds/generated/metal3-remediation.generated.ts';
import { isTrue } from '../../../src/kube/conditions.ts';
import { Election } from '../../../src/kube/leader.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { NODE_READY } from '../../../src/metal/machine/node-identity.ts';
import { aStage } from '../../faults/metal/scenarios.ts';
import {
  annotate,
  createDeployment,
  createHealthCheck,
  createHost,
  createMachine,
  createPool,
  createRemediation,
  createTemplate,
  forceRemove,
  pauseCluster,
  remove,
  scale,
} from '../../world/metal/acts.ts';
import type { MetalFleet, MetalFleetOptions } from '../../world/metal/fleet.ts';
import { IPAM, METAL, NS } from '../../world/metal/names.ts';

export interface MetalRun {
  readonly name: string;
  readonly fleet?: MetalFleetOptions;
  play(fleet: MetalFleet): Promise<void>;
}

async function must(fleet: MetalFleet, what: string, until: () => boolean): Promise<void> {
  if (!(await fleet.run(until, minutes(120)))) throw new Error(`${what}; left: ${fleet.left().join(', ')}`);
}

const createAddressClaim = ({ api }: MetalFleet, name: string): Promise<IPAddressClaim> =>
  api.create(IPAddressClaim, {
    apiVersion: 'ipam.cluster.x-k8s.io/v1beta2',
    kind: IPAddressClaim.kind,
    metadata: { namespace: NS, name },
    spec: { poolRef: { apiGroup: IPPool.group, kind: IPPool.kind, name: 'pool' } },
  });

async function createForeignTemplate({ api }: MetalFleet): Promise<void> {
  const pool = { apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: 'foreign' };
  const template = templateOf({ namespace: NS, name: 'foreign' }, 'pool');
  const networks = { ipv4: [{ id: 'net0', link: 'eth0', fromPoolRef: pool }] };
  await api.create(Metal3DataTemplate, {
    ...template,
    spec: { networkData: { ...template.spec?.networkData, networks } },
  });
}

/** Something between repeats every creation, so that the program hears of what is there already. */
const repeating =
  (api: Transport): Transport =>
  async request => {
    if (request.method === 'POST') await api(request);
    return api(request);
  };

const LEASES = [
  [metalIdentity, 'controller-leader-election-capm3'],
  [ipamIdentity, 'controller-leader-election-ipam-capm3'],
] as const;

const allUp = (fleet: MetalFleet, count: number): boolean => {
  const machines = fleet.view.machines();
  return machines.length === count && machines.every(each => isTrue(each, NODE_READY));
};

const at = (name: string) => ({ namespace: NS, name });

const isGone = (fleet: MetalFleet): boolean => fleet.left().length === 0;

async function removeRest({ api }: MetalFleet): Promise<void> {
  await remove(api, Cluster, 'work');
  await remove(api, Metal3DataTemplate, 'template');
  await remove(api, IPPool, 'pool');
}

export const metalRuns: readonly MetalRun[] = [
  {
    name: 'a deployment of bare-metal machines grows, shrinks and goes with its cluster',
    play: async fleet => {
      await aStage(fleet, 3);
      await createDeployment(fleet.api, 'workers', {
        cluster: 'work',
        template: 'template',
        replicas: 2,
        nodeReuse: true,
      });
      await must(fleet, 'two are up', () => allUp(fleet, 2));
      await annotate(fleet.api, BareMetalHost, 'host-0', { 'rack.example/row': '1' });
      await scale(fleet.api, 'workers', 1);
      await must(fleet, 'one is left', () => fleet.view.machines().length === 1);
      await remove(fleet.api, MachineDeployment, 'workers');
      await must(fleet, 'none is left', () => fleet.view.machines().length === 0);
      fleet.stop(METAL);
      for (const kind of [Cluster, Metal3Cluster]) await forceRemove(fleet.api, kind, 'work');
      fleet.start(METAL);
      const kept = () => fleet.view.all(BareMetalHost).some(({ spec }) => spec?.consumerRef !== undefined);
      await must(fleet, 'no host is kept for a cluster that is gone', () => !kept());
      await remove(fleet.api, Metal3DataTemplate, 'template');
      await remove(fleet.api, IPPool, 'pool');
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'a set of machines without a deployment, whose hosts are kept for it',
    play: async fleet => {
      await aStage(fleet, 1);
      const set = { cluster: 'work', template: 'template', replicas: 1, nodeReuse: true };
      await createDeployment(fleet.api, 'workers', set, MachineSet);
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      await remove(fleet.api, MachineSet, 'workers');
      await must(fleet, 'its machine is gone', () => fleet.view.machines().length === 0);
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'a paused cluster, and one that is told to go while it is paused',
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      await pauseCluster(fleet.api, 'work', true);
      await fleet.pass(minutes(2));
      await remove(fleet.api, Machine, 'machine-0');
      await fleet.pass(minutes(2));
      await pauseCluster(fleet.api, 'work', false);
      await must(fleet, 'it is gone', () => fleet.view.machines().length === 0);
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'objects that people force away, of every kind',
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      // Nobody makes the lease again for a while: the address manager tells of it, more than once.
      fleet.stop(METAL);
      for (const { metadata } of fleet.view.all(IPClaim)) await forceRemove(fleet.api, IPClaim, metadata.name);
      await fleet.pass(minutes(2));
      fleet.start(METAL);
      await must(fleet, 'there is a lease again', () => fleet.view.all(IPClaim).length === 1);
      await forceRemove(fleet.api, Metal3DataClaim, 'machine-0');
      await fleet.pass(minutes(2));
      await forceRemove(fleet.api, Metal3DataTemplate, 'template');
      await forceRemove(fleet.api, Metal3Machine, 'machine-0');
      await fleet.pass(minutes(2));
      for (const { metadata } of fleet.view.data()) await forceRemove(fleet.api, Metal3Data, metadata.name);
      for (const { metadata } of fleet.view.all(IPClaim)) await forceRemove(fleet.api, IPClaim, metadata.name);
      await remove(fleet.api, Machine, 'machine-0');
      await remove(fleet.api, Cluster, 'work');
      // Nobody is left to power it off, and what it runs with is held until it is emptied or gone.
      await remove(fleet.api, BareMetalHost, 'host-0');
      await remove(fleet.api, IPPool, 'pool');
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: "claims of Cluster API's own kind",
    play: async fleet => {
      await createPool(fleet.api, 'pool');
      await createAddressClaim(fleet, 'one');
      await must(fleet, 'it has an address', () => fleet.left().some(line => line.startsWith('IPAddress metal/pool-')));
      // One that somebody deletes is made again: its pool gives out addresses still.
      const uids = (): readonly unknown[] => fleet.view.all(CapiIPAddress).map(({ metadata }) => metadata.uid);
      const before = uids();
      for (const { metadata } of fleet.view.all(CapiIPAddress)) await remove(fleet.api, CapiIPAddress, metadata.name);
      await must(fleet, 'it has another one', () => uids().some(uid => !before.includes(uid)));
      await remove(fleet.api, IPAddressClaim, 'one');
      await remove(fleet.api, IPPool, 'pool');
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: "a template that takes addresses of somebody else's pool",
    play: async fleet => {
      await aStage(fleet, 1);
      await createForeignTemplate(fleet);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'foreign' });
      await must(fleet, 'it claims one', () => fleet.view.all(IPAddressClaim).length === 1);
      await remove(fleet.api, Machine, 'machine-0');
      await must(fleet, 'the machine is gone', () => fleet.view.machines().length === 0);
      await remove(fleet.api, Metal3DataTemplate, 'foreign');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'creations that are carried out twice: what is there already is looked at',
    fleet: { between: repeating },
    play: async fleet => {
      await aStage(fleet, 2);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await createForeignTemplate(fleet);
      await createMachine(fleet.api, 'machine-1', { cluster: 'work', template: 'foreign' });
      await createAddressClaim(fleet, 'one');
      await must(fleet, 'it claims one', () => fleet.view.all(IPAddressClaim).length === 2);
      await fleet.pass(minutes(1));
      await remove(fleet.api, Machine, 'machine-1');
      await remove(fleet.api, Machine, 'machine-0');
      await remove(fleet.api, IPAddressClaim, 'one');
      await must(fleet, 'the machine is gone', () => fleet.view.machines().length === 0);
      await remove(fleet.api, Metal3DataTemplate, 'foreign');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'what people forced away while no manager ran',
    play: async fleet => {
      await aStage(fleet, 1);
      await createAddressClaim(fleet, 'one');
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      for (const process of [METAL, IPAM]) fleet.stop(process);
      await forceRemove(fleet.api, Metal3Machine, 'machine-0');
      for (const { metadata } of fleet.view.all(IPClaim)) await forceRemove(fleet.api, IPClaim, metadata.name);
      for (const { metadata } of fleet.view.data()) await forceRemove(fleet.api, Metal3Data, metadata.name);
      await forceRemove(fleet.api, IPAddressClaim, 'one');
      await remove(fleet.api, Metal3DataClaim, 'machine-0');
      for (const process of [METAL, IPAM]) fleet.start(process);
      await remove(fleet.api, Machine, 'machine-0');
      await remove(fleet.api, BareMetalHost, 'host-0');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'data that has neither claim nor machine when a manager comes back',
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      fleet.stop(METAL);
      for (const kind of [Metal3Machine, Metal3DataClaim]) await forceRemove(fleet.api, kind, 'machine-0');
      fleet.start(METAL);
      await fleet.pass(minutes(2));
      await remove(fleet.api, Machine, 'machine-0');
      await remove(fleet.api, BareMetalHost, 'host-0');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'a host is repaired, and a repair whose machine is gone ends',
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      await must(fleet, 'it knows its Node', () => fleet.view.one(Machine, 'machine-0')?.status?.nodeRef !== undefined);
      await createRemediation(fleet.api, 'machine-0');
      await must(fleet, 'it is repaired', () =>
        fleet.view.eventsOn('machine-0').some(each => /HostRebooted/.test(each)),
      );
      await remove(fleet.api, Metal3Remediation, 'machine-0');
      await must(fleet, 'the repair is over', () => fleet.view.all(Metal3Remediation).length === 0);
      await createRemediation(fleet.api, 'machine-0');
      await fleet.pass(seconds(1));
      fleet.stop(METAL);
      for (const kind of [Machine, Metal3Machine, BareMetalHost]) {
        await forceRemove(fleet.api, kind, kind === BareMetalHost ? 'host-0' : 'machine-0');
      }
      fleet.start(METAL);
      await must(fleet, 'the repair is over', () => fleet.view.all(Metal3Remediation).length === 0);
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'a repair that does not help is handed to the owner of the Machine',
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      fleet.hosts.is({ namespace: NS, name: 'host-0' }, { stuck: ['power off'] });
      await createRemediation(fleet.api, 'machine-0');
      await must(fleet, 'its owner is asked', () => {
        const conditions = fleet.view.one(Machine, 'machine-0')?.status?.conditions ?? [];
        return conditions.some(({ type }) => type === 'OwnerRemediated');
      });
      fleet.hosts.is({ namespace: NS, name: 'host-0' });
      await remove(fleet.api, Machine, 'machine-0');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'a health check has a machine repaired, and the repair ends when it is well',
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      await must(fleet, 'it knows its Node', () => fleet.view.one(Machine, 'machine-0')?.status?.nodeRef !== undefined);
      await createHealthCheck(fleet.api, 'work');
      await annotate(fleet.api, Machine, 'machine-0', { 'cluster.x-k8s.io/remediate-machine': '' });
      await must(fleet, 'it is repaired', () =>
        fleet.view.eventsOn('machine-0').some(each => /HostRebooted/.test(each)),
      );
      await annotate(fleet.api, Machine, 'machine-0', { 'cluster.x-k8s.io/remediate-machine': null });
      await must(fleet, 'the repair is over', () => fleet.view.all(Metal3Remediation).length === 0);
      await remove(fleet.api, Machine, 'machine-0');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: "a host that an earlier provider made its machine own, and a cluster's own pool",
    play: async fleet => {
      await aStage(fleet, 1);
      await createMachine(fleet.api, 'machine-0', { cluster: 'work', template: 'template' });
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      const { apiVersion = '', kind = '', metadata } = await fleet.api.get(Metal3Machine, at('machine-0'));
      const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }];
      await fleet.api.patch(BareMetalHost, at('host-0'), { metadata: { ownerReferences } });
      await fleet.api.patch(IPPool, at('pool'), { spec: { clusterName: 'work' } });
      await fleet.pass(minutes(1));
      await remove(fleet.api, Machine, 'machine-0');
      await must(fleet, 'it is gone', () => fleet.view.machines().length === 0);
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
  {
    name: 'each half leads',
    play: async fleet => {
      for (const [identity, name] of LEASES) {
        const stop = new AbortController();
        const seams = { clock: fleet.clock, random: seededRandom(name), log: silentLog, metrics: noMetrics };
        const transport: Transport = request => fleet.transport({ ...request, identity });
        const election = new Election({ ...seams, transport, namespace: 'pippin-system', name, identity: name });
        const leading = election.lead(
          signal => fleet.clock.sleep(minutes(1), signal).catch(() => undefined),
          stop.signal,
        );
        await fleet.pass(seconds(20));
        stop.abort(new Error('told to stop'));
        await fleet.pass(seconds(5));
        await leading;
      }
    },
  },
  {
    name: 'a host that is gone, a template that comes late',
    play: async fleet => {
      await createHost(fleet.api, 'host-9');
      await createMachine(fleet.api, 'machine-9', { cluster: 'work', template: 'late' });
      await fleet.pass(minutes(2));
      await aStage(fleet, 0);
      await createTemplate(fleet.api, 'late', 'pool');
      await must(fleet, 'it is up', () => allUp(fleet, 1));
      await forceRemove(fleet.api, BareMetalHost, 'host-9');
      await fleet.pass(minutes(2));
      await remove(fleet.api, Machine, 'machine-9');
      await remove(fleet.api, Metal3DataTemplate, 'late');
      await removeRest(fleet);
      await must(fleet, 'all is gone', () => isGone(fleet));
    },
  },
];
