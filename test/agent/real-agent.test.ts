// The agent as a process, with its own rights and certificate, on a served API and the double of tart: nothing modelled between.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeTart } from '../../sim/tart/wrapper.ts';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { processTable } from '../../src/adapters/launchd/process-table.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { nodeSigner } from '../../src/apiserver/auth/index.ts';
import { minutes } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { nodeCertificates } from '../../src/builtin/certificates/controller.ts';
import { installManifests } from '../../src/fleet/manifests.ts';
import { programFile } from '../../src/fleet/programs.ts';
import { type ServedApi, serveApi } from '../../src/fleet/serve-api.ts';
import { openWorld } from '../../src/fleet/world.ts';
import type { Api } from '../../src/kube/api.ts';
import { client } from '../../src/kube/client.ts';
import type { KubeWorld } from '../../src/kube/controller.ts';
import { Node } from '../../src/kube/core/node.ts';
import { Secret, ServiceAccount } from '../../src/kube/core/other.ts';
import { Pod } from '../../src/kube/core/pod.ts';
import { keyController, runControllers } from '../../src/kube/run.ts';
import { kubeconfigText } from '../../src/mac/machine/identity/kubeconfig.ts';

const NODE = 'mac-0';
const IMAGE = 'ghcr.io/tuist/runner:macos-26';
const ended: (() => Promise<void>)[] = [];
after(async () => {
  for (const end of ended.reverse()) await end();
});

interface Fleet {
  readonly dir: string;
  readonly api: Api;
  readonly served: ServedApi;
  startAgent(): Promise<ChildProcess>;
  log(): Promise<string>;
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>;
  vms(): Promise<readonly number[]>;
}

async function aFleet(): Promise<Fleet> {
  const dir = await mkdtemp(join(tmpdir(), 'pippin-agent-'));
  const served = await serveApi({
    dataDir: join(dir, 'api'),
    port: 0,
    clock: systemClock,
    random: systemRandom,
    keys: realKeys,
  });
  const api = client(served.transport, { clock: systemClock });
  await installManifests(api, ['agent']);
  await writeFile(join(dir, 'kubeconfig'), await nodeKubeconfig(served), { mode: 0o600 });
  await writeFile(
    join(dir, 'registry.json'),
    JSON.stringify({ images: { [IMAGE]: { pullSeconds: 0.5, guest: { bootSeconds: 1 } } } }),
  );
  writeTart(join(dir, 'bin/tart'), {
    node: process.execPath,
    command: programFile('tart'),
    compileCache: join(dir, 'cache'),
  });
  const agents: ChildProcess[] = [];
  const stopSigning = await signCertificates(served);
  const vms = async (): Promise<readonly number[]> => {
    const rows = await processTable();
    return rows.filter(row => row.args[1] === join(dir, 'bin/tart') && row.args[2] === 'run').map(row => row.pid);
  };
  ended.push(async () => {
    for (const agent of agents) await endOf(agent, 'SIGKILL');
    for (const pid of await vms()) process.kill(pid, 'SIGKILL');
    await stopSigning();
    await served.close();
    await rm(dir, { recursive: true, force: true });
  });
  return {
    dir,
    api,
    served,
    vms,
    log: () => readFile(join(dir, 'agent.log'), 'utf8'),
    startAgent: async () => {
      const agent = startAgent(dir);
      agents.push(agent);
      return agent;
    },
    until: async (what, look) => {
      for (let tries = 0; tries < 300; tries++) {
        const seen = await look();
        if (seen !== undefined && seen !== false) return seen;
        await sleep(100);
      }
      return assert.fail(`${what} does not happen; the agent says:\n${await readFile(join(dir, 'agent.log'), 'utf8')}`);
    },
  };
}

/** What signs the certificates of Nodes in a cluster. */
async function signCertificates({ transport, authority, authorityNotAfter }: ServedApi): Promise<() => Promise<void>> {
  const seams = { clock: systemClock, random: systemRandom, log: silentLog, metrics: noMetrics };
  const world = openWorld({ ...seams, transport, component: 'signer' });
  const signer = nodeSigner({ keys: realKeys, authority, authorityNotAfter, clock: systemClock });
  const stopping = new AbortController();
  const certificates = keyController(nodeCertificates({ signer, longestMs: minutes(24 * 60), keptMs: minutes(60) }));
  const running = runControllers<KubeWorld>(world, [certificates], stopping.signal);
  return async () => {
    stopping.abort();
    await running;
    await world.close();
  };
}

