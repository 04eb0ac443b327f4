// `pippin up --tart`: this very Mac as the fleet's Node, with the real tart. Nothing of it is set up or given back (safe-25).

import { cpus, homedir, hostname, totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { agentHost } from '../../adapters/disk/agent-host.ts';
import { tart } from '../../adapters/tart/tart.ts';
import type { VmRuntime } from '../../agent/vm-runtime.ts';
import { minutes } from '../../base/clock.ts';
import { kubeconfigText } from '../../mac/machine/identity/kubeconfig.ts';
import { runAgent } from '../agent.ts';
import { privateFile, privateFolder } from '../api-files.ts';
import type { Closing } from './closing.ts';
import type { ControlPlane } from './control-plane.ts';

export interface ThisMac {
  readonly tartBinary: string;
  /** Where tart keeps VMs and images: below the data folder unless told otherwise. */
  readonly tartHome?: string;
}

/** Throws when tart is missing or speaks a version that the agent does not know. */
export async function checkTart(mac: ThisMac, dataDir: string): Promise<void> {
  await runtimeOf(mac, dataDir).version();
}

/** The agent runs in this process. VMs outlive a kill of it, and the next start adopts them. */
export function startThisMac(plane: ControlPlane, mac: ThisMac, place: { dataDir: string }, closing: Closing): void {
  const { dataDir } = place;
  const folders = foldersOf(mac, dataDir);
  closing.add('vms', () => stopVms(mac, dataDir));
  closing.run('agent', async signal => {
    const nodeName = nodeNameOf(hostname());
    await runAgent(
      {
        ...plane,
        ...folders,
        kubeconfig: await nodeKubeconfig(plane, nodeName, folders.root),
        settings: {
          nodeName,
          nodeLabels: {},
          cpu: cpus().length,
          memoryMb: Math.floor(totalmem() / 2 ** 20),
          // Apple's kernel runs two macOS VMs; ended Pods count too.
          maxPods: 5,
          minGoldensKept: 1,
          collectsGarbage: true,
        },
        tartBinary: mac.tartBinary,
        startWindowSeconds: 5,
        env: environment(),
      },
      signal,
    );
  });
}

function foldersOf({ tartHome }: ThisMac, dataDir: string) {
  const root = join(dataDir, 'this-mac');
  return {
    root,
    tartHome: tartHome ?? join(root, 'tart'),
    userDataDir: join(root, 'user-data'),
    stateDir: join(root, 'state'),
    // Never made: whatever VMs of other programs are in a shared home stay theirs (safe-25).
    upstreamLogDir: join(root, 'no-other-agent'),
  };
}

function runtimeOf(mac: ThisMac, dataDir: string): VmRuntime {
  const { tartHome, stateDir } = foldersOf(mac, dataDir);
  return tart({
    binary: mac.tartBinary,
    home: tartHome,
    env: environment(),
    folders: { logs: join(stateDir, 'logs'), exits: join(stateDir, 'exits') },
  });
}

/** What tart needs of its surroundings; where its VMs are, only we say (safe-24). */
function environment(): Readonly<Record<string, string | undefined>> {
  const { PATH, USER, LOGNAME, TMPDIR } = process.env;
  const credentials = Object.entries(process.env).filter(([name]) => name.startsWith('TART_REGISTRY_'));
  return { PATH, USER, LOGNAME, TMPDIR, HOME: homedir(), ...Object.fromEntries(credentials) };
}

const CERTIFICATE_MS = minutes(24 * 60);

/** Signed anew at each start; the agent renews it while it runs. */
async function nodeKubeconfig({ served, keys, clock }: ControlPlane, node: string, folder: string): Promise<string> {
  privateFolder(folder);
  const { publicKeyPem, privateKeyPem } = await keys.pair();
  const user = `system:node:${node}`;
  const certificatePem = await keys.certify(served.authority, publicKeyPem, {
    commonName: user,
    organizations: ['system:nodes'],
    notBefore: clock.now() - minutes(5),
    notAfter: Math.min(clock.now() + CERTIFICATE_MS, served.authorityNotAfter),
    usages: ['client'],
  });
  const file = join(folder, 'kubeconfig');
  const credential = { kind: 'certificate', certificatePem, privateKeyPem } as const;
  privateFile(file, kubeconfigText({ server: served.url, caPem: served.authority.certificatePem, user, credential }));
  return file;
}

const STOP_SECONDS = 30;

/** Those that the agent started for Pods, known by the files it staged for them: a stranger's VM runs on (up-14). */
async function stopVms(mac: ThisMac, dataDir: string): Promise<void> {
  const { tartHome, userDataDir, stateDir } = foldersOf(mac, dataDir);
  const runtime = runtimeOf(mac, dataDir);
  const vms = await agentHost({ userDataDir, vmDir: tartHome, stateDir }).staged();
  await Promise.all(vms.map(vm => runtime.stop(vm, STOP_SECONDS)));
}

/** A host's name as Kubernetes takes it: `Ada's-Mac.local` is `ada-s-mac.local`. */
export function nodeNameOf(host: string): string {
  const name = host
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|[^a-z0-9]+$/g, '')
    .replaceAll(/[.-]*\.[.-]*/g, '.');
  return name === '' ? 'this-mac' : name;
}
