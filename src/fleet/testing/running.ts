// What is there once an API for tests has started, as the object that a test holds.

import type { Identity, Transport } from '../../kube/transport.ts';
import { adminIdentity } from '../api.ts';
import { clientOf } from './client.ts';
import type { Closing } from './closing.ts';
import type { Credentials } from './credentials.ts';
import { apiClosed } from './errors.ts';
import { identityOf } from './identity.ts';
import type { TestTime } from './time.ts';
import type { TestApi, TestClient, TestIdentity } from './types.ts';

export interface Running {
  readonly transport: Transport;
  readonly caPem: string;
  readonly credentials: Credentials;
  readonly time: TestTime;
  readonly closing: Closing;
}

export function testApi(running: Running): TestApi {
  const { caPem, credentials, time, closing } = running;
  const client = clientAs(running, adminIdentity);
  const close = (): Promise<void> => closing.close();
  return {
    request: client.request,
    watch: client.watch,
    fetch: client.fetch,
    kubeconfig: client.kubeconfig,
    kubeconfigFile: client.kubeconfigFile,
    get token() {
      return client.token;
    },
    get url() {
      return credentials.url('api.url');
    },
    caPem,
    as: (identity: TestIdentity) => clientAs(running, identityOf(identity)),
    now: () => time.clock.now(),
    advance: ms => (closing.isClosed ? Promise.reject(apiClosed()) : time.advance(ms)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function clientAs({ transport, credentials, closing }: Running, identity: Identity): TestClient {
  const open: Transport = request => {
    if (closing.isClosed) return Promise.reject(apiClosed());
    // A token that a request brings is asked who it is, as on a port.
    const asked = request.headers.authorization === undefined ? { ...request, identity } : request;
    return unlessGivenUp(request.signal, () => transport(asked));
  };
  return clientOf(open, identity, credentials);
}

/** As everywhere on the web: who gives a request up gets its reason, whether it was carried out or not. */
async function unlessGivenUp<T>(signal: AbortSignal | undefined, ask: () => Promise<T>): Promise<T> {
  if (signal === undefined) return ask();
  signal.throwIfAborted();
  const over = new AbortController();
  const givenUp = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal }),
  );
  try {
    return await Promise.race([ask(), givenUp]);
  } finally {
    over.abort();
  }
}
