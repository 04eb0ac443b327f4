// Objects for the tests of this domain, in the namespace that those use.

import { Cluster } from '../kinds/generated/cluster.generated.ts';
import { Machine } from '../kinds/generated/machine.generated.ts';
import type { Api } from '../kube/api.ts';
import { conditionOf } from '../kube/conditions.ts';
import { apiVersionOf, type Kind } from '../kube/kind.ts';
import type { KubeObject, ObjectKey, ObjectMeta, OwnerReference } from '../kube/object.ts';
import { NS } from './workload/world.testing.ts';

type Body<T> = Partial<Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'>> & {
  readonly metadata?: Partial<ObjectMeta>;
};

/** Creates an object; `status` is written after it, as its controller would. */
export async function put<T extends KubeObject & { readonly status?: unknown }>(
  api: Api,
  kind: Kind<T>,
  name: string,
  { metadata, status, ...body }: Body<T> & { readonly status?: T['status'] } = {},
): Promise<T> {
  const whole: KubeObject = {
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    ...body,
    metadata: { name, namespace: NS, ...metadata },
  };
  const created = await api.create(kind, whole as T);
  if (status === undefined) return created;
  return api.patch(kind, at(name, metadata?.namespace), { status }, { subresource: 'status' });
}

export const at = (name: string, namespace = NS): ObjectKey => ({ namespace, name });

export const ownedBy = (kind: Kind, { metadata }: KubeObject): OwnerReference => ({
  apiVersion: apiVersionOf(kind),
  kind: kind.kind,
  name: metadata.name,
  uid: metadata.uid ?? '',
});

export const aCluster = (api: Api, name: string, spec: Cluster['spec'] = {}): Promise<Cluster> =>
  put(api, Cluster, name, { spec });

/** A Machine of a Cluster; the Metal3Machine behind it has its name. */
export function aMachine(
  api: Api,
  name: string,
  cluster: string,
  more: { readonly metadata?: Partial<ObjectMeta>; readonly status?: Machine['status'] } = {},
): Promise<Machine> {
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'Metal3Machine', name };
  const labels = { 'cluster.x-k8s.io/cluster-name': cluster, ...more.metadata?.labels };
  return put(api, Machine, name, {
    metadata: { ...more.metadata, labels },
    spec: { clusterName: cluster, bootstrap: { dataSecretName: 'none' }, infrastructureRef },
    ...(more.status === undefined ? {} : { status: more.status }),
  });
}

/** `True Reason: message` of one condition. */
export function said(object: KubeObject, type: string): string {
  const { status, reason, message } = conditionOf(object, type) ?? {};
  return `${status} ${reason}: ${message}`;
}
