// Authorities on virtual time: a new one is announced in time, signs only when everybody trusts it, and the old one stays until its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededKeys } from '../../../sim/keys/seeded-keys.ts';
import { seededRandom } from '../../../sim/time/random.ts';
import { minutes } from '../../base/clock.ts';
import { type Authorities, bundleOf, rotated, USUAL_LIVES } from './authorities.ts';

const DAY_MS = minutes(60 * 24);
const START_MS = Date.UTC(2030, 0, 1);
const keys = seededKeys(seededRandom('authorities'));

const at = (now: Authorities | undefined, days: number, bundles: 'held' | 'unknown' = 'held'): Promise<Authorities> =>
  rotated(now, bundles, { keys, lives: USUAL_LIVES, nowMs: START_MS + days * DAY_MS });

const certificates = (bundle: string): number => bundle.split('-----BEGIN CERTIFICATE-----').length - 1;

test('the first authority is made at once and kept for two thirds of its life', async () => {
  const first = await at(undefined, 0);

  assert.equal(await at(first, 1), first);
  assert.equal(await at(first, 59), first);
  assert.equal(certificates(bundleOf(first)), 1);
});

test('at two thirds of its life the next one is in the bundle beside it, and does not sign yet', async () => {
  const first = await at(undefined, 0);

  const announced = await at(first, 61);

  assert.equal(announced.signing, first.signing);
  assert.equal(bundleOf(announced), `${first.signing.certificatePem}${announced.next?.certificatePem}`);
});

test('the next one signs after its settling, and only when every bundle is known to hold it', async () => {
  const announced = await at(await at(undefined, 0), 61);
  const tenMinutes = 10 / (60 * 24);

  const soon = await at(announced, 61 + tenMinutes / 2);
  const unknown = await at(announced, 62, 'unknown');
  const promoted = await at(announced, 61 + tenMinutes);

  assert.equal(soon, announced);
  assert.equal(unknown, announced);
  assert.equal(promoted.signing, announced.next);
  assert.equal(promoted.previous, announced.signing.certificatePem);
  assert.equal(certificates(bundleOf(promoted)), 2);
});

test('who signed before stays in the bundle until it ends, and goes then', async () => {
  const promoted = await at(await at(await at(undefined, 0), 61), 62);

  const before = await at(promoted, 89);
  const after = await at(promoted, 90);

  assert.equal(before, promoted);
  assert.equal(bundleOf(after), promoted.signing.certificatePem);
});

test('a fleet that was off for a year gets a new authority; one that was announced and still lives goes first', async () => {
  const first = await at(undefined, 0);
  const announced = await at(first, 61);

  const fresh = await at(first, 365);
  const taken = await at(announced, 100, 'unknown');

  assert.notEqual(fresh.signing.certificatePem, first.signing.certificatePem);
  assert.equal(fresh.previous, undefined);
  assert.equal(taken.signing, announced.next);
});

test('an authority that cannot be read is replaced', async () => {
  const broken = { signing: { certificatePem: 'no certificate', privateKeyPem: 'no key' } };

  const made = await at(broken, 0);

  assert.equal(certificates(bundleOf(made)), 1);
});
