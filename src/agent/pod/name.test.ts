// Which VM is a Pod's: names, and who may adopt what.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOST_ID, VM_CLEANUP } from '../../kinds/wire.ts';
import type { VmRecord } from '../records.ts';
import { newVmName, upstreamVmName, vmClaims } from './name.ts';
import { aPod, UID } from './pod.testing.ts';

const note = (vm: string, podUid: string): VmRecord => ({ vm, use: 'pod', image: 'i', podUid, state: 'made' });
const names = (...args: Parameters<typeof vmClaims>): readonly string[] => vmClaims(...args).map(({ vm }) => vm);
const upstream = { finalizers: [VM_CLEANUP] };

test('a new name carries the whole UID and stays within 63 characters', () => {
  const long = newVmName(aPod({ name: 'x'.repeat(80) }));

  assert.equal(newVmName(aPod()), `default-web-${UID}`);
  assert.equal(long.length, 63);
  assert.ok(long.endsWith(`-${UID}`));
});

test("upstream's long names are cut with a hash, so that two of them differ (agent-23)", () => {
  const [one, other] = [
    upstreamVmName('default', `${'x'.repeat(80)}1`),
    upstreamVmName('default', `${'x'.repeat(80)}2`),
  ];

  assert.equal(upstreamVmName('default', 'web'), 'default-web');
  assert.equal(one.length, 63);
  assert.notEqual(one, other);
});

test('a Pod that nobody took adopts nothing: what is left of an earlier Pod of its name is not its VM', () => {
  assert.deepEqual(names(aPod(), []), [`default-web-${UID}`]);
});

test("a Pod that upstream's agent took is looked for under its container's id, then upstream's name (safe-26)", () => {
  const status = {
    containerStatuses: [
      { name: 'vm', image: '', imageID: '', ready: true, restartCount: 0, containerID: 'tart://old' },
    ],
  };

  assert.deepEqual(names(aPod(upstream, { status }), []), ['old', 'default-web', `default-web-${UID}`]);
});

test("a VM that is noted as another Pod's is not adopted", () => {
  assert.deepEqual(names(aPod(upstream), [note('default-web', 'another')]), [`default-web-${UID}`]);
});

test('our own note comes first, and our own stamp ends adoption', () => {
  const stamped = aPod({ ...upstream, annotations: { [HOST_ID]: 'here' } });

  assert.deepEqual(names(stamped, [note('default-web', UID)]), ['default-web', `default-web-${UID}`]);
  assert.deepEqual(names(stamped, []), [`default-web-${UID}`]);
});
