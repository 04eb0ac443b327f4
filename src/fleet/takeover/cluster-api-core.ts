// Which Cluster API core runs here: ours speaks cluster.x-k8s.io/v1beta2, which core serves since 1.11.

import { defineError } from '../../base/errors.ts';
import type { Api } from '../../kube/api.ts';
import { CustomResourceDefinition } from '../../kube/core/other.ts';
import { kindOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import { versionsOf } from './halves.ts';

const coreTooOld = defineError('PIPPIN_E_CLUSTER_API_TOO_OLD', {
  retry: 'never',
  remedy: 'Upgrade it first: clusterctl upgrade apply --core cluster-api:v1.11.0 (or newer)',
  says: (core: string) => `${core} is older than 1.11, the oldest that Pippin works with`,
});

const coreMissing = defineError('PIPPIN_E_CLUSTER_API_MISSING', {
  retry: 'never',
  remedy: 'Check that this is the management cluster: kubectl get crd clusters.cluster.x-k8s.io',
  says: () => 'Cluster API core is not installed here: there is no definition of clusters.cluster.x-k8s.io',
});

interface Provider extends KubeObject {
  readonly type?: string;
  readonly version?: string;
}
/** The inventory of clusterctl. */
const Provider = kindOf<Provider>('clusterctl.cluster.x-k8s.io/v1alpha3', 'Provider', 'providers', 'Namespaced');

/** `Cluster API core v1.11.2`; throws when there is none, or an older one. */
export async function clusterApiCore(api: Api): Promise<string> {
  const definition = await api.find(CustomResourceDefinition, { name: 'clusters.cluster.x-k8s.io' });
  if (definition === undefined) throw coreMissing();
  const version = await inventoryVersion(api);
  const name = `Cluster API core${version === undefined ? '' : ` ${version}`}`;
  const isNew = versionsOf(definition).some(each => each.name === 'v1beta2' && each.served);
  if (!isNew || (version !== undefined && isOlder(version))) throw coreTooOld(name);
  return name;
}

async function inventoryVersion(api: Api): Promise<string | undefined> {
  const inventory = await api.find(CustomResourceDefinition, { name: 'providers.clusterctl.cluster.x-k8s.io' });
  if (inventory === undefined) return undefined;
  return (await api.list(Provider)).items.find(({ type }) => type === 'CoreProvider')?.version;
}

/** What is no version is judged by what is served alone. */
function isOlder(version: string): boolean {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) < 1 || (Number(major) === 1 && Number(minor) < 11);
}
