// What a Metal3MachineTemplate tells the Metal3Machines that were cloned from it.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { minutes, seconds } from '../../base/clock.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../kinds/generated/metal3-machine-template.generated.ts';
import { Unavailable } from '../../kube/errors.ts';
import { keyController } from '../../kube/run.ts';
import { aCluster, at, put } from '../objects.testing.ts';
import { aMetalTest, type MetalTest } from '../workload/world.testing.ts';
import { metal3MachineTemplate } from './controller.ts';

let metal: MetalTest;
let failingFor: string | undefined;

beforeEach(async () => {
  failingFor = undefined;
  metal = await aMetalTest([Cluster, Metal3Machine, Metal3MachineTemplate], next => async request => {
    if (request.method === 'PATCH' && failingFor !== undefined && request.path.endsWith(`/${failingFor}`)) {
      throw new Unavailable(request.path, 'the line is cut');
    }
    return next(request);
  });
  await aCluster(metal.api, 'c');
  metal.run(keyController(metal3MachineTemplate));
  await metal.pass(0);
});
afterEach(() => metal.stop());

const GROUP_KIND = 'Metal3MachineTemplate.infrastructure.cluster.x-k8s.io';

const DEPLOY = { method: 'install' };

type Mode = 'metadata' | 'disabled';

async function aTemplate(automatedCleaningMode?: Mode): Promise<void> {
  const spec = { customDeploy: DEPLOY, ...(automatedCleaningMode === undefined ? {} : { automatedCleaningMode }) };
  await put<Metal3MachineTemplate & { status?: never }>(metal.api, Metal3MachineTemplate, 't', {
    spec: { template: { spec } },
  });
  await metal.pass(seconds(1));
}

const setMode = (automatedCleaningMode: Mode | null): Promise<unknown> =>
  metal.api.patch(Metal3MachineTemplate, at('t'), { spec: { template: { spec: { automatedCleaningMode } } } });

const aClone = (name: string, more: Record<string, string> = {}, mode?: Mode): Promise<Metal3Machine> =>
  put(metal.api, Metal3Machine, name, {
    metadata: {
      labels: { 'cluster.x-k8s.io/cluster-name': 'c' },
      annotations: {
        'cluster.x-k8s.io/cloned-from-name': 't',
        'cluster.x-k8s.io/cloned-from-groupkind': GROUP_KIND,
        ...more,
      },
    },
    spec: { customDeploy: DEPLOY, ...(mode === undefined ? {} : { automatedCleaningMode: mode }) },
  });

const modeOf = async (name: string): Promise<string | undefined> =>
  (await metal.api.get(Metal3Machine, at(name))).spec?.automatedCleaningMode;

test('a mode that is set reaches every clone and no other machine', async () => {
  await aClone('m1');
  await aClone('m2', {}, 'metadata');
  await aClone('of-another', { 'cluster.x-k8s.io/cloned-from-name': 'u' });
  await aClone('of-another-kind', {
    'cluster.x-k8s.io/cloned-from-groupkind': 'Other.infrastructure.cluster.x-k8s.io',
  });

  await aTemplate('disabled');

  assert.deepEqual(await Promise.all(['m1', 'm2'].map(modeOf)), ['disabled', 'disabled']);
  assert.deepEqual(await Promise.all(['of-another', 'of-another-kind'].map(modeOf)), [undefined, undefined]);
});

test('a template that leaves the mode open leaves each machine its own', async () => {
  await aClone('m1', {}, 'metadata');

  await aTemplate();
  assert.equal(await modeOf('m1'), 'metadata');

  await setMode('disabled');
  await metal.pass(seconds(1));
  await setMode(null);
  await metal.pass(seconds(1));
  assert.equal(await modeOf('m1'), 'disabled');
});

test('only machines that differ are written: one write for one new clone among many (metal-6)', async () => {
  for (let number = 0; number < 20; number++) await aClone(`m${number}`);
  await aTemplate('disabled');
  assert.equal(metal.writes.length, 20);

  await aClone('late');
  await metal.api.patch(Metal3Machine, at('m3'), { metadata: { labels: { touched: 'yes' } } });
  await metal.pass(minutes(30));

  assert.deepEqual(metal.writes.slice(20).length, 1);
  assert.equal(await modeOf('late'), 'disabled');
});

test('a machine that was changed by hand is brought back', async () => {
  await aClone('m1');
  await aTemplate('disabled');

  await metal.api.patch(Metal3Machine, at('m1'), { spec: { automatedCleaningMode: 'metadata' } });
  await metal.pass(seconds(1));

  assert.equal(await modeOf('m1'), 'disabled');
});

test('the failure of one machine stops no other, and is tried again (metal-g)', async () => {
  failingFor = 'm1';
  await aClone('m1');
  await aClone('m2');
  await aTemplate('disabled');
  assert.deepEqual(await Promise.all(['m1', 'm2'].map(modeOf)), [undefined, 'disabled']);

  failingFor = undefined;
  await metal.pass(minutes(2));

  assert.equal(await modeOf('m1'), 'disabled');
});

test('nothing is written to a machine that is paused, by itself or by its Cluster, until it is resumed', async () => {
  await aClone('by-cluster');
  await aClone('by-itself', { 'cluster.x-k8s.io/paused': '' });
  await aClone('being-moved', { 'clusterctl.cluster.x-k8s.io/delete-for-move': '' });
  await metal.api.patch(Cluster, at('c'), { spec: { paused: true } });
  await metal.pass(seconds(1));
  await aTemplate('disabled');
  await metal.pass(minutes(30));
  assert.deepEqual(metal.writes, []);

  await metal.api.patch(Cluster, at('c'), { spec: { paused: false } });
  await metal.pass(seconds(1));
  assert.deepEqual(await Promise.all(['by-cluster', 'by-itself'].map(modeOf)), ['disabled', undefined]);

  await metal.api.patch(Metal3Machine, at('by-itself'), {
    metadata: { annotations: { 'cluster.x-k8s.io/paused': null } },
  });
  await metal.pass(seconds(1));
  assert.equal(await modeOf('by-itself'), 'disabled');
  assert.equal(await modeOf('being-moved'), undefined);
});

test('a paused or moved template pushes nothing', async () => {
  await aTemplate();
  for (const annotation of ['cluster.x-k8s.io/paused', 'clusterctl.cluster.x-k8s.io/delete-for-move']) {
    await metal.api.patch(Metal3MachineTemplate, at('t'), { metadata: { annotations: { [annotation]: '' } } });
    await setMode('disabled');
    await aClone(annotation.slice(-4));
    await metal.pass(minutes(30));
    assert.deepEqual(metal.writes, []);
    await setMode(null);
    await metal.api.patch(Metal3MachineTemplate, at('t'), { metadata: { annotations: { [annotation]: null } } });
  }
});
