// A Cluster with machines, as the tests of this folder build it.

import { seconds } from '../../base/clock.ts';
import { Cluster, type ClusterSpec } from '../../kinds/generated/cluster.generated.ts';
import { Machine, type MachineSpec } from '../../kinds/generated/machine.generated.ts';
import { MachineDeployment, type MachineDeploymentSpec } from '../../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../kinds/generated/machine-set.generated.ts';
import type { KubeObject, ObjectMeta } from '../../kube/object.ts';
import { keyController } from '../../kube/run.ts';
import type { Transport } from '../../kube/transport.ts';
import { aWorld, type TestWorld, withCrds } from '../world.testing.ts';
import { capiControllers } from './index.ts';
import type { NodesElsewhere } from './machine/node-source.ts';
import {
  Box,
  BoxTemplate,
  Config,
  installProvider,
  Mac,
  MacTemplate,
  type Provider,
  Site,
} from './provider.testing.ts';

export const GROUP = Mac.group;

export interface Fleet {
  readonly world: TestWorld;
  readonly provider: Provider;
  stop(): Promise<void>;
}

/** Controllers of the subset and of the test provider, over an API with the Cluster `fleet` in namespace `default`. */
export async function aFleet(
  more: {
    readonly spec?: Partial<ClusterSpec>;
    readonly recheckMs?: number;
    readonly nodesElsewhere?: NodesElsewhere;
    between?: (next: Transport) => Transport;
  } = {},
): Promise<Fleet> {
  const world = await aWorld(more.between === undefined ? {} : { between: more.between });
  await withCrds(world);
  const provider = await installProvider(world);
  for (const [name, size] of [
    ['m2', 'M2'],
    ['m4', 'M4'],
  ] as const) {
    const spec = { template: { metadata: { labels: { size } }, spec: { type: size } } };
    await world.api.create(MacTemplate, objectOf(MacTemplate, name, { spec }));
    await world.api.create(BoxTemplate, objectOf(BoxTemplate, name, { spec }));
  }
  await world.api.create(Site, objectOf(Site, 'site', {}));
  await world.api.patch(
    Site,
    { namespace: 'default', name: 'site' },
    { status: { ready: true } },
    { subresource: 'status' },
  );
  const infrastructureRef = { apiGroup: GROUP, kind: 'Site', name: 'site' };
  await world.api.create(Cluster, objectOf<Cluster>(Cluster, 'fleet', { spec: { infrastructureRef, ...more.spec } }));
  const elsewhere = more.nodesElsewhere === undefined ? {} : { nodesElsewhere: more.nodesElsewhere };
  const timing = { recheckMs: more.recheckMs ?? seconds(30), quietStartMs: seconds(60) };
  world.run([
    ...capiControllers({ machineKinds: [Mac, Box, Config], clusterKinds: [Site], timing, ...elsewhere }),
    ...provider.controllers.map(each => keyController(each)),
  ]);
  await world.pass(seconds(5));
  return { world, provider, stop: () => world.stop() };
}

interface Served {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export function objectOf<T extends KubeObject>(
  { group, version, kind }: Served,
  name: string,
  body: Partial<Omit<T, 'apiVersion' | 'kind' | 'metadata'>> & { readonly metadata?: Partial<ObjectMeta> },
): T {
  const metadata = { name, namespace: 'default', ...body.metadata };
  const object: KubeObject = { apiVersion: `${group}/${version}`, kind, ...body, metadata };
  return object as T;
}

export const machineSpec = (template: string, more: Partial<MachineSpec> = {}): MachineSpec => ({
  clusterName: 'fleet',
  bootstrap: { dataSecretName: '' },
  infrastructureRef: { apiGroup: GROUP, kind: 'MacTemplate', name: template },
  ...more,
});

export function aDeployment(
  world: TestWorld,
  name: string,
  spec: Partial<MachineDeploymentSpec> = {},
): Promise<MachineDeployment> {
  return world.api.create(
    MachineDeployment,
    objectOf<MachineDeployment>(MachineDeployment, name, {
      spec: { clusterName: 'fleet', replicas: 1, template: { spec: machineSpec('m2') }, ...spec },
    }),
  );
}

/** A control-plane Machine, so that Nodes of others may be drained and deleted. */
export async function aControlPlane(world: TestWorld): Promise<void> {
  const labels = { 'cluster.x-k8s.io/control-plane': '', 'cluster.x-k8s.io/cluster-name': 'fleet' };
  const infrastructureRef = { apiGroup: GROUP, kind: 'Mac', name: 'cp' };
  const spec = { ...machineSpec('m2'), infrastructureRef };
  await world.api.create(Machine, objectOf<Machine>(Machine, 'cp', { metadata: { labels }, spec }));
  await world.api.create(Mac, objectOf(Mac, 'cp', { spec: {} }));
  await world.pass(seconds(5));
}

export async function workers(world: TestWorld): Promise<readonly Machine[]> {
  const { items } = await world.api.list(Machine, { namespace: 'default' });
  return items.filter(machine => machine.metadata.name !== 'cp');
}

export async function onlyWorker(world: TestWorld): Promise<Machine> {
  const [machine, ...others] = await workers(world);
  if (machine === undefined || others.length > 0) throw new Error(`one worker is expected, not ${others.length + 1}`);
  return machine;
}

export const sets = async (world: TestWorld): Promise<readonly MachineSet[]> =>
  (await world.api.list(MachineSet, { namespace: 'default' })).items;

export function condition(
  object: {
    readonly status?: {
      readonly conditions?: readonly { type: string; status: string; reason?: string; message?: string }[];
    };
  },
  type: string,
): string {
  const found = object.status?.conditions?.find(candidate => candidate.type === type);
  return `${found?.status} ${found?.reason ?? ''}: ${found?.message ?? ''}`;
}
