// The wire names that running fleets already use. They never change (design: drop-in); what is new is under pippin.dev.

/** The agent's finalizer on every Pod it runs (agent-4). */
export const VM_CLEANUP = 'tart-kubelet.tuist.dev/vm-cleanup';

/** The Mac provider's finalizer on its machines (mac-1.1). */
export const MAC_MACHINE_FINALIZER = 'scalewayapplesilicon.cluster.x-k8s.io/finalizer';

/** Stamps on a Pod (safe-7): the providerID, or the hardware UUID, of the host that runs it; and that Node's UID. */
export const HOST_ID = 'pippin.dev/host-id';
export const NODE_UID = 'pippin.dev/node-uid';

/** A person's word that a Pod's VM is gone: the value is the Pod's UID (safe-6). */
export const VM_GONE = 'pippin.dev/vm-gone';

/** Label of every Node that runs tart VMs. */
export const RUNTIME_LABEL = 'tuist.dev/runtime';
export const RUNTIME_TART = 'tart';

/** Taint of every Mac Node (NoSchedule). */
export const MACOS_TAINT = { key: 'tuist.dev/macos', value: 'true', effect: 'NoSchedule' } as const;

export const FLEET_LABEL = 'tuist.dev/fleet';
export const RUNNER_POOL_LABEL = 'tuist.dev/runner-pool';

/** Prefix of the labels by which a Node says which golden bases it has; the hash of the image reference follows. */
export const GOLDEN_LABEL_PREFIX = 'tuist.dev/golden-';

/** Cluster API's labels and annotations. */
export const CLUSTER_NAME_LABEL = 'cluster.x-k8s.io/cluster-name';
export const PAUSED_ANNOTATION = 'cluster.x-k8s.io/paused';
/** clusterctl marks the source copy of a moved object with it (safe-17). */
export const DELETE_FOR_MOVE = 'clusterctl.cluster.x-k8s.io/delete-for-move';

/** `scw-applesilicon://<zone>/<server id>`. */
export function appleSiliconProviderId(zone: string, serverId: string): string {
  return `scw-applesilicon://${zone}/${serverId}`;
}

/** Zone and server id of a Scaleway Apple silicon providerID; undefined for any other. */
export function parseAppleSiliconProviderId(
  providerId: string | undefined,
): { readonly zone: string; readonly serverId: string } | undefined {
  const match = /^scw-applesilicon:\/\/([^/]+)\/([^/]+)$/.exec(providerId ?? '');
  return match === null ? undefined : { zone: match[1] ?? '', serverId: match[2] ?? '' };
}
