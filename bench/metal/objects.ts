// The objects of a run: a Cluster with nobody behind it, one pool, one template, and machines that are paused.

import { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../src/kinds/generated/cluster.generated.ts';
import { IPPool } from '../../src/kinds/generated/ip-pool.generated.ts';
import { Machine } from '../../src/kinds/generated/machine.generated.ts';
import { Metal3DataClaim } from '../../src/kinds/generated/metal3-data-claim.generated.ts';
import { Metal3DataTemplate } from '../../src/kinds/generated/metal3-data-template.generated.ts';
import { Metal3Machine } from '../../src/kinds/generated/metal3-machine.generated.ts';
import { HOST_ANNOTATION } from '../../src/kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL, PAUSED_ANNOTATION } from '../../src/kinds/wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { Namespace } from '../../src/kube/core/other.ts';
import { apiVersionOf, type Kind } from '../../src/kube/kind.ts';
import type { KubeObject, ObjectKey, OwnerReference } from '../../src/kube/object.ts';
import { ownerReferenceTo } from '../../src/kube/owners.ts';

const CLUSTER = 'bench';
export const POOL = 'pool';
export const TEMPLATE = 'template';
export const LABELS = { [CLUSTER_NAME_LABEL]: CLUSTER };

export const at = (namespace: string, name: string): ObjectKey => ({ namespace, name });
export const nameOf = (n: number): string => `machine-${n}`;

type More = Readonly<Record<string, unknown>> & { readonly metadata?: Readonly<Record<string, unknown>> };

export function objectOf<T extends KubeObject>(kind: Kind<T>, key: ObjectKey, more: More = {}): T {
  const { metadata, ...fields } = more;
  const whole: KubeObject = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    metadata: { ...key, ...metadata },
    ...fields,
  };
  return whole as T;
}

const POOL_SPEC = {
  pools: [{ start: '10.20.0.10', end: '10.20.255.250' }],
  prefix: 16,
  gateway: '10.20.0.1',
  namePrefix: POOL,
};

const LINK = 'eth0';

/** An index and an address as meta data; one ethernet, one static network with a default route as network data. */
const TEMPLATE_SPEC = {
  clusterName: CLUSTER,
  metaData: { indexes: [{ key: 'index' }], ipAddressesFromPool: [{ key: 'address', name: POOL }] },
  networkData: {
    links: { ethernets: [{ id: LINK, type: 'phy', macAddress: { fromHostInterface: LINK } }] },
    networks: {
      ipv4: [
        {
          id: 'net0',
          link: LINK,
          ipAddressFromIPPool: POOL,
          routes: [{ network: '0.0.0.0', prefix: 0, gateway: { fromIPPool: POOL } }],
        },
      ],
    },
  },
};

/** The namespace and what is there once. */
export async function makeGround(api: Api, namespace: string): Promise<void> {
  await api.create(Namespace, objectOf(Namespace, { name: namespace }));
  await api.create(Cluster, objectOf(Cluster, at(namespace, CLUSTER), { spec: {} }));
  await makeTemplateAndPool(api, namespace);
}

export async function makeTemplateAndPool(api: Api, namespace: string): Promise<void> {
  await api.create(IPPool, objectOf(IPPool, at(namespace, POOL), { spec: POOL_SPEC }));
  await api.create(
    Metal3DataTemplate,
    objectOf(Metal3DataTemplate, at(namespace, TEMPLATE), { metadata: { labels: LABELS }, spec: TEMPLATE_SPEC }),
  );
}

/** A Machine, its host, and the paused Metal3Machine between them: the owner of the claim that will come. */
export async function makeMachine(api: Api, namespace: string, n: number): Promise<OwnerReference> {
  const key = at(namespace, nameOf(n));
  const machine = await api.create(
    Machine,
    objectOf(Machine, key, {
      metadata: { labels: LABELS },
      spec: {
        clusterName: CLUSTER,
        bootstrap: { dataSecretName: 'none' },
        infrastructureRef: { apiGroup: Metal3Machine.group, kind: Metal3Machine.kind, name: key.name },
      },
    }),
  );
  const host = await api.create(
    BareMetalHost,
    objectOf(BareMetalHost, key, { spec: { online: false, bootMACAddress: macOf(n) } }),
  );
  const hardware = { nics: [{ name: LINK, mac: macOf(n) }] };
  await api.patch(BareMetalHost, key, { status: { hardware } }, { subresource: 'status' });
  const metal3Machine = await api.create(
    Metal3Machine,
    objectOf(Metal3Machine, key, {
      metadata: {
        labels: LABELS,
        annotations: { [PAUSED_ANNOTATION]: '', [HOST_ANNOTATION]: `${namespace}/${host.metadata.name}` },
        ownerReferences: [ownerReferenceTo(Machine, machine, 'controller')],
      },
      spec: {
        image: { url: 'http://images.example/os.qcow2', checksum: 'http://images.example/os.sha256' },
        dataTemplate: { name: TEMPLATE },
      },
    }),
  );
  return ownerReferenceTo(Metal3Machine, metal3Machine, 'owner');
}

export const claimOf = (namespace: string, n: number, owner: OwnerReference): Metal3DataClaim =>
  objectOf(Metal3DataClaim, at(namespace, nameOf(n)), {
    metadata: { labels: LABELS, ownerReferences: [owner] },
    spec: { template: { name: TEMPLATE } },
  });

function macOf(n: number): string {
  const digits = n.toString(16).padStart(6, '0');
  return `02:00:00:${digits.slice(0, 2)}:${digits.slice(2, 4)}:${digits.slice(4)}`;
}
