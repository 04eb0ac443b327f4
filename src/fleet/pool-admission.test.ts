// Bounds that leave out an address in use are refused, however many are in use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CapiIPAddress } from '../kinds/generated/capi-ip-address.generated.ts';
import { IPAddress } from '../kinds/generated/ip-address.generated.ts';
import { IPPool } from '../kinds/generated/ip-pool.generated.ts';
import { apiVersionOf, type Kind } from '../kube/kind.ts';
import type { KubeObject } from '../kube/object.ts';
import { poolVerdict } from './pool-admission.ts';

const aPool = (end: string, more: Partial<IPPool['spec']> = {}): IPPool => ({
  apiVersion: apiVersionOf(IPPool),
  kind: IPPool.kind,
  metadata: { name: 'pool', namespace: 'metal' },
  spec: { namePrefix: 'pool', pools: [{ start: '10.0.0.1', end }], ...more },
  // As it is above 512 addresses.
  status: { indexes: {} },
});

const object = (kind: Kind, spec: object): KubeObject & { spec: object } => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  metadata: { name: 'a', namespace: 'metal' },
  spec,
});

const ofMetal3 = (address: string, pool = 'pool') =>
  object(IPAddress, { address, pool: { name: pool }, claim: { name: 'c' } });

const ofClusterApi = (address: string) =>
  object(CapiIPAddress, {
    address,
    poolRef: { name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' },
    claimRef: { name: 'c' },
  });

function judging(objects: readonly KubeObject[]) {
  const asked: string[] = [];
  const verdict = poolVerdict(async (kind, namespace) => {
    asked.push(`${kind.plural}.${kind.group} in ${namespace}`);
    return objects.filter(({ apiVersion }) => apiVersion === apiVersionOf(kind));
  });
  return { verdict, asked };
}

test('addresses of both kinds that a pool gave out stay in bounds, whatever its status lists', async () => {
  const { verdict } = judging([ofMetal3('10.0.0.50'), ofMetal3('10.0.0.99', 'other'), ofClusterApi('10.0.0.60')]);

  assert.deepEqual(await verdict(aPool('10.0.0.55'), aPool('10.0.0.200')), [
    'spec.pools: "10.0.0.60" is in use but out of bounds of the pools given',
  ]);
  assert.deepEqual(await verdict(aPool('10.0.0.60'), aPool('10.0.0.200')), []);
});

test('nothing is listed for a new pool, or for a change that leaves the bounds as they are', async () => {
  const { verdict, asked } = judging([ofMetal3('10.9.9.9')]);

  await verdict(aPool('10.0.0.200'), undefined);
  await verdict(aPool('10.0.0.200', { gateway: '10.0.0.1' }), aPool('10.0.0.200'));

  assert.deepEqual(asked, []);
});
