// The control plane of `pippin up`: the API with its definitions and roles, and its controllers, each under its own identity.

import { httpTransport } from '../../adapters/http/client.ts';
import type { Clock } from '../../base/clock.ts';
import type { Cryptography } from '../../base/keys.ts';
import type { Log } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { Api } from '../../kube/api.ts';
import { client } from '../../kube/client.ts';
import type { Identity } from '../../kube/transport.ts';
import { workloadClusters } from '../../metal/workload/clusters.ts';
import { aborted } from '../aborted.ts';
import { clusterControllers } from '../controllers.ts';
import { type DefinitionSet, installDefinitions } from '../definitions.ts';
import { CONTROLLER_MANAGER, kubernetesOptions } from '../kubernetes-options.ts';
import {
  clusterApiIdentity,
  controllerIdentity,
  installManifests,
  type ManifestName,
  sharedReader,
} from '../manifests.ts';
import { metalWebhooks } from '../metal-webhooks.ts';
import type { Reach } from '../reach.ts';
import { type ServedApi, serveApi } from '../serve-api.ts';
import { type OpenWorld, openWorld } from '../world.ts';
import type { Closing } from './closing.ts';
import { firstAccount } from './first-account.ts';

/** The real world, as every part of the fleet gets it. */
export interface Seams {
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Cryptography;
  readonly log: Log;
}

export interface ControlPlane extends Seams {
  readonly served: ServedApi;
  /** As the administrator. */
  readonly api: Api;
  /** What the cluster's controllers read from; sees everything. */
  readonly world: OpenWorld;
  /** To workload clusters: the same for whoever asks, so that each has one client and one watch (metal-W2). */
  readonly reach: Reach;
  /** Another world on the same API. It is closed with everything else. */
  openWorld(component: string, identity: Identity): OpenWorld;
}

export interface ControlPlaneSetup extends Seams {
  readonly dataDir: string;
  readonly port: number;
  /** Whose machines there are: their kinds, roles and admission. The Mac provider's are always there. */
  readonly providers: readonly ('mac' | 'metal')[];
}

interface Installed {
  readonly definitions: readonly DefinitionSet[];
  readonly manifests: readonly ManifestName[];
}

const MAC: Installed = { definitions: ['mac'], manifests: ['embedded', 'clusterApi', 'macProvider', 'agent'] };
const METAL: Installed = {
  definitions: ['metal', 'stand-ins for metal'],
  manifests: ['metal', 'ipam', 'metalPolicies', 'metalWebhooks'],
};

/** Resolves once the API is served with all its kinds, and its controllers run. */
export async function startControlPlane(setup: ControlPlaneSetup, closing: Closing): Promise<ControlPlane> {
  const { clock, random, keys, log, providers } = setup;
  const store = Promise.withResolvers<never>();
  store.promise.catch(() => undefined);
  const served = await serveApi({ ...setup, webhooks: metalWebhooks, onStoreFailure: store.reject });
  // A fleet whose books take no more entries ends with the reason, instead of failing at each of its writes.
  closing.run('store', signal => Promise.race([store.promise, aborted(signal)]));
  closing.add('api', () => served.close());
  const api = client(served.transport, { clock, userAgent: 'pippin-up' });
  for (const { definitions, manifests } of [MAC, ...(providers.includes('metal') ? [METAL] : [])]) {
    await installDefinitions({ api, clock }, definitions);
    await installManifests(api, manifests);
  }

  const open = (component: string, identity: Identity): OpenWorld => {
    const world = openWorld({ ...setup, transport: served.transport, component, identity, metrics: noMetrics });
    closing.add(`caches of ${component}`, () => world.close());
    return world;
  };
  const world = open(CONTROLLER_MANAGER, sharedReader);
  const kubernetes = kubernetesOptions(setup, served);
  closing.run('cluster', clusterControllers({ world, kubernetes, actingAs: controllerIdentity }));
  await firstAccount(world);
  const clusterApi = open('pippin-cluster-api', clusterApiIdentity);
  const reach = providers.includes('metal') ? openReach(clusterApi, closing) : { dial: httpTransport };
  const there = providers.includes('metal') ? reach : {};
  closing.run('cluster api', clusterControllers({ world: clusterApi, clusterApi: { providers, ...there } }));
  return { clock, random, keys, log, served, api, world, reach, openWorld: open };
}

function openReach(world: OpenWorld, closing: Closing): Reach {
  const workload = workloadClusters({ ...world, dial: httpTransport });
  closing.add('workload clusters', async () => workload.close());
  return { workload };
}
