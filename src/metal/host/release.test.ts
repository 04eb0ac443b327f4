import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { USUAL_METAL_SETTINGS } from '../world.ts';
import { emptied } from './release.ts';

const BOOT = { name: 'boot', namespace: 'metal' };

const aHost = (spec: BareMetalHost['spec']): BareMetalHost => ({
  apiVersion: 'metal3.io/v1alpha1',
  kind: 'BareMetalHost',
  metadata: { name: 'h1', namespace: 'metal' },
  spec: { online: true, ...spec },
});

const aMachine = (status: Metal3Machine['status'] = {}): Metal3Machine => ({
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'Metal3Machine',
  metadata: { name: 'm1', namespace: 'metal' },
  status,
});

/** The references that a release takes off, by field. */
const takenOff = (host: BareMetalHost, machine: Metal3Machine): readonly string[] =>
  Object.keys(emptied(host, machine, USUAL_METAL_SETTINGS).spec ?? {}).filter(field => field.endsWith('Data'));

test('user data goes with the machine whose status names it, whatever way its system was put on (metal-h2)', () => {
  const host = aHost({ customDeploy: { method: 'by hand' }, userData: BOOT });

  assert.deepEqual(takenOff(host, aMachine({ userData: BOOT })), ['userData']);
  assert.deepEqual(takenOff(host, aMachine()), []);
});

test('user data of a host with an image goes although a move has lost the status of its machine (metal-h2)', () => {
  const host = aHost({ image: { url: 'http://images/os' }, userData: BOOT, networkData: { name: 'site' } });

  assert.deepEqual(takenOff(host, aMachine()), ['userData']);
});
