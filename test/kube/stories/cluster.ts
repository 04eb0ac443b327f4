// A real cluster made ready for the story: our kinds and accounts, a Linux Node that stays healthy, and a watched view of it all.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { httpTransport } from '../../../src/adapters/http/client.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { kubeMicroTime, kubeTime, seconds } from '../../../src/base/clock.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { type DefinitionSet, installDefinitions } from '../../../src/fleet/definitions.ts';
import { installManifests, type ManifestName } from '../../../src/fleet/manifests.ts';
import { type OpenWorld, openWorld } from '../../../src/fleet/world.ts';
import type { Api } from '../../../src/kube/api.ts';
import type { Caches } from '../../../src/kube/cache.ts';
import { Lease, NODE_LEASE_NAMESPACE, Node } from '../../../src/kube/core/node.ts';
import { ServiceAccount } from '../../../src/kube/core/other.ts';
import type { ApiResponse, Transport } from '../../../src/kube/transport.ts';
import { testLog } from '../../world/test-log.ts';
import { type RealKube, startRealKube } from '../real.ts';
import { type View, viewOf } from './view.ts';

const clock = systemClock;

/** Where deploy/ puts our programs. */
export const PIPPIN_NAMESPACE = 'pippin-system';

/** kube-controller-manager works as it does everywhere: only its number of writes a second is raised, for the crowd in here. */
const CROWDED = ['--kube-api-qps=200', '--kube-api-burst=400'];

export interface StoryCluster {
  readonly kube: RealKube;
  /** In system:masters. */
  readonly api: Api;
  readonly view: View;
  /** The administrator's. */
  readonly caches: Caches;
  /** Requests of our programs that the cluster did not allow: `who: METHOD path`. */
  readonly forbidden: string[];
  /** Runs kubectl as the administrator; answers what it printed. Throws with what it said when it fails. */
  kubectl(argv: readonly string[], input?: string): Promise<string>;
  /** The API as this service account of `pippin-system`. */
  account(name: string): Promise<Transport>;
  /** `transport`, with what is forbidden to `who` noted. */
  noting(who: string, transport: Transport): Transport;
  close(): Promise<void>;
}

/** Which of our kinds, and which of deploy/, it has. */
export interface Installed {
  readonly definitions: readonly DefinitionSet[];
  readonly manifests: readonly ManifestName[];
}

const FOR_MACS: Installed = { definitions: ['mac'], manifests: ['macProvider', 'agent', 'clusterApi'] };

export async function storyCluster({ definitions, manifests }: Installed = FOR_MACS): Promise<StoryCluster> {
  const kube = await startRealKube({ controllerManagerFlags: CROWDED });
  const stop = new AbortController();
  const world = openWorld({
    transport: httpTransport({ server: kube.url, caPem: kube.caPem, token: async () => kube.adminToken }),
    component: 'story',
    clock,
    random: systemRandom,
    log: testLog('story', clock),
    metrics: noMetrics,
  });
  const close = async (): Promise<void> => {
    stop.abort(new Error('the story is over'));
    await world.close();
    await kube.stop();
  };
  try {
    await installDefinitions(world, definitions);
    await installManifests(world.api, manifests);
    await startLinuxNode(world, stop.signal);
    return { ...storyClusterOf(kube, world), caches: world.caches, view: await viewOf(world.caches), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function storyClusterOf(kube: RealKube, { api }: OpenWorld): Omit<StoryCluster, 'view' | 'caches' | 'close'> {
  const forbidden: string[] = [];
  const noting = (who: string, inner: Transport): Transport => {
    return async request => {
      const answer = await inner(request);
      if (answer.status === 403 && !isOfEndingNamespace(answer))
        forbidden.push(`${who}: ${request.method} ${request.path}`);
      return answer;
    };
  };
  return {
    kube,
    api,
    forbidden,
    noting,
    kubectl: (argv, input) => kubectl(kube, argv, input),
    account: async name => {
      const token = await tokenOf(name, api);
      return noting(name, httpTransport({ server: kube.url, caPem: kube.caPem, token: async () => token }));
    },
  };
}

async function tokenOf(name: string, api: Api): Promise<string> {
  const asked = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const key = { namespace: PIPPIN_NAMESPACE, name };
  const { status } = await api.createSub<{ status: { token: string } }>(ServiceAccount, key, 'token', asked);
  return status.token;
}

function kubectl(
  { kubectl: program, kubeconfig, folder }: RealKube,
  argv: readonly string[],
  input = '',
): Promise<string> {
  const own = [`--kubeconfig=${kubeconfig}`, `--cache-dir=${join(folder, 'kubectl')}`];
  return new Promise((resolve, reject) => {
    const child = execFile(program, [...own, ...argv], { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`kubectl ${argv.join(' ')}: ${stderr.trim()}`));
    });
    child.stdin?.end(input);
  });
}

/** Nothing is created in a namespace that ends, whatever the role allows. */
const isOfEndingNamespace = ({ body }: ApiResponse): boolean =>
  new TextDecoder().decode(body).includes('because it is being terminated');

const LINUX = 'linux-0';
const HEARTBEAT_MS = seconds(10);

/** A Node with a kubelet, as far as the control plane can tell. */
async function startLinuxNode({ api, log }: OpenWorld, signal: AbortSignal): Promise<void> {
  await api.create(Node, { apiVersion: 'v1', kind: 'Node', metadata: { name: LINUX } });
  await api.create(Lease, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { namespace: NODE_LEASE_NAMESPACE, name: LINUX },
    spec: { holderIdentity: LINUX, leaseDurationSeconds: 40 },
  });
  await beat(api);
  void (async () => {
    while (!signal.aborted) {
      await clock.sleep(HEARTBEAT_MS, signal).catch(() => undefined);
      if (!signal.aborted) await beat(api).catch((error: unknown) => log.warn('no heartbeat', { error }));
    }
  })();
}

async function beat(api: Api): Promise<void> {
  const now = clock.now();
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' };
  const condition = { ...ready, lastHeartbeatTime: kubeTime(now), lastTransitionTime: kubeTime(now) };
  const patch = { type: 'strategic', subresource: 'status' } as const;
  await api.patch(Node, { name: LINUX }, { status: { conditions: [condition] } }, patch);
  const lease = { namespace: NODE_LEASE_NAMESPACE, name: LINUX };
  await api.patch(Lease, lease, { spec: { renewTime: kubeMicroTime(now) } });
}
