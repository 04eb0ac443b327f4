// The agent's way to the API: the kubeconfig it was given, whose certificate it renews itself (safe-18).

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { httpTransport } from '../adapters/http/client.ts';
import type { CredentialStore } from '../agent/certificate.ts';
import type { Clock } from '../base/clock.ts';
import type { ClusterAccess } from '../kube/cluster-access.ts';
import { type FileReader, kubeconfigAccess } from '../kube/kubeconfig.ts';
import type { Transport } from '../kube/transport.ts';
import { kubeconfigText } from '../mac/machine/identity/kubeconfig.ts';
import { privateFile } from './api-files.ts';

const files: FileReader = {
  read: path => readFile(path, 'utf8'),
  beside: (file, path) => resolve(dirname(file), path),
};

export interface AgentAccess {
  readonly transport: Transport;
  /** A second connection, for the heartbeat alone. */
  readonly leaseTransport: Transport;
  /** Leaves connections behind that may be dead. */
  readonly reconnect: () => void;
  readonly credentials: CredentialStore;
}

export async function agentAccess(kubeconfig: string, nodeName: string, clock: Clock): Promise<AgentAccess> {
  let access = await kubeconfigAccess(kubeconfig, { files, clock });
  let main = httpTransport(access);
  let heartbeat = httpTransport(access);
  const use = (next: ClusterAccess): void => {
    access = next;
    main = httpTransport(access);
    heartbeat = httpTransport(access);
  };
  return {
    transport: request => main(request),
    leaseTransport: request => heartbeat(request),
    reconnect: () => {
      heartbeat = httpTransport(access);
    },
    credentials: {
      current: async () => {
        const { clientCertificatePem, clientKeyPem } = access;
        if (clientCertificatePem === undefined || clientKeyPem === undefined) return undefined;
        return { certificatePem: clientCertificatePem, privateKeyPem: clientKeyPem };
      },
      replace: async ({ certificatePem, privateKeyPem }) => {
        const { server, caPem = '' } = access;
        const credential = { kind: 'certificate', certificatePem, privateKeyPem } as const;
        privateFile(kubeconfig, kubeconfigText({ server, caPem, user: `system:node:${nodeName}`, credential }));
        use({ ...access, clientCertificatePem: certificatePem, clientKeyPem: privateKeyPem });
      },
    },
  };
}
