// What the admission endpoint answers to reviews of every shape.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admitMetal, type PoolVerdict } from './review.ts';

const POOL = { apiVersion: 'ipam.metal3.io/v1alpha1', kind: 'IPPool', metadata: { name: 'p', namespace: 'n' } };
const none: PoolVerdict = async () => [];
const faulty: PoolVerdict = async () => [
  'spec.pools[0].end: "1" is before the start',
  'spec.gateway: "x" is no address',
];

const response = async (request: object, verdict: PoolVerdict): Promise<unknown> =>
  (await admitMetal({ request }, verdict)).response;

test('A pool without a fault is let through, and the answer bears the uid of the review', async () => {
  const answer = await response({ uid: 'u-1', operation: 'CREATE', object: POOL }, none);

  assert.deepEqual(answer, { uid: 'u-1', allowed: true });
});

test('A pool with faults is refused with all of them', async () => {
  const answer = await response({ uid: 'u-1', operation: 'CREATE', object: POOL }, faulty);

  const message = 'IPPool "p" is invalid: spec.pools[0].end: "1" is before the start, spec.gateway: "x" is no address';
  const status = { status: 'Failure', code: 422, reason: 'Invalid', message };
  assert.deepEqual(answer, { uid: 'u-1', allowed: false, status });
});

test('The review of an update without the object as it was is an error', async () => {
  const answer = await response({ uid: 'u-1', operation: 'UPDATE', object: POOL, oldObject: null }, none);

  const message = 'IPPool: the review of an update lacks the object as it was';
  const status = { status: 'Failure', code: 500, reason: 'InternalError', message };
  assert.deepEqual(answer, { uid: 'u-1', allowed: false, status });
});

test('An update is judged with the pool as it was', async () => {
  const before = { ...POOL, status: { indexes: { c: '10.0.0.1' } } };
  const seen: unknown[] = [];
  const judge: PoolVerdict = async (_, old) => {
    seen.push(old);
    return [];
  };

  await response({ operation: 'UPDATE', object: POOL, oldObject: before }, judge);

  assert.deepEqual(seen, [before]);
});

test('A pool that is being deleted, a deletion, and other kinds are let through', async () => {
  const deleting = { ...POOL, metadata: { ...POOL.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };

  const answers = await Promise.all([
    response({ operation: 'UPDATE', object: deleting, oldObject: POOL }, faulty),
    response({ operation: 'DELETE', oldObject: POOL }, faulty),
    response({ operation: 'CREATE', object: { ...POOL, kind: 'IPClaim' } }, faulty),
    response({}, faulty),
  ]);

  assert.deepEqual(answers, Array(4).fill({ uid: '', allowed: true }));
});
