// `pippin apiserver` and `pippin manager --controllers=metal,ipam` as processes: no key of any cloud, each half led by its own lease.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { installDefinitions } from '../../src/fleet/definitions.ts';
import { installManifests } from '../../src/fleet/manifests.ts';
import { poolOf } from '../../src/fleet/up/metal-objects.ts';
import { portFor } from '../../src/fleet/up/ports.ts';
import { IPClaim } from '../../src/kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../src/kinds/generated/ip-pool.generated.ts';
import type { Api } from '../../src/kube/api.ts';
import { Lease } from '../../src/kube/core/node.ts';
import { ServiceAccount } from '../../src/kube/core/other.ts';
import { COMPILED, DataFolder, until } from './fleet-process.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = new DataFolder();
const beside = resolve(folder.path, '..');
const children: ChildProcess[] = [];
let api: Api;

function pippin(args: readonly string[]): ChildProcess {
  const { PATH, TMPDIR } = process.env;
  const child = spawn(process.execPath, ['src/cli/main.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH, TMPDIR, HOME: beside, ...COMPILED, HOSTNAME: args.at(-1) },
  });
  children.push(child);
  return child;
}

async function accountKubeconfig(name: string): Promise<string> {
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const key = { namespace: 'pippin-system', name };
  const { status } = await api.createSub<{ status: { token: string } }>(ServiceAccount, key, 'token', request);
  const config = JSON.parse(folder.read('kubeconfig'));
  const file = join(beside, `${name}.kubeconfig`);
  writeFileSync(file, JSON.stringify({ ...config, users: [{ name: 'admin', user: { token: status.token } }] }), {
    mode: 0o600,
  });
  return file;
}

/** The manager of one half; answers where its status page is. */
async function half(name: 'metal' | 'ipam'): Promise<{ child: ChildProcess; page: () => Promise<string> }> {
  const port = await portFor(name, {});
  const child = pippin(
    ['manager', '--kubeconfig', await accountKubeconfig(`pippin-${name}`)]
      .concat(['--health-probe-bind-address', `127.0.0.1:${port}`, '--metrics-bind-address', '127.0.0.1:0'])
      .concat(['--webhook-bind-address', '127.0.0.1:0'])
      .concat([`--controllers=${name}`]),
  );
  const page = async (): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}/controllers`).catch(() => undefined);
    return (await answer?.text()) ?? '';
  };
  return { child, page };
}

const holderOf = async (name: string): Promise<string | undefined> =>
  (await api.find(Lease, { namespace: 'pippin-system', name }))?.spec?.holderIdentity;

before(async () => {
  const apiserver = pippin(['apiserver', '--data-dir', folder.path, '--port', '0']);
  await once(apiserver.stdout ?? assert.fail('no output'), 'data');
  api = folder.api();
  await installManifests(api, ['metal', 'ipam', 'metalEndpoint']);
});

after(() => {
  for (const child of children) child.kill('SIGKILL');
  folder.remove();
});

test('each half leads by its own lease, is off while its kinds are missing, and works once they are there', async () => {
  const [metal, ipam] = [await half('metal'), await half('ipam')];
  await until('metal says what it waits for', async () => /off: waits for/.test(await metal.page()));
  await until('ipam says what it waits for', async () => /off: waits for/.test(await ipam.page()));
  const ipamPage = await ipam.page();

  await installDefinitions({ api, clock: systemClock }, ['mac', 'metal', 'stand-ins for metal']);
  await until('all controllers of metal are on', async () => !/off/.test(await metal.page()));
  await until('all controllers of ipam are on', async () => !/off/.test(await ipam.page()));
  const key = { namespace: 'default', name: 'pool' };
  await api.create(IPPool, poolOf(key));
  await api.create(IPClaim, {
    apiVersion: 'ipam.metal3.io/v1alpha1',
    kind: IPClaim.kind,
    metadata: { namespace: 'default', name: 'one' },
    spec: { pool: { name: 'pool' } },
  });
  await until('the claim has an address', async () => {
    const { status } = await api.get(IPClaim, { namespace: 'default', name: 'one' });
    return status?.address?.name !== undefined;
  });

  assert.match(ipamPage, /ipclaims\.ipam\.metal3\.io/);
  assert.ok((await holderOf('controller-leader-election-capm3'))?.startsWith('--controllers=metal_'));
  assert.ok((await holderOf('controller-leader-election-ipam-capm3'))?.startsWith('--controllers=ipam_'));
  for (const { child } of [metal, ipam]) {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
  }
});
