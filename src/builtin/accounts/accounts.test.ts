// Default accounts, the API's certificate and token Secrets, on the embedded API.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { seconds } from '../../base/clock.ts';
import { ConfigMap, Namespace, Secret, ServiceAccount } from '../../kube/core/other.ts';
import { keyController } from '../../kube/run.ts';
import { aWorld, type TestWorld } from '../world.testing.ts';
import { namespaceDefaults } from './defaults.ts';
import { accountTokens } from './tokens.ts';

let world: TestWorld;

beforeEach(async () => {
  world = await aWorld();
  const rootCaPem = 'PEM';
  world.run([
    keyController(namespaceDefaults({ rootCaPem, recheckMs: seconds(30) })),
    keyController(
      accountTokens({
        rootCaPem,
        mint: async ({ namespace, account }) => `${namespace}/${account.name}/${account.uid}`,
      }),
    ),
  ]);
  await world.pass(seconds(1));
});

afterEach(() => world.stop());

const account = (name: string): ServiceAccount => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: 'default' },
});

const tokenSecret = (name: string, accountName: string): Secret => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', annotations: { 'kubernetes.io/service-account.name': accountName } },
  type: 'kubernetes.io/service-account-token',
});

const secret = (name: string): Promise<Secret | undefined> => world.api.find(Secret, { namespace: 'default', name });

test('every namespace, old or new, has the default account and the certificate, and gets them back', async () => {
  await world.api.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } });
  await world.pass(seconds(1));
  await world.api.delete(ServiceAccount, { namespace: 'team', name: 'default' });
  const key = { namespace: 'team', name: 'kube-root-ca.crt' };
  await world.api.patch(ConfigMap, key, { data: { 'ca.crt': 'forged' } });

  await world.pass(seconds(1));

  const accounts = (await world.api.list(ServiceAccount)).items.map(({ metadata }) => metadata.namespace).sort();
  assert.deepEqual(accounts, ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'team']);
  assert.equal((await world.api.get(ConfigMap, key)).data?.['ca.crt'], 'PEM');
});

test('a token Secret is filled for its account, in whichever order the two come', async () => {
  await world.api.create(ServiceAccount, account('early'));
  await world.api.create(Secret, tokenSecret('t', 'early'));
  await world.pass(seconds(5));

  const filled = await secret('t');
  const { uid } = (await world.api.get(ServiceAccount, { namespace: 'default', name: 'early' })).metadata;
  assert.equal(atob(filled?.data?.token ?? ''), `default/early/${uid}`);
  assert.equal(atob(filled?.data?.['ca.crt'] ?? ''), 'PEM');
  assert.equal(atob(filled?.data?.namespace ?? ''), 'default');
  assert.equal(filled?.metadata.annotations?.['kubernetes.io/service-account.uid'], uid);
});

test('tokens of an account that is deleted go, those of others stay', async () => {
  for (const name of ['a', 'b']) {
    await world.api.create(ServiceAccount, account(name));
    await world.api.create(Secret, tokenSecret(`token-${name}`, name));
  }
  await world.pass(seconds(5));

  await world.api.delete(ServiceAccount, { namespace: 'default', name: 'a' });
  await world.pass(seconds(5));

  assert.equal(await secret('token-a'), undefined);
  assert.notEqual((await secret('token-b'))?.data?.token, undefined);
});

test('a token of an account that was made anew does not pass to the new one', async () => {
  await world.api.create(ServiceAccount, account('a'));
  await world.api.create(Secret, tokenSecret('t', 'a'));
  await world.pass(seconds(5));

  await world.api.delete(ServiceAccount, { namespace: 'default', name: 'a' });
  await world.api.create(ServiceAccount, account('a'));
  await world.pass(seconds(5));

  assert.equal(await secret('t'), undefined);
});

test('Secrets of other types are left alone, whatever their annotations say', async () => {
  await world.api.create(Secret, { ...tokenSecret('t', 'nobody'), type: 'Opaque' });

  await world.pass(seconds(5));

  assert.deepEqual((await secret('t'))?.data ?? {}, {});
});
