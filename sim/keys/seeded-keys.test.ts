// Seeded keys: the same seed gives the same values, and they behave like keys as far as programs can see.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../time/random.ts';
import { seededKeys } from './seeded-keys.ts';

const keysOf = (seed: number) => seededKeys(seededRandom(seed).stream('keys'));

async function everything(seed: number): Promise<unknown> {
  const keys = keysOf(seed);
  const pair = await keys.pair();
  const authority = await keys.authority('ca', 1, 2);
  const request = await keys.signingRequest(pair, 'system:node:a', ['system:nodes']);
  const certificate = await keys.certify(authority, pair.publicKeyPem, {
    commonName: 'system:node:a',
    organizations: ['system:nodes'],
    notBefore: 5,
    notAfter: 9,
    usages: ['client'],
  });
  const signature = Buffer.from(keys.sign(pair.privateKeyPem, Buffer.from('data'))).toString('hex');
  return { pair, authority, request, certificate, ssh: await keys.sshPair('fleet'), signature };
}

test('The same seed gives the same keys, another seed others', async () => {
  assert.deepEqual(await everything(1), await everything(1));
  assert.notDeepEqual(await everything(1), await everything(2));
});

test('A signature holds for its data and its key only', async () => {
  const keys = keysOf(1);
  const [pair, other] = [await keys.pair(), await keys.pair()];

  const signature = keys.sign(pair.privateKeyPem, Buffer.from('data'));

  assert.equal(keys.verify(pair.publicKeyPem, Buffer.from('data'), signature), true);
  assert.equal(keys.verify(pair.publicKeyPem, Buffer.from('other'), signature), false);
  assert.equal(keys.verify(other.publicKeyPem, Buffer.from('data'), signature), false);
});

test('Requests and certificates are read as they were made', async () => {
  const keys = keysOf(1);
  const [pair, other] = [await keys.pair(), await keys.pair()];
  const request = await keys.signingRequest(pair, 'system:node:a', ['system:nodes']);
  const stolen = await keys.signingRequest({ ...pair, publicKeyPem: other.publicKeyPem }, 'a', []);
  const authority = await keys.authority('ca', 1, 2);

  assert.equal(keys.readRequest(request)?.commonName, 'system:node:a');
  assert.equal(keys.readRequest(request)?.isSelfSigned, true);
  assert.equal(keys.readRequest(stolen)?.isSelfSigned, false);
  assert.equal(keys.readRequest('nothing'), undefined);
  assert.equal(keys.readRequest(authority.certificatePem), undefined);
  assert.deepEqual(keys.readCertificate(authority.certificatePem), {
    commonName: 'ca',
    organizations: [],
    notBefore: 1,
    notAfter: 2,
  });
});
