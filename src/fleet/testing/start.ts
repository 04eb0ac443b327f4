// An embedded API for somebody's tests: started with what was asked for, isolated from every other, closed as a whole.

import { serveApi as listen } from '../../adapters/http/server.ts';
import { realKeys } from '../../adapters/keys/index.ts';
import { systemRandom } from '../../adapters/system/random.ts';
import type { StaticToken } from '../../apiserver/auth/index.ts';
import type { ClusterPlugin } from '../../apiserver/builtin/index.ts';
import type { ApiRequest, Transport } from '../../kube/transport.ts';
import { adminIdentity } from '../api.ts';
import type { ApiSecrets } from '../api-files.ts';
import { type AuthenticatedSetup, authenticatedApi } from '../authenticated-api.ts';
import type { KeyedApi } from '../kubernetes-options.ts';
import { keepKubernetesService } from '../kubernetes-service.ts';
import { Closing } from './closing.ts';
import { startControllers } from './controllers.ts';
import { Credentials } from './credentials.ts';
import { installCrds } from './definitions.ts';
import { type Kept, keptIn } from './keys.ts';
import { type Settings, settingsOf } from './options.ts';
import { testApi } from './running.ts';
import { type TestTime, timeFrom } from './time.ts';
import type { ControllerName, StartOptions, TestApi } from './types.ts';

/** Where kube-apiserver listens unless it is told otherwise: what the Service says of an API in this process. */
const USUAL_PORT = 6443;

/** Gives every Namespace its account `default`. */
const ACCOUNTS = 'namespace-defaults' satisfies ControllerName;

/** Resolves once the API answers, its definitions are served and its controllers have been started. */
export async function startApi(options: StartOptions = {}): Promise<TestApi> {
  const settings = settingsOf(options);
  const time = await timeFrom(settings.virtualStartMs);
  const closing = new Closing();
  try {
    return await assembled(settings, time, closing);
  } catch (error) {
    // What went wrong first is what its caller must see.
    await closing.close().catch(() => undefined);
    throw error;
  }
}

async function assembled(settings: Settings, time: TestTime, closing: Closing): Promise<TestApi> {
  const kept = await keptIn(settings.dataDir);
  const { name: user, groups } = adminIdentity;
  const tokens: StaticToken[] = [{ token: kept.secrets.adminToken, user, groups }];
  const keyed = await startKeyed(kept, { staticTokens: tokens, pluginsOff: pluginsOff(settings) }, time, closing);
  const credentials = new Credentials(kept.secrets.authority, tokens);
  closing.add(() => credentials.close());
  const url = settings.port === undefined ? undefined : await served(settings.port, keyed, kept.secrets, closing);
  if (url !== undefined) credentials.servedAt(url);

  const { transport } = keyed;
  await keepKubernetesService(transport, time.clock, url === undefined ? USUAL_PORT : Number(new URL(url).port));
  const caPem = kept.secrets.authority.certificatePem;
  const api = testApi({ transport, caPem, credentials, time, closing });
  await installCrds(api, settings.crds);
  closing.add(await startControllers(settings.controllers, keyed, { clock: time.clock, random: systemRandom }));
  return api;
}

/** A Pod runs as an account that is there: where nobody creates accounts no Pod could be, so this is not asked, as in envtest. */
const pluginsOff = ({ controllers }: Settings): readonly ClusterPlugin[] =>
  controllers.includes(ACCOUNTS) ? [] : ['ServiceAccount'];

async function startKeyed(
  { store, secrets }: Kept,
  own: Pick<AuthenticatedSetup, 'staticTokens' | 'pluginsOff'>,
  { clock }: TestTime,
  closing: Closing,
): Promise<KeyedApi> {
  const { tokenKey } = secrets;
  const clientAuthorityPem = secrets.authority.certificatePem;
  const setup = { store, clock, random: systemRandom, keys: realKeys, tokenKey, clientAuthorityPem, ...own };
  const api = await authenticatedApi(setup).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  closing.add(() => api.close());
  const transport: Transport = request => api.transport(named(request));
  return { ...secrets, api, transport };
}

/** Who brings a token is who the token says; who says nothing is the administrator. */
const named = (request: ApiRequest): ApiRequest =>
  request.headers.authorization === undefined ? { ...request, identity: request.identity ?? adminIdentity } : request;

async function served(port: number, { api }: KeyedApi, secrets: ApiSecrets, closing: Closing): Promise<string> {
  const tls = { ...secrets.server, clientAuthorityPem: secrets.authority.certificatePem };
  const server = await listen({ serve: api.transport, tls, port });
  closing.add(() => server.close());
  return `https://127.0.0.1:${server.port}`;
}
