// `pippin apiserver` and two replicas of `pippin manager`, as processes, with a simulated Scaleway: one leads, the other takes over.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { ScalewayModel } from '../../sim/scaleway/model.ts';
import { type ScalewayServer, serveScaleway } from '../../sim/scaleway/server.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { installDefinitions } from '../../src/fleet/definitions.ts';
import { installManifests } from '../../src/fleet/manifests.ts';
import { portFor } from '../../src/fleet/up/ports.ts';
import type { Api } from '../../src/kube/api.ts';
import { Lease } from '../../src/kube/core/node.ts';
import { ServiceAccount } from '../../src/kube/core/other.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { createMac } from '../world/acts.ts';
import { COMPILED, DataFolder, until } from './fleet-process.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = new DataFolder();
const beside = resolve(folder.path, '..');
const scaleway = new ScalewayModel({ clock: systemClock, random: systemRandom });
const secretKey = systemRandom.uuid();
const children: ChildProcess[] = [];
let server: ScalewayServer;
let api: Api;
let kubeconfig: string;

function pippin(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const { PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, TMPDIR, HOME: beside, ...COMPILED, ...env },
  });
  children.push(child);
  return child;
}

/** The kubeconfig of the manager's account, with a token as a Pod would get it. */
async function accountKubeconfig(): Promise<string> {
  const key = { namespace: 'pippin-system', name: 'pippin-manager' };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const { status } = await api.createSub<{ status: { token: string } }>(ServiceAccount, key, 'token', request);
  const config = JSON.parse(folder.read('kubeconfig'));
  const file = join(beside, 'manager.kubeconfig');
  const users = [{ name: 'admin', user: { token: status.token } }];
  writeFileSync(file, JSON.stringify({ ...config, users }), { mode: 0o600 });
  return file;
}

async function replica(hostname: string, secret = secretKey): Promise<{ child: ChildProcess; health: number }> {
  const bundle = join(beside, 'bundle.tgz');
  writeFileSync(bundle, Buffer.from([0x1f, 0x8b, 0x08]));
  const health = await portFor(hostname, {});
  const args = ['manager', '--kubeconfig', kubeconfig, '--tart-artifact', bundle, '--agent-artifact', bundle]
    .concat(['--api-server-url', 'https://127.0.0.1:1', '--scaleway-api-url', server.url])
    .concat(['--health-probe-bind-address', `127.0.0.1:${health}`, '--metrics-bind-address', '127.0.0.1:0'])
    .concat(['--default-adopt-pool-prefix', 'pool-']);
  const { projectId } = scaleway.state;
  const keys = { SCW_ACCESS_KEY: 'SCWXXXXXXXXXXXXXXXXX', SCW_SECRET_KEY: secret, SCW_DEFAULT_PROJECT_ID: projectId };
  return { child: pippin(args, { ...keys, HOSTNAME: hostname }), health };
}

async function leader(): Promise<string | undefined> {
  const name = 'scaleway-applesilicon.infrastructure.cluster.x-k8s.io';
  const lease = await api.find(Lease, { namespace: 'pippin-system', name });
  return lease?.spec?.holderIdentity?.split('_')[0];
}

async function hostOf(name: string): Promise<string | undefined> {
  return (await api.get(MacMachine, { namespace: 'default', name })).spec?.providerID;
}

before(async () => {
  server = await serveScaleway({ model: scaleway, secretKey });
  for (const name of ['pool-0', 'pool-1']) scaleway.order({ name });
  const apiserver = pippin(['apiserver', '--data-dir', folder.path, '--port', '0']);
  const [line] = await once(apiserver.stdout ?? assert.fail('no output'), 'data');
  assert.match(String(line), /^ready at https:\/\/127\.0\.0\.1:\d+; export KUBECONFIG=\S+\n$/);
  api = folder.api();
  await installDefinitions({ api, clock: systemClock });
  await installManifests(api, ['macProvider']);
  kubeconfig = await accountKubeconfig();
});

after(async () => {
  for (const child of children) child.kill('SIGKILL');
  scaleway.close();
  await server.close();
  folder.remove();
});

test('one replica leads under its own account, and the other takes over when it ends', async () => {
  const one = await replica('one');
  await until('the first replica leads', async () => (await leader()) === 'one');
  const two = await replica('two');
  await createMac(api, 'mac-0', 'default');
  await until('the first machine has a host', async () => (await hostOf('mac-0')) !== undefined);
  await until('both replicas are healthy', async () => {
    const pages = [one, two].map(({ health }) => fetch(`http://127.0.0.1:${health}/readyz`).catch(() => undefined));
    return (await Promise.all(pages)).every(page => page?.status === 200);
  });

  one.child.kill('SIGTERM');
  const [code] = await once(one.child, 'exit');
  await until('the second replica leads', async () => (await leader()) === 'two');
  await createMac(api, 'mac-1', 'default');
  await until('the second machine has a host', async () => (await hostOf('mac-1')) !== undefined);

  assert.equal(code, 0);
  assert.deepEqual(scaleway.state.servers.map(({ name }) => name).sort(), ['mac-0', 'mac-1']);
  assert.notEqual(await hostOf('mac-0'), await hostOf('mac-1'));
});

test('a Scaleway key that is refused is one clear error, which does not repeat the key', async () => {
  const wrong = systemRandom.uuid();
  const { child } = await replica('three', wrong);
  let said = '';
  child.stderr?.on('data', data => {
    said += data;
  });

  const [code] = await once(child, 'close');

  assert.equal(code, 1);
  assert.match(said, /^error: .* \(PIPPIN_E_CLOUD_REFUSED\)\nremedy: Check the API key.*\n$/);
  assert.equal(said.includes(wrong), false);
});
