import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BareMetalHost, BareMetalHostSpec } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { BARE_METAL_HOST_FINALIZER, step } from './model.ts';
import type { HostQuirks } from './quirks.ts';

const IMAGE = { image: { url: 'http://images.example/os.qcow2' } };

interface Given {
  readonly state?: string;
  readonly poweredOn?: boolean;
  readonly spec?: BareMetalHostSpec;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly isDeleting?: true;
}

function aHost({ state, poweredOn, spec, annotations, isDeleting }: Given = {}): BareMetalHost {
  return {
    apiVersion: 'metal3.io/v1alpha1',
    kind: 'BareMetalHost',
    metadata: {
      name: 'host-0',
      namespace: 'metal',
      finalizers: [BARE_METAL_HOST_FINALIZER],
      ...(annotations === undefined ? {} : { annotations }),
      ...(isDeleting === undefined ? {} : { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    },
    spec: spec ?? { online: true },
    status: {
      ...(poweredOn === undefined ? {} : { poweredOn }),
      ...(state === undefined ? {} : { provisioning: { state } }),
    },
  };
}

/** The host after this step, as an API would merge it. */
function after(host: BareMetalHost, quirks?: HostQuirks): BareMetalHost | undefined {
  const next = step(host, quirks);
  if (next === undefined) return undefined;
  const finalizers = next.finalizer === 'taken off' ? [] : [BARE_METAL_HOST_FINALIZER];
  return { ...host, metadata: { ...host.metadata, finalizers }, status: { ...host.status, ...next.status } };
}

/** Names of the steps until nothing happens any more. */
function walk(host: BareMetalHost, quirks?: HostQuirks): readonly string[] {
  const names: string[] = [];
  for (let at: BareMetalHost | undefined = host; at !== undefined && names.length < 20; at = after(at, quirks)) {
    const next = step(at, quirks);
    if (next !== undefined) names.push(next.name);
  }
  return names;
}

test('a new host is registered, inspected and prepared until it is available, and has power when it is to be online', () => {
  const bare = { ...aHost(), metadata: { name: 'host-0', namespace: 'metal' } };

  assert.deepEqual(walk(bare), ['taken on', 'registering', 'inspecting', 'preparing', 'available', 'power on']);
  assert.equal(walk(aHost({ spec: { online: false } })).at(-1), 'available');
});

test('inspection finds the name and the NICs, the boot MAC among them', () => {
  const host = aHost({ state: 'inspecting', spec: { bootMACAddress: '00:11:22:33:44:55' } });

  const hardware = after(host)?.status?.hardware;

  assert.equal(hardware?.hostname, 'host-0');
  assert.deepEqual(
    hardware?.nics?.map(({ name, mac }) => [name, mac?.length]),
    [
      ['eth0', 17],
      ['eth1', 17],
    ],
  );
  assert.equal(hardware?.nics?.[0]?.mac, '00:11:22:33:44:55');
});

test('an image or a custom deploy method provisions a host and gives it power; without either it is erased again', () => {
  const deploy = { customDeploy: { method: 'install' }, online: true };

  assert.deepEqual(walk(aHost({ state: 'available', spec: { ...IMAGE, online: true } })), [
    'provisioning',
    'provisioned',
  ]);
  assert.deepEqual(walk(aHost({ state: 'available', spec: deploy })), ['provisioning', 'provisioned']);
  assert.deepEqual(walk(aHost({ state: 'provisioned', poweredOn: true, spec: { online: false } })), [
    'deprovisioning',
    'available',
  ]);
});

test('an externally provisioned host does nothing but follow the power switch', () => {
  const spec = { externallyProvisioned: true, online: true };

  assert.deepEqual(walk(aHost({ state: 'registering', spec })), ['externally provisioned', 'power on']);
  assert.deepEqual(
    walk(aHost({ state: 'externally provisioned', poweredOn: true, spec: { ...spec, online: false } })),
    ['power off'],
  );
});

test('a host that goes is erased, loses power and is let go, in this order', () => {
  const spec = { ...IMAGE, online: true };

  assert.deepEqual(walk(aHost({ state: 'provisioned', poweredOn: true, spec, isDeleting: true })), [
    'deprovisioning',
    'powering off before delete',
    'deleting',
    'gone',
  ]);
  assert.deepEqual(walk(aHost({ isDeleting: true })), ['deleting', 'gone']);
});

test('a host that is paused stands still, deletion included', () => {
  const annotations = { 'baremetalhost.metal3.io/paused': 'metal3.io/capm3' };

  assert.equal(step(aHost({ annotations })), undefined);
  assert.equal(step(aHost({ annotations, isDeleting: true, state: 'provisioned' })), undefined);
});

test('a reboot annotation keeps an installed host without power for as long as it is there', () => {
  const annotations = { 'reboot.metal3.io/metal3-remediation-1': '{"mode":"hard"}' };
  const spec = { ...IMAGE, online: true };
  const host = { state: 'provisioned', spec } as const;

  assert.deepEqual(walk(aHost({ ...host, poweredOn: true, annotations })), ['power off']);
  assert.deepEqual(walk(aHost({ ...host, poweredOn: false })), ['power on']);
});

test('a reboot annotation without a suffix is used up by one power cut', () => {
  const host = aHost({
    state: 'provisioned',
    poweredOn: true,
    spec: { ...IMAGE, online: true },
    annotations: { 'reboot.metal3.io': '' },
  });

  const next = step(host);

  assert.deepEqual([next?.name, next?.annotationGone], ['power off', 'reboot.metal3.io']);
});

test('a host that must not lose power keeps it, at its end too', () => {
  const spec = { disablePowerOff: true, online: false };

  assert.equal(step(aHost({ state: 'available', poweredOn: true, spec })), undefined);
  const off = aHost({ state: 'powering off before delete', poweredOn: true, spec, isDeleting: true });
  assert.equal(after(off)?.status?.poweredOn, true);
});

test('a step that fails is told once and goes on when the cause is gone; one that is stuck says nothing', () => {
  const host = aHost({ state: 'preparing' });
  const failed = after(host, { errors: { available: 'no RAID' } });

  assert.deepEqual(
    [failed?.status?.errorMessage, failed?.status?.operationalStatus, failed?.status?.errorCount],
    ['no RAID', 'error', 1],
  );
  assert.equal(step(failed ?? host, { errors: { available: 'no RAID' } }), undefined);
  assert.equal(after(failed ?? host)?.status?.errorMessage, '');
  assert.equal(step(host, { stuck: ['available'] }), undefined);
});

test('a host that was moved here is what its annotation says, and is not inspected again', () => {
  const status = JSON.stringify({ poweredOn: true, provisioning: { state: 'provisioned' } });
  const host = aHost({ annotations: { 'baremetalhost.metal3.io/status': status }, spec: { ...IMAGE, online: true } });

  const next = step(host);

  assert.equal(next?.annotationGone, 'baremetalhost.metal3.io/status');
  assert.equal(after(host)?.status?.provisioning?.state, 'provisioned');
});
