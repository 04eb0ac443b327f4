// Machines whose Nodes are in a workload cluster of their own: found there, and never called lost while it is not known.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { MachineHealthCheck } from '../../kinds/generated/machine-health-check.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import { aControlPlane, aDeployment, aFleet, condition, type Fleet, objectOf, onlyWorker } from './fleet.testing.ts';
import type { NodesElsewhere, NodesThere } from './machine/node-source.ts';

let fleet: Fleet;
let workload: TestWorld;
let there: NodesThere;
let told: (() => void)[];

const UNKNOWN: NodesThere = { known: false, reason: 'Unreachable', why: 'its API does not answer' };

beforeEach(async () => {
  workload = await aWorld();
  told = [];
  const known: NodesThere = { known: true, api: workload.api, nodes: workload.caches.of(Node) };
  there = known;
  const nodesElsewhere: NodesElsewhere = {
    isFor: ({ metadata }) => metadata.name === 'fleet',
    of: () => there,
    onChange: listener => {
      told.push(() => listener({ namespace: 'default', name: 'fleet' }));
      return () => undefined;
    },
  };
  fleet = await aFleet({ nodesElsewhere });
});
afterEach(async () => {
  await fleet.stop();
  await workload.stop();
});

/** The one worker, with its Node in the workload cluster. */
async function running(): Promise<Machine> {
  await aDeployment(fleet.world, 'w');
  await fleet.world.pass(seconds(5));
  const { spec, metadata } = await onlyWorker(fleet.world);
  const providerID = spec.providerID ?? '';
  await workload.api.create(Node, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: metadata.name },
    spec: { providerID },
  });
  const status = { conditions: [{ type: 'Ready', status: 'True' }] };
  await workload.api.patch(Node, { name: metadata.name }, { status }, { subresource: 'status' });
  await workload.pass(0);
  for (const tell of told) tell();
  await fleet.world.pass(seconds(2));
  return onlyWorker(fleet.world);
}

test('a Machine is bound to the Node of its workload cluster, which bears its name', async () => {
  const machine = await running();

  assert.equal(machine.status?.nodeRef?.name, machine.metadata.name);
  assert.match(condition(machine, 'NodeHealthy'), /^True/);
  const node = await workload.api.get(Node, { name: machine.metadata.name });
  assert.equal(node.metadata.annotations?.['cluster.x-k8s.io/machine'], machine.metadata.name);
  // The double of this folder registers a Node here too: it is not that one.
  assert.equal(machine.status?.nodeRef?.uid, node.metadata.uid);
});

test('while the workload cluster is not known the Machine says so, and no health check calls it unhealthy (metal-W4)', async () => {
  const { metadata } = await running();
  const spec = { clusterName: 'fleet', selector: {}, checks: { nodeStartupTimeoutSeconds: 60 } };
  await fleet.world.api.create(MachineHealthCheck, objectOf<MachineHealthCheck>(MachineHealthCheck, 'check', { spec }));
  there = UNKNOWN;
  for (const tell of told) tell();
  await fleet.world.pass(minutes(10));

  const machine = await onlyWorker(fleet.world);
  assert.equal(machine.metadata.uid, metadata.uid);
  assert.match(condition(machine, 'NodeHealthy'), /^False Unreachable: .*its API does not answer/);
  assert.doesNotMatch(condition(machine, 'HealthCheckSucceeded'), /^False/);
});

test('a way to the workload cluster that has only begun to be opened is not told of: no Machine is written when a manager starts', async () => {
  const { metadata } = await running();
  there = { known: false, reason: 'Connecting', why: 'its Nodes are being listed', isNew: true };
  for (const tell of told) tell();
  await fleet.world.pass(minutes(1));

  const machine = await onlyWorker(fleet.world);
  assert.match(condition(machine, 'NodeHealthy'), /^True/);
  assert.equal(machine.metadata.resourceVersion, metadata.resourceVersion);
});

test('a deleted Machine takes its Node there with it, and is not held up by a cluster that is not known', async () => {
  await aControlPlane(fleet.world);
  const { metadata } = await running();
  await fleet.world.api.delete(Machine, { namespace: 'default', name: metadata.name });
  await fleet.world.pass(seconds(40));
  assert.equal(await workload.api.find(Node, { name: metadata.name }), undefined);

  const next = await onlyWorker(fleet.world);
  there = UNKNOWN;
  await fleet.world.api.delete(Machine, { namespace: 'default', name: next.metadata.name });
  await fleet.world.pass(seconds(40));
  const left = await fleet.world.api.find(Machine, { namespace: 'default', name: next.metadata.name });
  assert.equal(left, undefined);
});
