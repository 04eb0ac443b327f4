import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startApi } from './index.ts';

/** Who the API takes a stock client with this kubeconfig to be. */
async function nameSeen(kubeconfig: string): Promise<string> {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const core = config.makeApiClient(CoreV1Api);
  return core.listNamespacedSecret({ namespace: 'default' }).then(
    ({ items }) => `allowed: ${items.length}`,
    (error: Error) => /User \W+(\w+)/.exec(error.message)?.[1] ?? error.message,
  );
}

test('a stock client reaches it with a certificate or a token, each identity as itself', async () => {
  await using api = await startApi({ port: 0 });
  const jane = api.as({ user: 'jane' });

  const files = [api, jane].flatMap(each => [
    each.kubeconfig(),
    each.kubeconfig({ credential: 'certificate' }),
    each.kubeconfig({ credential: 'token' }),
  ]);
  const seen = await Promise.all((await Promise.all(files)).map(nameSeen));

  assert.deepEqual(seen, ['allowed: 0', 'allowed: 0', 'allowed: 0', 'jane', 'jane', 'jane']);
  assert.match(api.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  assert.match(api.caPem, /^-----BEGIN CERTIFICATE-----/);
});

test('a token is one per identity, and of no use for another API', async () => {
  await using api = await startApi({ port: 0 });
  await using other = await startApi({ port: 0 });
  const groups = ['developers'];

  const { token } = api.as({ user: 'jane', groups });
  const elsewhere = await other.kubeconfig({ credential: 'token' });
  const seen = await nameSeen(elsewhere.replace(other.token, token));

  assert.equal(api.as({ user: 'jane', groups }).token, token);
  assert.notEqual(api.as({ user: 'jane' }).token, token);
  assert.match(seen, /Unauthorized|401/);
});
