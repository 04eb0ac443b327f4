// The embedded API in the place of a kube-apiserver that Go's envtest starts: its certificates, its keys, no controllers.

import { type ApiServer, serveApi as listen } from '../../adapters/http/server.ts';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import { type ServiceRanges, USUAL_RANGES } from '../../apiserver/objects/service-ranges.ts';
import type { ApiParts, Authenticator } from '../../apiserver/parts.ts';
import { memoryStore } from '../../apiserver/store-memory.ts';
import { defineError } from '../../base/errors.ts';
import type { Transport } from '../../kube/transport.ts';
import { adminIdentity } from '../api.ts';
import { type AuthenticatedSetup, authenticatedApi } from '../authenticated-api.ts';
import { keepKubernetesService } from '../kubernetes-service.ts';
import { checkFeatureGates } from './feature-gates.ts';
import { accountKeys, clientAuthority, type EnvtestFiles, servingFiles, staticTokens } from './files.ts';
import { type PluginChoice, pluginsOff, serverPluginsOff as serverPluginsOffIn } from './plugins.ts';
import { nodePortsOf, serviceNetworkOf } from './ranges.ts';
import { checkRuntimeConfig } from './runtime-config.ts';

export interface EnvtestSetup extends PluginChoice, Pick<AuthenticatedSetup, 'patience' | 'minWatchSeconds'> {
  readonly host: string;
  readonly port: number;
  readonly files: EnvtestFiles;
  readonly issuer: string | undefined;
  readonly audiences: readonly string[];
  readonly authorizationModes: readonly string[];
  /** How long Events stay; 0: for ever. An hour unless told otherwise. */
  readonly eventTtlMs?: number;
  /** `nobody`: whoever does not say who they are is refused. */
  readonly anonymous?: 'anybody' | 'nobody';
  readonly serviceNetworks?: readonly string[];
  readonly nodePorts?: string | undefined;
  readonly featureGates?: readonly string[];
  readonly runtimeConfig?: readonly string[];
}

const modeUnknown = defineError('PIPPIN_E_ENVTEST_AUTHORIZATION', {
  retry: 'never',
  remedy: 'Use AlwaysAllow, RBAC, or Node,RBAC',
  says: (mode: string) => `--authorization-mode: ${JSON.stringify(mode)} is not built in`,
});

const MODES = ['AlwaysAllow', 'RBAC', 'Node'];

/** Listens; what comes back ends it. */
export async function serveForEnvtest(setup: EnvtestSetup): Promise<() => Promise<void>> {
  const { files, host, port, issuer, audiences, eventTtlMs, patience, minWatchSeconds } = setup;
  checkFeatureGates(setup.featureGates ?? []);
  checkRuntimeConfig(setup.runtimeConfig ?? []);
  const serviceRanges = rangesIn(setup);
  const adjust = adjusted(setup);
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
    serviceRanges,
    ...(patience === undefined ? {} : { patience }),
    ...(minWatchSeconds === undefined ? {} : { minWatchSeconds }),
    ...(eventTtlMs === undefined ? {} : { eventTtlMs }),
    ...(files.clientAuthority === undefined ? {} : { clientAuthorityPem }),
    adjust,
  });
  const server: ApiServer = await listen({ serve: api.transport, tls: { ...tls, clientAuthorityPem }, host, port });
  const asAdmin: Transport = request => api.transport({ ...request, identity: request.identity ?? adminIdentity });
  await keepKubernetesService(asAdmin, systemClock, server.port, serviceRanges);
  return async () => {
    await server.close();
    await api.close();
  };
}

function rangesIn({ serviceNetworks = [], nodePorts }: EnvtestSetup): ServiceRanges {
  return {
    network: serviceNetworkOf(serviceNetworks) ?? USUAL_RANGES.network,
    nodePorts: nodePortsOf(nodePorts) ?? USUAL_RANGES.nodePorts,
  };
}

function adjusted(setup: EnvtestSetup): (parts: ApiParts) => ApiParts {
  const { authorizationModes: modes, anonymous } = setup;
  const unknown = modes.find(mode => !MODES.includes(mode));
  if (unknown !== undefined) throw modeUnknown(unknown);
  // As kube-apiserver: whoever says nothing restricts nothing.
  const isOpen = modes.length === 0 || modes.includes('AlwaysAllow');
  const open = { authorizer: () => ({ allowed: true }) as const };
  // Nor does it let just anybody do everything.
  const isNamed = isOpen || anonymous === 'nobody';
  const serverPluginsOff = serverPluginsOffIn(setup);
  return parts => ({ ...parts, serverPluginsOff, ...(isOpen ? open : {}), ...(isNamed ? namedOnly(parts) : {}) });
}

function namedOnly({ authenticator }: ApiParts): Pick<ApiParts, 'authenticator'> {
  if (authenticator === undefined) return {};
  const authenticate: Authenticator['authenticate'] = async (headers, certificate) => {
    const identity = await authenticator.authenticate(headers, certificate);
    return identity?.name === ANONYMOUS ? undefined : identity;
  };
  return { authenticator: { ...authenticator, authenticate } };
}

const ANONYMOUS = 'system:anonymous';
