// The embedded API as a server of its own: a data folder, a port, and a kubeconfig to reach it with.

import { join } from 'node:path';
import type { KubeletConnections } from '../adapters/http/kubelets.ts';
import { type ApiServer, serveApi as listen } from '../adapters/http/server.ts';
import { sqliteStore } from '../adapters/sqlite/store.ts';
import type { EmbeddedApi } from '../apiserver/api.ts';
import type { ApiParts } from '../apiserver/parts.ts';
import type { Clock } from '../base/clock.ts';
import type { CertificateAuthority, Cryptography, KeyPair } from '../base/keys.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { Transport } from '../kube/transport.ts';
import { adminIdentity } from './api.ts';
import { apiSecrets, kubeconfigText, privateFile, privateFolder } from './api-files.ts';
import { authenticatedApi } from './authenticated-api.ts';
import { kubeletClient } from './kubelet-client.ts';
import { keepKubernetesService } from './kubernetes-service.ts';
import { refuseLostStore } from './lost-store.ts';
import type { WebhooksOver } from './webhook-services.ts';

export interface ServeSetup {
  readonly dataDir: string;
  /** 0: any free port. */
  readonly port: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Cryptography;
  readonly log?: Log;
  /** Webhooks of Services that stand in this process. */
  readonly webhooks?: WebhooksOver;
  /** Where to go for what Pods and Services serve, as HTTP_PROXY says it: `http://HOST:PORT`. Left out: to them. */
  readonly httpProxy?: string;
  /** Called when the store can write no more: it answers reads, and must be started again. */
  readonly onStoreFailure?: (error: Error) => void;
}

export interface ServedApi {
  readonly url: string;
  readonly port: number;
  readonly kubeconfigFile: string;
  /** In process, as the administrator: no socket between. */
  readonly transport: Transport;
  readonly api: EmbeddedApi;
  /** Signs the certificates of nodes; trusted by clients and, for client certificates, by the server. */
  readonly authority: CertificateAuthority;
  readonly authorityNotAfter: number;
  /** Signs service account tokens. */
  readonly tokenKey: KeyPair;
  close(): Promise<void>;
}

/** Starts the API on the folder's store; the folder and all in it are readable for their owner alone (safe-19). */
export async function serveApi(setup: ServeSetup): Promise<ServedApi> {
  const { dataDir, clock, random, keys } = setup;
  privateFolder(dataDir);
  refuseLostStore(dataDir);
  const { onStoreFailure: onFailure } = setup;
  const store = sqliteStore(join(dataDir, 'api.db'), onFailure === undefined ? {} : { onFailure });
  try {
    const holds = store.range('namespaces', { limit: 1 })?.rows.length === 0 ? 'nothing' : 'objects';
    const secrets = await apiSecrets({ dataDir, clock, random, keys, holds });
    const { user, groups } = { user: adminIdentity.name, groups: adminIdentity.groups };
    const staticTokens = [{ token: secrets.adminToken, user, groups }];
    const { tokenKey } = secrets;
    const proxy = setup.httpProxy === undefined ? {} : { httpProxy: setup.httpProxy };
    const kubelets = await kubeletClient({ keys, clock, ...secrets, ...proxy });
    const handlers = setup.webhooks === undefined ? {} : { webhooks: setup.webhooks };
    const adjust = (parts: ApiParts): ApiParts => ({ ...parts, kubelets });
    const heard = setup.log === undefined ? {} : { log: setup.log };
    const clientAuthorityPem = secrets.authority.certificatePem;
    const own = { store, clock, random, keys, tokenKey, staticTokens, clientAuthorityPem, adjust };
    const api = await authenticatedApi({ ...own, ...handlers, ...heard });
    const server = await listen({
      serve: api.transport,
      tls: { ...secrets.server, clientAuthorityPem },
      port: setup.port,
      kubelets,
      ...heard,
    });
    const url = `https://127.0.0.1:${server.port}`;
    const kubeconfigFile = join(dataDir, 'kubeconfig');
    privateFile(kubeconfigFile, kubeconfigText(url, secrets.authority.certificatePem, secrets.adminToken));
    const asAdmin: Transport = request => api.transport({ ...request, identity: request.identity ?? adminIdentity });
    await keepKubernetesService(asAdmin, clock, server.port);
    return served({ api, server, url, kubeconfigFile, kubelets }, secrets);
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface Running {
  readonly api: EmbeddedApi;
  readonly server: ApiServer;
  readonly url: string;
  readonly kubeconfigFile: string;
  readonly kubelets: KubeletConnections;
}

function served(
  { api, server, url, kubeconfigFile, kubelets }: Running,
  { authority, authorityNotAfter, tokenKey }: Pick<ServedApi, 'authority' | 'authorityNotAfter' | 'tokenKey'>,
): ServedApi {
  return {
    url,
    port: server.port,
    kubeconfigFile,
    api,
    authority,
    authorityNotAfter,
    tokenKey,
    transport: request => api.transport({ ...request, identity: request.identity ?? adminIdentity }),
    close: async () => {
      await server.close();
      kubelets.close();
      await api.close();
    },
  };
}
