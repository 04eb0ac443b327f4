// Who uses a host, as its consumerRef says it: a Metal3Machine, a Cluster that keeps it for reuse, or somebody else; and whose data it has.

import type { BareMetalHost, BareMetalHostSpec } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { machinesOfSecret } from '../../kinds/metal-wire.ts';
import { apiVersionOf, type Kind } from '../../kube/kind.ts';
import type { Fields } from '../../kube/merge-patch.ts';
import { type KubeObject, keyOf, keyText, type ObjectKey } from '../../kube/object.ts';

type ConsumerRef = NonNullable<BareMetalHostSpec['consumerRef']>;

/**
 * How a host names its consumer. Without a UID: clusterctl gives moved objects new ones, and follows them in owner
 * references only.
 */
function consumerRefTo(kind: Kind, object: KubeObject): ConsumerRef {
  const { namespace = '', name } = object.metadata;
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, namespace, name };
}

/** The merge that makes `object` the host's consumer: of the one before nothing stays. */
export function consumedBy(host: BareMetalHost, kind: Kind, object: KubeObject): Fields {
  const before = Object.keys(host.spec?.consumerRef ?? {}).map(key => [key, null]);
  return { ...Object.fromEntries(before), ...consumerRefTo(kind, object) };
}

/** The Metal3Machine that a host is reserved for. */
export const machineUsing = (host: BareMetalHost): ObjectKey | undefined => consumerOf(host, Metal3Machine);

/** The machines for which the data was rendered that a host is given: the names of its secrets tell. */
export function machinesOfData({ metadata: { namespace = '' }, spec }: BareMetalHost): readonly ObjectKey[] {
  const secrets = [spec?.metaData?.name ?? '', spec?.networkData?.name ?? ''];
  return [...new Set(secrets.flatMap(machinesOfSecret))].map(name => ({ namespace, name }));
}

/** The Metal3Machines that a change of a host may concern: its consumer, and those whose data it has. */
export function machinesBehind(host: BareMetalHost): readonly ObjectKey[] {
  const user = machineUsing(host);
  return [...(user === undefined ? [] : [user]), ...machinesOfData(host)];
}

/** The Cluster that keeps a released host for a machine to come. */
export const clusterKeeping = (host: BareMetalHost): ObjectKey | undefined => consumerOf(host, Cluster);

export const isReservedFor = (host: BareMetalHost, machine: Metal3Machine): boolean => {
  const consumer = machineUsing(host);
  return consumer !== undefined && keyText(consumer) === keyText(keyOf(machine));
};

/** The group counts, its version does not: it changes in an upgrade. */
function consumerOf({ metadata, spec }: BareMetalHost, { group, kind }: Kind): ObjectKey | undefined {
  const { apiVersion = '', name = '', namespace = metadata.namespace ?? '', ...ref } = spec?.consumerRef ?? {};
  if (ref.kind !== kind || name === '' || !apiVersion.startsWith(`${group}/`)) return undefined;
  return { namespace, name };
}

/** How a consumer reads in a sentence. */
export function consumerText({ spec }: BareMetalHost): string {
  const { kind = 'something', name = '' } = spec?.consumerRef ?? {};
  return `${kind} ${name}`.trim();
}
