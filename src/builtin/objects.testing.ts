// Nodes, Leases and Pods as the tests of this folder make them.

import { kubeMicroTime } from '../base/clock.ts';
import { Lease, NODE_LEASE_NAMESPACE, Node } from '../kube/core/node.ts';
import { Pod, type PodSpec } from '../kube/core/pod.ts';
import type { ObjectMeta } from '../kube/object.ts';
import type { TestWorld } from './world.testing.ts';

export const nodeNamed = (name: string, spec: Node['spec'] = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec,
});

export const podNamed = (name: string, spec: Partial<PodSpec> = {}, metadata: Partial<ObjectMeta> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', ...metadata },
  spec: { containers: [{ name: 'vm', image: 'macos:tahoe' }], ...spec },
});

/** A Node whose agent has reported once. */
export async function aReadyNode(world: TestWorld, node: Node): Promise<void> {
  await world.api.create(Node, node);
  await report(world, node.metadata.name);
}

/** What an agent writes: its status, and its Lease anew. */
export async function report(world: TestWorld, name: string): Promise<void> {
  const amounts = { cpu: '8', memory: '16Gi', pods: '2' };
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'agent is posting ready status' };
  const status = { capacity: amounts, allocatable: amounts, conditions: [ready] };
  await world.api.patch(Node, { name }, { status }, { subresource: 'status' });
  await renew(world, name);
}

export async function renew(world: TestWorld, name: string): Promise<void> {
  const key = { namespace: NODE_LEASE_NAMESPACE, name };
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: kubeMicroTime(world.clock.now()) };
  const lease = await world.api.find(Lease, key);
  if (lease !== undefined) await world.api.patch(Lease, key, { spec });
  else await world.api.create(Lease, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec });
}

export const podIn = (world: TestWorld, name: string): Promise<Pod | undefined> =>
  world.api.find(Pod, { namespace: 'default', name });
