// Whose a Pod is, by stamp, address and disk: never by the Node's name (safe-8).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_ID, VM_CLEANUP } from '../../kinds/wire.ts';
import { ownershipOf } from './ownership.ts';
import { aPod } from './pod.testing.ts';

const here = { hostId: 'host-1', hostIps: ['10.0.0.1'], vmHere: false, notedHere: false };
const taken = { finalizers: [VM_CLEANUP] };
const stamped = (hostId: string) => aPod({ ...taken, annotations: { [HOST_ID]: hostId } });

test('a stamp decides alone, even when a VM of that name is on this disk', () => {
  assert.equal(ownershipOf(stamped('host-1'), here), 'ours');
  assert.equal(ownershipOf(stamped('host-2'), { ...here, vmHere: true }), 'replaced');
});

test('a stamp that somebody wrote over does not hide a VM that our own notes give to this very Pod', () => {
  assert.equal(ownershipOf(stamped('host-2'), { ...here, vmHere: true, notedHere: true }), 'ours');
});

test('an unstamped Pod is ours by its address or its VM', () => {
  assert.equal(ownershipOf(aPod(taken, { status: { hostIP: '10.0.0.1' } }), here), 'ours');
  assert.equal(ownershipOf(aPod(taken), { ...here, vmHere: true }), 'ours');
});

test('an unstamped Pod that somebody took, or runs elsewhere, is not ours', () => {
  assert.equal(ownershipOf(aPod(taken), here), 'replaced');
  assert.equal(ownershipOf(aPod({}, { status: { hostIP: '10.0.0.9' } }), here), 'replaced');
});

test('a Pod that nobody took is new', () => {
  assert.equal(ownershipOf(aPod(), here), 'new');
});
