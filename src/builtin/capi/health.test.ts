// MachineHealthChecks on the embedded API: what is replaced, what is not, and when.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { kubeTime, minutes, seconds } from '../../base/clock.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import {
  MachineHealthCheck,
  type MachineHealthCheckSpec,
} from '../../kinds/generated/machine-health-check.generated.ts';
import { Node } from '../../kube/core/node.ts';
import { aDeployment, aFleet, condition, type Fleet, GROUP, machineSpec, objectOf, workers } from './fleet.testing.ts';
import { Box, BoxTemplate, setReady } from './provider.testing.ts';

let fleet: Fleet;

beforeEach(async () => {
  fleet = await aFleet();
  await aDeployment(fleet.world, 'md', { replicas: 3 });
  await fleet.world.pass(seconds(60));
});

afterEach(() => fleet.stop());

const check = (spec: Partial<MachineHealthCheckSpec> = {}): Promise<MachineHealthCheck> =>
  fleet.world.api.create(
    MachineHealthCheck,
    objectOf<MachineHealthCheck>(MachineHealthCheck, 'mhc', {
      spec: {
        clusterName: 'fleet',
        selector: { matchLabels: { 'cluster.x-k8s.io/deployment-name': 'md' } },
        checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }] },
        ...spec,
      },
    }),
  );

const names = async (): Promise<readonly string[]> =>
  (await workers(fleet.world)).map(({ metadata }) => metadata.name).sort();

const silence = (name: string): Promise<void> =>
  setReady(fleet.world, name, 'Unknown', kubeTime(fleet.world.clock.now()));

const found = () => fleet.world.api.get(MachineHealthCheck, { namespace: 'default', name: 'mhc' });

test('a machine whose Node is silent for too long is replaced, the others stay', async () => {
  await check();
  const before = await names();
  await silence(before[0] ?? '');
  await fleet.world.pass(minutes(4));
  const early = await names();

  await fleet.world.pass(minutes(3));

  const after = await names();
  assert.deepEqual(early, before);
  assert.equal(after.length, 3);
  assert.deepEqual(
    after.filter(name => before.includes(name)),
    before.slice(1),
  );
});

test('a Node that speaks again in time saves its machine', async () => {
  await check();
  const before = await names();
  await silence(before[0] ?? '');
  await fleet.world.pass(minutes(4));

  await setReady(fleet.world, before[0] ?? '', 'True', kubeTime(fleet.world.clock.now()));
  await fleet.world.pass(minutes(10));

  assert.deepEqual(await names(), before);
});

test('a machine whose Node was deleted is replaced', async () => {
  await check();
  const before = await names();

  await fleet.world.api.delete(Node, { name: before[0] ?? '' });
  await fleet.world.pass(minutes(2));

  assert.ok(!(await names()).includes(before[0] ?? ''));
});

test('while too many are unhealthy none is replaced, and the check says why', async () => {
  await check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '34%' } } });
  const before = await names();
  for (const name of before.slice(0, 2)) await silence(name);

  await fleet.world.pass(minutes(20));

  assert.deepEqual(await names(), before);
  assert.match(
    condition(await found(), 'RemediationAllowed'),
    /^False TooManyUnhealthy: .*2 of 3 machines are unhealthy, more than 34%$/,
  );
  const [sick] = await workers(fleet.world);
  assert.ok(sick !== undefined);
  assert.match(condition(sick, 'HealthCheckSucceeded'), /^False UnhealthyNode/);
  assert.equal((await found()).status?.currentHealthy, 1);
});

test('a machine that a person protects is not replaced', async () => {
  await check();
  const [first = ''] = await names();
  const annotations = { 'cluster.x-k8s.io/skip-remediation': '' };
  await fleet.world.api.patch(Machine, { namespace: 'default', name: first }, { metadata: { annotations } });
  await silence(first);

  await fleet.world.pass(minutes(20));

  assert.ok((await names()).includes(first));
});

test('a machine that never gets a Node is replaced when its time is over', async () => {
  await aDeployment(fleet.world, 'late', { template: { spec: machineSpec('none-such') } });
  await check({ selector: { matchLabels: { 'cluster.x-k8s.io/deployment-name': 'late' } } });
  await fleet.world.pass(minutes(9));
  const early = (await names()).filter(name => name.startsWith('late-'));

  await fleet.world.pass(minutes(2));

  const late = (await names()).filter(name => name.startsWith('late-'));
  assert.equal(early.length, 1);
  assert.equal(late.length, 1);
  assert.notDeepEqual(late, early);
});

const repairOf = (name: string) => fleet.world.api.find(Box, { namespace: 'default', name });
const machineNamed = (name: string) => fleet.world.api.get(Machine, { namespace: 'default', name });

test('with a template an unhealthy machine is repaired instead of replaced, until it is well', async () => {
  const templateRef = { apiVersion: `${GROUP}/${BoxTemplate.version}`, kind: 'BoxTemplate', name: 'm2' };
  await check({ remediation: { templateRef } });
  const before = await names();
  const [sick = '', well = ''] = before;
  // The provider of the test would make a host of it.
  fleet.provider.slow.add(sick);
  await silence(sick);
  await fleet.world.pass(minutes(7));
  const repair = await repairOf(sick);
  const asked = await machineNamed(sick);

  await setReady(fleet.world, sick, 'True', kubeTime(fleet.world.clock.now()));
  await fleet.world.pass(minutes(2));

  assert.equal(repair?.metadata.ownerReferences?.[0]?.uid, asked.metadata.uid);
  assert.equal(repair?.metadata.annotations?.['cluster.x-k8s.io/cloned-from-name'], 'm2');
  assert.match(condition(asked, 'ExternallyRemediated'), /^False WaitingForRemediation/);
  assert.equal(
    asked.status?.conditions?.some(({ type }) => type === 'OwnerRemediated'),
    false,
  );
  assert.equal(await repairOf(well), undefined);
  assert.deepEqual(await names(), before);
  assert.equal(await repairOf(sick), undefined);
  const types = (await machineNamed(sick)).status?.conditions?.map(({ type }) => type);
  assert.equal(types?.includes('ExternallyRemediated'), false);
});

test('a repair whose template is missing is waited for on the machine, in either spelling', async () => {
  await check({ remediationTemplate: { apiVersion: `${GROUP}/v1beta1`, kind: 'BoxTemplate', name: 'none' } });
  const before = await names();
  await silence(before[0] ?? '');

  await fleet.world.pass(minutes(7));

  assert.deepEqual(await names(), before);
  assert.match(
    condition(await machineNamed(before[0] ?? ''), 'ExternallyRemediated'),
    /^False RemediationTemplateNotFound: Waiting for BoxTemplate none to exist/,
  );
});
