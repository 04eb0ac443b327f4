// One Mac from pool to pool on real parts: Scaleway's SDK over HTTP, SSH, the set-up's scripts, a process as the agent.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { simulatedArtifacts } from '../../sim/mac-host/artifacts.ts';
import { MacHosts } from '../../sim/mac-host/hosts.ts';
import { processesOf } from '../../sim/mac-host/processes.ts';
import { ScalewayModel } from '../../sim/scaleway/model.ts';
import { serveScaleway } from '../../sim/scaleway/server.ts';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { scalewayCloud } from '../../src/adapters/scaleway/cloud.ts';
import { sshShell } from '../../src/adapters/ssh/shell.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { silentLog } from '../../src/base/log.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import { nodeCertificates } from '../../src/builtin/certificates/controller.ts';
import { AbsenceJournal } from '../../src/deletion/journal.ts';
import { inProcessApi } from '../../src/fleet/api.ts';
import { definitionsOf } from '../../src/fleet/definitions.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { CustomResourceDefinition } from '../../src/kube/core/other.ts';
import { keyController, runControllers } from '../../src/kube/run.ts';
import { macControllers } from '../../src/mac/index.ts';
import { AttemptTimes } from '../../src/mac/machine/attempts.ts';
import { HOST_COMMANDS } from '../../src/mac/machine/bootstrap/script.ts';
import { MacMachine } from '../../src/mac/machine/mac-machine.ts';
import { OneAtATime } from '../../src/mac/machine/one-at-a-time.ts';
import { cloudWitness } from '../../src/mac/pods/cloud-witness.ts';
import { type MacWorld, USUAL_SETTINGS } from '../../src/mac/world.ts';

const clock = systemClock;
const random = systemRandom;
const SECRET_KEY = '11111111-2222-4333-8444-555555555555';
const AGENT = ['/bin/sh', '-c', 'echo "agent $*"; while :; do sleep 0.2; done', 'agent'];
const TART = ['/bin/sh', '-c', ':', 'tart'];
const KEY = { namespace: 'default', name: 'mac-0' };

test('a Mac is taken, set up with a running agent, and given back without a process or a file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'real-parts-'));
  const model = new ScalewayModel({ clock, random, durations: { reinstalling: 1000 }, keysEnter: 'at login' });
  const server = model.order({ name: 'pool-one' });
  model.order({ name: 'bystander', status: 'locked' });
  const hosts = new MacHosts({ clock, model, folder, commands: HOST_COMMANDS });
  await hosts.open();
  const scaleway = await serveScaleway({ model, secretKey: SECRET_KEY });
  const served = await inProcessApi({ clock, random });
  const base = openWorld({ ...served, component: 'test', clock, random, log: silentLog, metrics: noMetrics });
  const { projectId } = model.state;
  const access = { accessKey: 'SCWXXXXXXXXXXXXXXXXX', secretKey: SECRET_KEY, projectId, clock, apiUrl: scaleway.url };
  const cloud = scalewayCloud(access);
  const world: MacWorld = {
    ...base,
    cloud,
    shell: sshShell({ clock, route: hosts.route }),
    keys: realKeys,
    artifacts: simulatedArtifacts({ agent: AGENT, tart: TART }),
    settings: {
      ...USUAL_SETTINGS,
      poolPrefix: 'pool-',
      claimSettlesMs: 0,
      timing: { settleSeconds: 1, aquaSeconds: 2 },
      apiServer: { url: 'https://127.0.0.1:6443', caPem: 'CA' },
    },
    witness: cloudWitness({ cloud, zones: () => ['fr-par-1'], projectId }),
    journal: new AbsenceJournal(clock),
    adoptions: new OneAtATime(),
    attempts: new AttemptTimes(clock),
  };
  const life = new AbortController();
  const signer = {
    inspect: async () => ({
      commonName: 'system:node:mac-0',
      organizations: ['system:nodes'],
      hasAlternativeNames: false,
    }),
    sign: () => Promise.resolve('CERTIFICATE'),
  };
  for (const each of definitionsOf()) await base.api.create(CustomResourceDefinition, each);
  const certificates = keyController(nodeCertificates({ signer, longestMs: 86_400_000, keptMs: 3_600_000 }));
  const running = runControllers<MacWorld>(world, [...macControllers(), certificates], life.signal);
  const machine = () => base.api.find(MacMachine, KEY);
  try {
    await base.api.create(MacMachine, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
      kind: 'ScalewayAppleSiliconMachine',
      metadata: KEY,
      spec: {},
    });
    await eventually(async () => (await machine())?.status?.phase === 'Ready');

    const { root } = hosts.mac(server.id);
    const agent = processesOf(root).find(({ command }) => command.includes('--node-name=mac-0'));
    assert.match(agent?.command ?? '', new RegExp(`--provider-id=scw-applesilicon://fr-par-1/${server.id}`));
    assert.match(readFileSync(join(root, 'etc/tart-kubelet/kubeconfig'), 'utf8'), /client-certificate-data/);

    await base.api.delete(MacMachine, KEY);
    await eventually(async () => (await machine()) === undefined);

    assert.equal(server.wipes, 1);
    assert.match(server.name, /^pool-/);
    await hosts.settled();
    assert.deepEqual(processesOf(root), []);
  } finally {
    life.abort();
    await running;
    await hosts.close();
    model.close();
    await scaleway.close();
    await base.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const untilMs = clock.monotonic() + 40_000;
  while (!(await holds())) {
    assert.ok(clock.monotonic() < untilMs, 'within 40 s');
    await clock.sleep(100);
  }
}