async function nodeKubeconfig({ url, authority }: ServedApi): Promise<string> {
  const pair = await realKeys.pair();
  const certificatePem = await realKeys.certify(authority, pair.publicKeyPem, {
    commonName: `system:node:${NODE}`,
    organizations: ['system:nodes'],
    // More than half of its life is over: the agent's first look finds it due.
    notBefore: Date.now() - minutes(60),
    notAfter: Date.now() + minutes(20),
    usages: ['client'],
  });
  const credential = { kind: 'certificate', certificatePem, privateKeyPem: pair.privateKeyPem } as const;
  return kubeconfigText({ server: url, caPem: authority.certificatePem, user: `system:node:${NODE}`, credential });
}

function startAgent(dir: string): ChildProcess {
  const flags = {
    kubeconfig: join(dir, 'kubeconfig'),
    'node-name': NODE,
    'node-ip': '127.0.0.1',
    'provider-id': 'scw-applesilicon://fr-par-1/11111111-1111-4111-8111-111111111111',
    'tart-binary': join(dir, 'bin/tart'),
    'tart-home': join(dir, 'tart'),
    'user-data-dir': join(dir, 'guests'),
    'state-dir': join(dir, 'state'),
    'upstream-log-dir': join(dir, 'none'),
    'vm-start-window-seconds': '1',
    'metrics-bind-address': '127.0.0.1:0',
  };
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const script = `exec "$@" 2>> "${join(dir, 'agent.log')}"`;
  return spawn('/bin/sh', ['-c', script, 'sh', process.execPath, programFile('pippin'), 'agent', ...args], {
    env: { PATH: process.env.PATH, HOME: dir, TART_SIM_REGISTRY: join(dir, 'registry.json') },
    stdio: 'ignore',
  });
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once('exit', resolve);
  child.kill(signal);
  return promise;
}

const aPod = (name: string): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: {
    nodeName: NODE,
    restartPolicy: 'Always',
    serviceAccountName: 'runner',
    automountServiceAccountToken: true,
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'vm', image: IMAGE, envFrom: [{ secretRef: { name: 'settings' } }] }],
  },
});

test('an agent with the rights of its Node alone renews its certificate, runs a Pod, is killed, comes back to the same VM, and takes it down', async () => {
  const fleet = await aFleet();
  const { api, until } = fleet;
  const key = { namespace: 'default', name: 'web' };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'runner', namespace: 'default' } };
  const secret = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'settings', namespace: 'default' },
    stringData: { A: 'b' },
  };
  await api.create(ServiceAccount, account);
  await api.create(Secret, secret);
  const first = await fleet.startAgent();

  const node = await until('the Node', () => api.find(Node, { name: NODE }));
  await api.create(Pod, aPod('web'));
  const pod = await until('the Pod', async () => {
    const seen = await api.find(Pod, key);
    return seen?.status?.containerStatuses?.[0]?.ready === true && seen;
  });
  const [vmPid] = await fleet.vms();
  assert.match(node.spec?.providerID ?? '', /^scw-applesilicon/);
  const guest = join(fleet.dir, 'guests', `default-web-${pod.metadata.uid}`);
  assert.equal(await readFile(join(guest, 'tuist.env'), 'utf8'), 'A=b\n');
  assert.match(await readFile(join(guest, 'sa_token'), 'utf8'), /^ey/);
  assert.equal((await stat(join(guest, 'sa_token'))).mode & 0o777, 0o600);
  assert.equal((await stat(guest)).mode & 0o777, 0o700);

  const renewed = await until('the new certificate', async () => {
    const text = await readFile(join(fleet.dir, 'kubeconfig'), 'utf8');
    const pem = Buffer.from(JSON.parse(text).users[0].user['client-certificate-data'], 'base64').toString();
    const read = realKeys.readCertificate(pem);
    return read !== undefined && read.notAfter > Date.now() + minutes(60) && read;
  });
  assert.ok(renewed.notAfter - Date.now() <= minutes(24 * 60), 'a day at most (safe-18)');
  assert.equal((await stat(join(fleet.dir, 'kubeconfig'))).mode & 0o777, 0o600);

  await endOf(first, 'SIGKILL');
  const second = await fleet.startAgent();
  await sleep(1500);
  assert.deepEqual(await fleet.vms(), [vmPid], 'the same process, and no other');

  await api.delete(Pod, key, { graceSeconds: 20 });
  await until('the end of the Pod', async () => (await api.find(Pod, key)) === undefined);
  assert.deepEqual(await fleet.vms(), []);
  assert.equal(await endOf(second, 'SIGTERM'), 0);
  assert.doesNotMatch(await fleet.log(), /"level":"error"/);
});
