// Gives a machine's host back: first what it runs is taken away and it is powered off, and only then is it another's to take.

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import {
  BLOCK_MOVE_ANNOTATION,
  HOST_PAUSED_ANNOTATION,
  HOST_PAUSED_BY_PROVIDER,
  metaDataSecretName,
  NODE_REUSE_LABEL,
  networkDataSecretName,
} from '../../kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import { annotationOf, labelOf } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';
import type { MetalSettings } from '../world.ts';
import { consumedBy } from './consumer.ts';
import type { HostChange } from './write.ts';

/** A machine that may be gone. */
interface Named {
  readonly metadata: { readonly name: string };
}

type SecretRef = { readonly name?: string } | undefined;

/** What makes the Bare Metal Operator deprovision the host: nothing to run, and power as it is to be. */
export function emptied(host: BareMetalHost, machine: Metal3Machine, { fastTrack }: MetalSettings): HostChange {
  const { automatedCleaningMode, disablePowerOff = false } = host.spec ?? {};
  const online = disablePowerOff || (fastTrack && automatedCleaningMode !== 'disabled');
  // The operator does nothing for a frozen host. The Cluster is not paused, or is gone: this freeze is over (metal-G12).
  const isFrozen = annotationOf(host, HOST_PAUSED_ANNOTATION) === HOST_PAUSED_BY_PROVIDER;
  return {
    ...(isFrozen ? { metadata: { annotations: { [HOST_PAUSED_ANNOTATION]: null } } } : {}),
    spec: { image: null, customDeploy: null, online, ...withoutRefs(host, machine) },
  };
}

/**
 * References to secrets that the machine brought. They are told by its status, or, where that was lost in a move, by
 * their names: what else the host refers to is its owner's (metal-h2).
 */
function withoutRefs({ spec }: BareMetalHost, machine: Metal3Machine): Readonly<Record<string, null>> {
  const { status, spec: wanted, metadata } = machine;
  const known: readonly [key: 'userData' | 'metaData' | 'networkData', refs: readonly SecretRef[], name?: string][] = [
    ['userData', [status?.userData, wanted?.userData]],
    ['metaData', [status?.metaData, wanted?.metaData], metaDataSecretName(metadata.name)],
    ['networkData', [status?.networkData, wanted?.networkData], networkDataSecretName(metadata.name)],
  ];
  const ours = known.filter(([key, refs, name]) => {
    const held = spec?.[key];
    if (held === undefined) return false;
    const isBrought = refs.some(ref => ref !== undefined) || held.name === name;
    return isBrought || (key === 'userData' && spec?.image !== undefined);
  });
  return Object.fromEntries(ours.map(([key]) => [key, null]));
}

/** A Cluster that keeps the host, and the name for whom (node reuse). */
export interface Keeping {
  readonly cluster: Cluster;
  readonly reuseName: string;
}

/**
 * The host is anybody's, or kept for a successor. A kept host has its Cluster as consumer: with none, whoever else
 * looks for hosts would take it (metal-7.10).
 */
export function freed(host: BareMetalHost, machine: Named, keeping: Keeping | undefined): HostChange {
  const isBlocked = annotationOf(host, BLOCK_MOVE_ANNOTATION) !== undefined;
  const isOfCluster = labelOf(host, CLUSTER_NAME_LABEL) !== undefined;
  const labels = {
    ...(isOfCluster ? { [CLUSTER_NAME_LABEL]: null } : {}),
    ...(keeping === undefined ? {} : { [NODE_REUSE_LABEL]: keeping.reuseName }),
  };
  return {
    metadata: {
      labels,
      ...(isBlocked ? { annotations: { [BLOCK_MOVE_ANNOTATION]: null } } : {}),
      ...withoutOwner(host, machine),
    },
    spec: { consumerRef: keeping === undefined ? null : consumedBy(host, Cluster, keeping.cluster) },
  };
}

/** Earlier providers made machines own their hosts: the garbage collector would take the host with the machine. */
export function withoutOwner(host: BareMetalHost, machine: Named): HostChange['metadata'] {
  const ours = ownersOf(host, Metal3Machine).filter(({ name }) => name === machine.metadata.name);
  if (ours.length === 0) return undefined;
  return { ownerReferences: host.metadata.ownerReferences?.filter(owner => !ours.includes(owner)) };
}
