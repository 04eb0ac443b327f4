// A small world of templates, claims and machines for the tests of these rooms: embedded API, virtual time, no hosts.

import assert from 'node:assert/strict';
import { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { CapiIPAddress } from '../../kinds/generated/capi-ip-address.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { IPAddress } from '../../kinds/generated/ip-address.generated.ts';
import { IPAddressClaim } from '../../kinds/generated/ip-address-claim.generated.ts';
import { IPClaim } from '../../kinds/generated/ip-claim.generated.ts';
import { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../kinds/generated/machine.generated.ts';
import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { Metal3DataClaim } from '../../kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION, METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { type CustomResourceDefinition, Secret } from '../../kube/core/other.ts';
import type { Kind } from '../../kube/kind.ts';
import type { KubeObject, ObjectMeta, OwnerReference } from '../../kube/object.ts';
import { aMachine, at, ownedBy, put } from '../objects.testing.ts';
import { aMetalTest, type Between, type MetalTest, NS } from '../workload/world.testing.ts';

export const DATA_KINDS: readonly Kind[] = [
  BareMetalHost,
  CapiIPAddress,
  Cluster,
  IPAddress,
  IPAddressClaim,
  IPClaim,
  IPPool,
  Machine,
  Metal3Data,
  Metal3DataClaim,
  Metal3DataTemplate,
  Metal3Machine,
];

/** The definitions are without rules, as those of before: objects that these would refuse are met with all the same. */
export const aDataTest = (between?: Between, kinds = DATA_KINDS): Promise<MetalTest> =>
  aMetalTest(kinds, between, withoutRules);

const withoutRules = (definition: CustomResourceDefinition): CustomResourceDefinition =>
  JSON.parse(JSON.stringify(definition), (key, value) => (key === 'x-kubernetes-validations' ? undefined : value));

export const LABELS = { [CLUSTER_NAME_LABEL]: 'c' };

export const aTemplate = (
  { api }: MetalTest,
  name = 'abc',
  spec: Metal3DataTemplate['spec'] = {},
  metadata: Partial<ObjectMeta> = {},
): Promise<Metal3DataTemplate> => put(api, Metal3DataTemplate, name, { spec, metadata });

/** A Metal3Machine that names the Template; nothing stands behind it. */
export const aMetal3Machine = (
  { api }: MetalTest,
  name: string,
  template = 'abc',
  metadata: Partial<ObjectMeta> = {},
): Promise<Metal3Machine> => put(api, Metal3Machine, name, { spec: { dataTemplate: { name: template } }, metadata });

/** A Claim and the Metal3Machine that owns it. */
export async function aClaim(
  t: MetalTest,
  name: string,
  { template = 'abc', metadata = {} }: { template?: string; metadata?: Partial<ObjectMeta> } = {},
): Promise<Metal3DataClaim> {
  const machine = await aMetal3Machine(t, name, template);
  return put(t.api, Metal3DataClaim, name, {
    metadata: { labels: LABELS, ownerReferences: [ownedBy(Metal3Machine, machine)], ...metadata },
    spec: { template: { name: template } },
  });
}

/** A Claim for a Metal3Machine with its Machine and its host: all that rendering asks for. */
export async function aServedClaim(t: MetalTest, name: string, template = 'abc'): Promise<Metal3DataClaim> {
  const machine = await aMachine(t.api, name, 'c');
  await put(t.api, BareMetalHost, `host-${name}`, { spec: { bootMACAddress: '12:34:56:78:9a:bc' } });
  const metal3Machine = await aMetal3Machine(t, name, template, {
    annotations: { [HOST_ANNOTATION]: `${NS}/host-${name}` },
    labels: LABELS,
    ownerReferences: [ownedBy(Machine, machine)],
  });
  return put(t.api, Metal3DataClaim, name, {
    metadata: { labels: LABELS, ownerReferences: [ownedBy(Metal3Machine, metal3Machine)] },
    spec: { template: { name: template } },
  });
}

/** A Data as an earlier manager left it. */
export const aData = (
  { api }: MetalTest,
  name: string,
  {
    index,
    claim,
    template = 'abc',
    metadata = {},
    status,
  }: {
    readonly index: number;
    readonly claim?: string;
    readonly template?: string;
    readonly metadata?: Partial<ObjectMeta>;
    readonly status?: Metal3Data['status'];
  },
): Promise<Metal3Data> =>
  put(api, Metal3Data, name, {
    metadata: { finalizers: [METAL3_DATA_CLAIM_FINALIZER, METAL3_DATA_FINALIZER], ...metadata },
    spec: {
      index,
      template: { name: template, namespace: NS },
      ...(claim === undefined ? {} : { claim: { name: claim } }),
    },
    ...(status === undefined ? {} : { status }),
  });

export const claimOwner = (claim: KubeObject): OwnerReference => ownedBy(Metal3DataClaim, claim);

/** `abc-0 m0`: each Data with its claim, by name. */
export async function datas({ api }: MetalTest): Promise<readonly string[]> {
  const { items } = await api.list(Metal3Data);
  return items.map(({ metadata, spec }) => `${metadata.name} ${spec?.claim?.name ?? '-'}`).sort();
}

export const claimNamed = ({ api }: MetalTest, name: string): Promise<Metal3DataClaim | undefined> =>
  api.find(Metal3DataClaim, at(name));

export const dataNamed = ({ api }: MetalTest, name: string): Promise<Metal3Data | undefined> =>
  api.find(Metal3Data, at(name));

export const templateNamed = ({ api }: MetalTest, name = 'abc'): Promise<Metal3DataTemplate | undefined> =>
  api.find(Metal3DataTemplate, at(name));

/** Which Data a Claim says it has. */
export async function renderedBy(t: MetalTest, claim: string): Promise<string | undefined> {
  return (await claimNamed(t, claim))?.status?.renderedData?.name;
}

/** The text of a secret under its only key. */
export async function secretText({ api }: MetalTest, name: string): Promise<string> {
  const secret = await api.get(Secret, at(name));
  const [text = ''] = Object.values(secret.data ?? {});
  return Buffer.from(text, 'base64').toString('utf8');
}

/** Nothing is left of these kinds in the namespace. */
export async function assertNoneOf({ api }: MetalTest, kinds: readonly Kind[]): Promise<void> {
  for (const kind of kinds) {
    const { items } = await api.list(kind, { namespace: NS });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      [],
      `${kind.kind} are left`,
    );
  }
}
