// Moving over on a real kube-apiserver: the endpoint converts through a rotation and a kill, and a fleet that 1.13 left is taken over.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { silentLog } from '../../src/base/log.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { installDefinitions } from '../../src/fleet/definitions.ts';
import { installManifests } from '../../src/fleet/manifests.ts';
import type { Lives } from '../../src/fleet/metal-endpoint/authorities.ts';
import { metalEndpoint } from '../../src/fleet/metal-endpoint/endpoint.ts';
import { readShared } from '../../src/fleet/metal-endpoint/shared-authorities.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { Metal3Data } from '../../src/kinds/generated/metal3-data.generated.ts';
import { Metal3DataTemplate } from '../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../src/kinds/generated/metal3-machine.generated.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import { CustomResourceDefinition, Namespace, Service } from '../../src/kube/core/other.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { digestIn } from '../metal/foreign/cluster.ts';
import { loadForeign } from '../metal/foreign/load.ts';
import { defineAsUpstream, installUpstreamWebhooks } from '../metal/foreign/upstream.ts';
import { type RealKube, startRealKube } from './real.ts';

const root = resolve(import.meta.dirname, '../..');
let kube: RealKube;
let transport: Transport;
let api: Api;
const children: ChildProcess[] = [];

before(async () => {
  kube = await startRealKube({ controllers: [] });
  transport = httpTransport({ server: kube.url, caPem: kube.caPem, token: () => Promise.resolve(kube.adminToken) });
  api = client(transport, { clock: systemClock });
  await installDefinitions({ api, clock: systemClock }, ['mac', 'stand-ins for metal']);
  await installManifests(api, ['metal', 'ipam', 'metalEndpoint']);
  await api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'metal' } });
});

after(async () => {
  for (const child of children) child.kill('SIGKILL');
  await kube?.stop();
});

const SERVICE = { namespace: 'pippin-system', name: 'pippin-metal' };

/** Nobody routes here: the Service is a name for one address of this machine, on the port that definitions ask for. */
const leadTo = (externalName: string): Promise<unknown> =>
  api.patch(Service, SERVICE, {
    spec: { type: 'ExternalName', externalName, selector: null, clusterIP: null, clusterIPs: null },
  });

async function until(what: string, holds: () => Promise<boolean>, withinMs = 30_000): Promise<number> {
  const startMs = Date.now();
  while (!(await holds())) {
    assert.ok(Date.now() - startMs < withinMs, `within ${withinMs / 1000} s: ${what}`);
    await systemClock.sleep(50);
  }
  return Date.now() - startMs;
}

async function pippin(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args, '--kubeconfig', kube.kubeconfig], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: kube.folder },
  });
  children.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()));
  await once(child, 'close');
  return text;
}

function manager(half: 'metal' | 'ipam', webhookAddress: string): ChildProcess {
  const child = spawn(
    process.execPath,
    ['src/cli/main.ts', 'manager', `--controllers=${half}`, '--kubeconfig', kube.kubeconfig, '--log-level', 'warn']
      .concat(['--health-probe-bind-address', '127.0.0.1:0', '--metrics-bind-address', '127.0.0.1:0'])
      .concat(['--webhook-bind-address', webhookAddress]),
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env.PATH, HOME: kube.folder } },
  );
  children.push(child);
  return child;
}

const DATA = { namespace: 'metal', name: 'data-0' };
const OLDER = { ...Metal3Data, version: 'v1beta1' };

