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
    advance: ms => time.advance(ms),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function clientAs({ transport, credentials, closing }: Running, identity: Identity): TestClient {
  const open: Transport = request =>
    closing.isClosed ? Promise.reject(apiClosed()) : transport({ ...request, identity });
  return clientOf(open, identity, credentials);
}
