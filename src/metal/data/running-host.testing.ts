// A machine whose host runs with rendered data, and what an impatient person does to the objects behind it.

import { seconds } from '../../base/clock.ts';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import type { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { apiVersionOf, type Kind } from '../../kube/kind.ts';
import { dataClaimController } from '../claim/controller.ts';
import { aCluster, at, put } from '../objects.testing.ts';
import { dataTemplateController } from '../template/controller.ts';
import { type Between, type MetalTest, NS } from '../workload/world.testing.ts';
import { dataController } from './controller.ts';
import { aDataTest, aServedClaim, aTemplate } from './data-world.testing.ts';

const SPEC: Metal3DataTemplate['spec'] = {
  metaData: {
    ipAddressesFromPool: [{ key: 'address', name: 'pool', kind: 'IPPool', apiGroup: 'ipam.metal3.io' }],
  },
};
export const LEASE = 'abc-0-pool';

/** Claim `m0` with Data `abc-0`, its lease and address, noted by its machine, whose host runs. */
export async function aRunningHost(between?: Between): Promise<MetalTest> {
  const t = await aDataTest(between);
  await aCluster(t.api, 'c');
  await aTemplate(t, 'abc', SPEC);
  await aServedClaim(t, 'm0');
  t.run(dataTemplateController(), dataClaimController(), dataController());
  await t.pass(seconds(1));
  await put(t.api, IPAddress, LEASE, {
    spec: { address: '192.0.2.10', pool: { name: 'pool' }, claim: { name: LEASE } },
  });
  await t.api.patch(IPClaim, at(LEASE), { status: { address: { name: LEASE } } }, { subresource: 'status' });
  await t.pass(seconds(1));
  const renderedData = { name: 'abc-0', namespace: NS };
  await t.api.patch(Metal3Machine, at('m0'), { status: { renderedData } }, { subresource: 'status' });
  const consumerRef = { apiVersion: apiVersionOf(Metal3Machine), kind: Metal3Machine.kind, namespace: NS, name: 'm0' };
  await t.api.patch(BareMetalHost, at('host-m0'), { spec: { consumerRef, image: { url: 'http://image' } } });
  await hostIs(t, 'provisioned');
  return t;
}

export async function hostIs(t: MetalTest, state: string): Promise<void> {
  const status = { poweredOn: state === 'provisioned', provisioning: { state } };
  await t.api.patch(BareMetalHost, at('host-m0'), { status }, { subresource: 'status' });
  await t.pass(0);
}

export async function torn(t: MetalTest, kind: Kind, name: string): Promise<void> {
  await t.api.delete(kind, at(name));
  const metadata = { finalizers: [] };
  if ((await t.api.find(kind, at(name))) !== undefined) await t.api.patch(kind, at(name), { metadata });
  await t.pass(seconds(3));
}

export const leaseOf = (t: MetalTest): Promise<IPClaim | undefined> => t.api.find(IPClaim, at(LEASE));
