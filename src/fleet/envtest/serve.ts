// The embedded API in the place of a kube-apiserver that Go's envtest starts: its certificates, its keys, no controllers.

import { type ApiServer, serveApi as listen } from '../../adapters/http/server.ts';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import type { ApiParts } from '../../apiserver/parts.ts';
import { memoryStore } from '../../apiserver/store-memory.ts';
import { defineError } from '../../base/errors.ts';
import type { Transport } from '../../kube/transport.ts';
import { adminIdentity } from '../api.ts';
import { authenticatedApi } from '../authenticated-api.ts';
import { keepKubernetesService } from '../kubernetes-service.ts';
import { accountKeys, clientAuthority, type EnvtestFiles, servingFiles, staticTokens } from './files.ts';
import { type PluginChoice, pluginsOff } from './plugins.ts';

export interface EnvtestSetup extends PluginChoice {
  readonly host: string;
  readonly port: number;
  readonly files: EnvtestFiles;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[];
  readonly authorizationModes: readonly string[];
  /** How long Events stay; 0: for ever. An hour unless told otherwise. */
  readonly eventTtlMs?: number;
}

const modeUnknown = defineError('PIPPIN_E_ENVTEST_AUTHORIZATION', {
  retry: 'never',
  remedy: 'Use AlwaysAllow, RBAC, or Node,RBAC',
  says: (mode: string) => `--authorization-mode: ${JSON.stringify(mode)} is not built in`,
});

const MODES = ['AlwaysAllow', 'RBAC', 'Node'];

/** Listens; what comes back ends it. */
export async function serveForEnvtest(setup: EnvtestSetup): Promise<() => Promise<void>> {
  const { files, host, port, issuer, audiences, eventTtlMs } = setup;
  const adjust = adjusted(setup.authorizationModes);
  const off = pluginsOff(setup);
  const [tls, clientAuthorityPem, tokenKey] = await Promise.all([
    servingFiles(files),
    clientAuthority(files),
    accountKeys(files),
  ]);
  const api = await authenticatedApi({
    store: memoryStore(),
    clock: systemClock,
    random: systemRandom,
    keys: realKeys,
    tokenKey,
    staticTokens: staticTokens(files),
    ...(issuer === undefined ? {} : { issuer }),
    ...(audiences.length === 0 ? {} : { audiences }),
    pluginsOff: off,
    ...(eventTtlMs === undefined ? {} : { eventTtlMs }),
    ...(files.clientAuthority === undefined ? {} : { clientAuthorityPem }),
    adjust,
  });
  const server: ApiServer = await listen({ serve: api.transport, tls: { ...tls, clientAuthorityPem }, host, port });
  const asAdmin: Transport = request => api.transport({ ...request, identity: request.identity ?? adminIdentity });
  await keepKubernetesService(asAdmin, systemClock, server.port);
  return async () => {
    await server.close();
    await api.close();
  };
}

function adjusted(modes: readonly string[]): (parts: ApiParts) => ApiParts {
  const unknown = modes.find(mode => !MODES.includes(mode));
  if (unknown !== undefined) throw modeUnknown(unknown);
  // As kube-apiserver: whoever says nothing restricts nothing.
  const open = modes.length === 0 || modes.includes('AlwaysAllow');
  return parts => ({ ...parts, ...(open ? { authorizer: () => ({ allowed: true }) } : {}) });
}
