// The measured program: Pippin's Metal3 and address managers, alone against any API or in one process with the embedded one.

import { join } from 'node:path';
import process from 'node:process';
import { httpTransport } from '../../src/adapters/http/client.ts';
import { realKeys } from '../../src/adapters/keys/index.ts';
import { systemClock } from '../../src/adapters/system/clock.ts';
import { systemLog } from '../../src/adapters/system/log.ts';
import { systemRandom } from '../../src/adapters/system/random.ts';
import { clusterAccess } from '../../src/fleet/cluster-access.ts';
import { clusterControllers } from '../../src/fleet/controllers.ts';
import { kubernetesOptions } from '../../src/fleet/kubernetes-options.ts';
import { installManifests, ipamIdentity, metalIdentity } from '../../src/fleet/manifests.ts';
import { ipamManager, metalManager } from '../../src/fleet/metal.ts';
import { serveApi } from '../../src/fleet/serve-api.ts';
import { openWorld } from '../../src/fleet/world.ts';
import { client } from '../../src/kube/client.ts';
import type { Identity, Transport } from '../../src/kube/transport.ts';
import { USUAL_METAL_SETTINGS } from '../../src/metal/world.ts';
import { CallCount } from './calls.ts';
import { PassCount } from './passes.ts';
import { startProfile } from './profile.ts';

/** What the bench asks; each is answered once. */
export type Asked = 'start managers' | 'figures' | 'end';

/** `ready` comes by itself when the program can be asked. */
export type Answer =
  | { readonly to: 'ready'; readonly kubeconfig: string }
  | { readonly to: 'start managers' }
  | {
      readonly to: 'figures';
      readonly calls: readonly (readonly [string, number])[];
      readonly passes: readonly (readonly [string, number])[];
      readonly cpuMs: number;
    };

const passes = new PassCount();

const seams = {
  clock: systemClock,
  random: systemRandom,
  keys: realKeys,
  log: systemLog({ level: 'error' }),
  metrics: passes.metrics,
};

interface Way {
  readonly transport: Transport;
  readonly identity?: Identity;
}

interface Place {
  readonly kubeconfig: string;
  readonly metal: Way;
  readonly ipam: Way;
  prepare(): Promise<void>;
}

async function embedded(folder: string): Promise<Place> {
  const served = await serveApi({ ...seams, dataDir: folder, port: 0 });
  const { transport, kubeconfigFile: kubeconfig } = served;
  const world = openWorld({ ...seams, transport, component: 'kube-controller-manager' });
  const kubernetes = kubernetesOptions(seams, served);
  void clusterControllers({ world, kubernetes })(new AbortController().signal);
  return {
    kubeconfig,
    metal: { transport, identity: metalIdentity },
    ipam: { transport, identity: ipamIdentity },
    prepare: () => installManifests(client(transport, seams), ['metal', 'ipam']),
  };
}

async function elsewhere(kubeconfig: string): Promise<Place> {
  const transport = httpTransport(await clusterAccess({ kubeconfig, env: {}, clock: seams.clock }));
  return { kubeconfig, metal: { transport }, ipam: { transport }, prepare: () => Promise.resolve() };
}

async function main(kind: string, where: string, profileTo: string | undefined): Promise<void> {
  let endProfile = (): Promise<void> => Promise.resolve();
  const place = await (kind === 'embedded' ? embedded(join(where, 'data')) : elsewhere(where));
  const count = new CallCount();
  const world = (component: string, { transport, ...who }: Way) =>
    openWorld({ ...seams, ...who, transport: count.over(transport), component });
  const start = async (): Promise<void> => {
    await place.prepare();
    if (profileTo !== undefined) endProfile = await startProfile(profileTo);
    const { signal } = new AbortController();
    const metal = { world: world('pippin-metal', place.metal), settings: USUAL_METAL_SETTINGS, dial: httpTransport };
    void metalManager(metal)(signal);
    void ipamManager({ world: world('pippin-ipam', place.ipam) })(signal);
  };
  const figures = (): Answer => {
    const { user, system } = process.cpuUsage();
    return { to: 'figures', calls: [...count.soFar()], passes: [...passes.soFar()], cpuMs: (user + system) / 1000 };
  };
  process.on('message', (asked: Asked) => {
    if (asked === 'end') void endProfile().then(() => process.exit(0));
    else if (asked === 'figures') tell(figures());
    else void start().then(() => tell({ to: 'start managers' }));
  });
  process.on('disconnect', () => process.exit(0));
  tell({ to: 'ready', kubeconfig: place.kubeconfig });
}

const tell = (answer: Answer): void => void process.send?.(answer);

if (process.send !== undefined) await main(process.argv[2] ?? '', process.argv[3] ?? '', process.argv[4]);
