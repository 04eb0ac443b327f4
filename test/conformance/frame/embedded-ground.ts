// The embedded API as a ground: served as a process would serve it, with the controllers that the real ground has.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realKeys } from '../../../src/adapters/keys/index.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { minutes } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { clusterControllers } from '../../../src/fleet/controllers.ts';
import { CONTROLLER_MANAGER, kubernetesOptions } from '../../../src/fleet/kubernetes-options.ts';
import { controllerIdentity, installManifests, sharedReader } from '../../../src/fleet/manifests.ts';
import { type ServedApi, serveApi } from '../../../src/fleet/serve-api.ts';
import { openWorld } from '../../../src/fleet/world.ts';
import { client } from '../../../src/kube/client.ts';
import { adminTokenOf } from './admin-token.ts';
import type { OwnGround } from './ground.ts';
import { type KubeletCertificate, kubeletBehind } from './kubelet.ts';
import { hangUp } from './wire.ts';
import { workloads } from './workloads.ts';

/** Not on the real ground either: it would bind the Pods of cases. */
const WITHOUT = ['scheduler'];

export async function embeddedGround(): Promise<OwnGround> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pippin-conformance-'));
  const seams = { clock: systemClock, random: systemRandom, keys: realKeys, log: silentLog, metrics: noMetrics };
  const behind = await workloads();
  const served = await serveApi({ dataDir, port: 0, httpProxy: behind.url, ...seams });
  await installManifests(client(served.transport, { clock: systemClock, userAgent: 'conformance' }), ['embedded']);
  const { transport } = served;
  const world = openWorld({ ...seams, transport, identity: sharedReader, component: CONTROLLER_MANAGER });
  const stopping = new AbortController();
  const kubernetes = kubernetesOptions(seams, served);
  const program = clusterControllers({ world, kubernetes, actingAs: controllerIdentity, without: WITHOUT });
  const running = program(stopping.signal);
  const ground = {
    url: served.url,
    caPem: served.authority.certificatePem,
    adminToken: adminTokenOf(served.kubeconfigFile),
    prefix: '',
    forget: async () => served.api.compact(),
  };
  const kubelet = await kubeletBehind(ground, await kubeletCertificate(served));
  return Object.assign(ground, {
    [Symbol.asyncDispose]: async () => {
      await kubelet[Symbol.asyncDispose]();
      hangUp(ground);
      stopping.abort();
      await running;
      await world.close();
      await served.close();
      await behind[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  });
}

/** As the cluster's authority gives it to a Node that asks for a serving certificate. */
async function kubeletCertificate({ authority }: ServedApi): Promise<KubeletCertificate> {
  const pair = await realKeys.pair();
  const certificatePem = await realKeys.certify(authority, pair.publicKeyPem, {
    commonName: 'system:node:sim-node',
    ipAddresses: ['127.0.0.1'],
    notBefore: systemClock.now() - minutes(5),
    notAfter: systemClock.now() + minutes(60),
    usages: ['server'],
  });
  return { certificatePem, privateKeyPem: pair.privateKeyPem };
}
