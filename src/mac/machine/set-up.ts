// What this machine's host is to be set up with: one builder for the first set-up, the push, and the hash of both (mac-F60).

import { createHash } from 'node:crypto';
import type { HostSession } from '../host-shell.ts';
import { secret } from '../secret-text.ts';
import type { MacWorld } from '../world.ts';
import { agentFlags } from './agent-flags.ts';
import { installedBundles } from './bootstrap/bundles.ts';
import { type Installed, plainStep, pushSteps, type SetUp } from './bootstrap/steps.ts';
import { type Access, runStep } from './host-access.ts';
import { agentKubeconfig } from './identity/agent-kubeconfig.ts';
import { type MacMachine, nodeName } from './mac-machine.ts';

/** With a fresh identity for the agent: it is minted once the host is open, so that no silent host costs one. */
export async function setUpOf(machine: MacMachine, access: Access, world: MacWorld): Promise<SetUp> {
  return setUpWith(machine, world, {
    user: access.server.sshUser,
    password: access.password,
    kubeconfig: await agentKubeconfig(machine, world),
  });
}

function setUpWith(
  machine: MacMachine,
  { settings, artifacts }: MacWorld,
  own: Pick<SetUp, 'user' | 'password' | 'kubeconfig'>,
): SetUp {
  return {
    ...own,
    machineName: nodeName(machine),
    agentFlags: agentFlags(machine, own.user, settings),
    artifacts,
    timing: settings.timing,
  };
}

/** What a push would bring, as a hash: scripts, flags, the agent's version and the way to the API; no secret is in it. */
export async function configHash(machine: MacMachine, world: MacWorld): Promise<string> {
  const { artifacts, settings } = world;
  const own = { user: 'user', password: secret(''), kubeconfig: secret('') };
  const installed = { tart: artifacts.tart.digest, agent: artifacts.agent.digest };
  const steps = await pushSteps(setUpWith(machine, world, own), installed);
  const hash = createHash('sha256').update(
    JSON.stringify([artifacts.agent.digest, settings.apiServer, settings.identity]),
  );
  for (const { script, stdin } of steps) {
    hash.update(script);
    if (stdin instanceof Uint8Array) hash.update(stdin);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Which bundles are on the host, as its own files say. */
export async function installedOn(session: HostSession): Promise<Installed> {
  const { stdout } = await runStep(session, plainStep(installedBundles));
  const [tart = '', agent = ''] = stdout.split('\n');
  return { tart: tart === '' ? undefined : tart, agent: agent === '' ? undefined : agent };
}