test('a fleet that 1.13 left is taken over by two commands: the stuck Template goes within seconds', {
  timeout: 240_000,
}, async () => {
  await defineAsUpstream(api, '1.8');
  await until('the kinds are served', () => api.serves({ ...Metal3Machine, version: 'v1beta1' }).catch(() => false));
  await loadForeign(api, '1.13', ['running', 'stuck']);
  await defineAsUpstream(api, '1.13');
  await installUpstreamWebhooks(api);
  await leadTo('127.0.10.5');
  manager('metal', '127.0.10.5:443');
  manager('ipam', 'off');
  await until('the endpoint has an authority', async () => (await readShared(api)).authorities !== undefined);
  const stuckBefore = await api.find(
    { ...Metal3DataTemplate, version: 'v1beta1' },
    { namespace: 'metal', name: 'frozen' },
  );

  const plan = await pippin('metal', 'takeover');
  const said = await pippin('metal', 'takeover', '--apply', digestIn(plan) ?? assert.fail(plan));
  const stuck = { namespace: 'metal', name: 'frozen' };
  const goneMs = await until('the stuck Template is gone', async () => {
    return (await api.find(Metal3DataTemplate, stuck)) === undefined;
  });
  await until('its Data is gone', async () => {
    return (await api.find(Metal3Data, { namespace: 'metal', name: 'frozen-1' })) === undefined;
  });

  assert.ok(stuckBefore?.metadata.deletionTimestamp !== undefined);
  assert.match(said, /done: trial[\s\S]*done: definitions[\s\S]*done: webhooks[\s\S]*done: objects/);
  assert.ok(goneMs < 15_000, `gone after ${goneMs / 1000} s, the wait of 10 s for the takeover included`);
  assert.equal((await api.get(Metal3Data, DATA)).spec?.index, 0);
  assert.match(await pippin('metal', 'takeover'), /Nothing is left to do/);
  const name = 'metal3datas.infrastructure.cluster.x-k8s.io';
  assert.deepEqual((await api.get(CustomResourceDefinition, { name })).status?.storedVersions, ['v1beta2']);
});

/** An authority every 90 s, due after 60: a third of each life is left for a machine that has much to do. */
const SHORT: Lives = { authorityMs: 90_000, servingMs: 60_000, settlingMs: 3_000, backdatedMs: 1_000 };

interface Replica {
  kill(): Promise<void>;
}

async function replica(address: string): Promise<Replica> {
  const seams = { clock: systemClock, random: systemRandom, log: silentLog, metrics: noMetrics };
  const world = openWorld({ ...seams, transport, component: 'pippin-metal-endpoint' });
  const stop = new AbortController();
  const running = metalEndpoint({ ...world, keys: realKeys, address, lives: SHORT })(stop.signal);
  return {
    kill: async () => {
      stop.abort(new Error('killed'));
      await running;
      await world.close();
    },
  };
}

test('through a rotation and a kill every object is read in both versions', { timeout: 400_000 }, async () => {
  for (const child of children) child.kill('SIGKILL');
  await api.delete({ ...Service, plural: 'secrets', kind: 'Secret' }, { ...SERVICE, name: 'pippin-metal-authorities' });
  const [first, second] = [await replica('127.0.10.6:443'), await replica('127.0.10.7:443')];
  await leadTo('127.0.10.6');
  const failures: string[] = [];
  const reads = async (): Promise<boolean> =>
    api.get(OLDER, DATA).then(
      () => true,
      (error: unknown) => {
        failures.push(String(error));
        return false;
      },
    );
  await until('the first replica converts', reads);
  const signing = new Set<string>();
  failures.length = 0;
  const look = async (ms: number): Promise<void> => {
    const endMs = Date.now() + ms;
    while (Date.now() < endMs) {
      await reads();
      signing.add((await readShared(api)).authorities?.signing.certificatePem ?? '');
      await systemClock.sleep(100);
    }
  };

  await look(80_000);
  const [failedInRotation, rotations] = [[...failures], signing.size - 1];
  await first.kill();
  await leadTo('127.0.10.7');
  await until('the second replica converts', reads, 5_000);
  failures.length = 0;
  await look(15_000);
  await second.kill();

  assert.deepEqual(failedInRotation, []);
  assert.ok(rotations >= 1, `${rotations} rotations`);
  assert.deepEqual(failures, [], 'after the kill');
});
