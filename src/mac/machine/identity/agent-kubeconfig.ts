// What an agent is given to be its Node with: minted right before it is handed over, and kept nowhere (safe-18, safe-20).

import { type SecretText, secret } from '../../secret-text.ts';
import type { MacWorld } from '../../world.ts';
import { type MacMachine, nodeName } from '../mac-machine.ts';
import { agentAccount } from './account.ts';
import { nodeCertificate } from './certificate.ts';
import { kubeconfigText } from './kubeconfig.ts';

export async function agentKubeconfig(machine: MacMachine, world: MacWorld): Promise<SecretText> {
  const { apiServer, identity } = world.settings;
  const node = nodeName(machine);
  const credential =
    identity === 'certificate' ? await nodeCertificate(node, world) : await agentAccount(machine, world);
  return secret(
    kubeconfigText({ server: apiServer.url, caPem: apiServer.caPem, user: `system:node:${node}`, credential }),
  );
}
