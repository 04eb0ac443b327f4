// The wire names of the Metal3 provider and its address manager: as running clusters have them, so they never change.

const INFRASTRUCTURE = 'infrastructure.cluster.x-k8s.io';

/** Finalizers of the provider's own kinds; the second and third also sit on objects it depends on (metal spec, 3). */
export const METAL3_CLUSTER_FINALIZER = `metal3cluster.${INFRASTRUCTURE}`;
/** On Metal3Machine, and on the Metal3DataClaim made for it. */
export const METAL3_MACHINE_FINALIZER = `metal3machine.${INFRASTRUCTURE}`;
/** On Metal3Data, and on the claims for addresses made for it. */
export const METAL3_DATA_FINALIZER = `metal3data.${INFRASTRUCTURE}`;
/** On Metal3DataClaim, and on the Metal3Data made for it. */
export const METAL3_DATA_CLAIM_FINALIZER = `metal3dataclaim.${INFRASTRUCTURE}`;
export const METAL3_DATA_TEMPLATE_FINALIZER = `metal3datatemplate.${INFRASTRUCTURE}`;
export const METAL3_REMEDIATION_FINALIZER = `metal3remediation.${INFRASTRUCTURE}`;

/** Finalizers of the address manager, on its own kinds and on those of Cluster API. */
export const IP_POOL_FINALIZER = 'ippool.ipam.metal3.io';
export const IP_CLAIM_FINALIZER = 'ipclaim.ipam.metal3.io';
export const IP_ADDRESS_FINALIZER = 'ipaddress.ipam.metal3.io';
export const CAPI_IP_ADDRESS_CLAIM_FINALIZER = 'ipam.metal3.io/ipaddressclaim';
export const CAPI_IP_ADDRESS_FINALIZER = 'ipam.metal3.io/ipaddress';

/** Labels of an IPClaim that is named after its host: the Metal3Data and the pool it is for. */
export const DATA_NAME_LABEL = `${INFRASTRUCTURE}/data-name`;
export const POOL_NAME_LABEL = `${INFRASTRUCTURE}/pool-name`;

/** Labels of a host: who may have it again, and where it stands. */
export const NODE_REUSE_LABEL = `${INFRASTRUCTURE}/node-reuse`;
export const FAILURE_DOMAIN_LABEL = `${INFRASTRUCTURE}/failure-domain`;

/** Label of a Node: the UID of its BareMetalHost. */
export const HOST_UID_LABEL = 'metal3.io/uuid';

/** Annotation of a Metal3Machine: `<namespace>/<name>` of its host; the namespace is not read. */
export const HOST_ANNOTATION = 'metal3.io/BareMetalHost';

/** Annotation that freezes a host, and the value by which the provider knows its own. */
export const HOST_PAUSED_ANNOTATION = 'baremetalhost.metal3.io/paused';
/** Its operator does nothing for a detached host, as for a paused one. */
export const HOST_DETACHED_ANNOTATION = 'baremetalhost.metal3.io/detached';
export const HOST_PAUSED_BY_PROVIDER = 'metal3.io/capm3';
/** Annotation of a host that carries its status through a move. */
export const HOST_STATUS_ANNOTATION = 'baremetalhost.metal3.io/status';
/** Annotations of a host that is not to be chosen: today's, and the one before. */
export const HOST_UNHEALTHY_ANNOTATIONS = ['capm3.metal3.io/unhealthy', 'capi.metal3.io/unhealthy'] as const;
/** `reboot.metal3.io/<who asks>` keeps a host without power while it is there. */
export const HOST_REBOOT_ANNOTATION_PREFIX = 'reboot.metal3.io/';

/** Annotation of a Metal3Cluster: the prefixes of the labels that Nodes take over from their hosts. */
export const LABEL_SYNC_PREFIXES_ANNOTATION = 'metal3.io/metal3-label-sync-prefixes';

/** Annotation of a claim for an address: the one it asks for. */
export const REQUESTED_ADDRESS_ANNOTATION = 'ipAddress';

/** On an address: since when its claim is gone without having let go of it. */
export const CLAIM_LOST_ANNOTATION = 'pippin.dev/claim-lost-at';

/** On a claim for an address: the UID of the Metal3Data that has let go of it, and whose host runs with it no more. */
export const LET_GO_ANNOTATION = 'pippin.dev/let-go-by';

/** On what a Metal3Data has made: `<name>/<UID>` of that Metal3Data, known still when somebody took its owner reference off. */
export const MADE_FOR_ANNOTATION = 'pippin.dev/made-for';

/** On a secret with rendered data: the addresses in it, and by which leases they were given. */
export const GIVEN_ADDRESSES_ANNOTATION = 'pippin.dev/given-addresses';

/** Cluster API's annotations: while it is there the object is not moved; and what an object was cloned from. */
export const BLOCK_MOVE_ANNOTATION = 'clusterctl.cluster.x-k8s.io/block-move';
export const CLONED_FROM_NAME_ANNOTATION = 'cluster.x-k8s.io/cloned-from-name';
export const CLONED_FROM_KIND_ANNOTATION = 'cluster.x-k8s.io/cloned-from-groupkind';
/** What an object's own version cannot say, as JSON of the version that can. */
export const CONVERSION_DATA_ANNOTATION = 'cluster.x-k8s.io/conversion-data';

/** The type of the secrets with rendered data, and the key of each. */
export const METAL3_SECRET_TYPE = `${INFRASTRUCTURE}/secret`;
export const META_DATA_KEY = 'metaData';
export const NETWORK_DATA_KEY = 'networkData';

export const metaDataSecretName = (metal3Machine: string): string => `${metal3Machine}-metadata`;
export const networkDataSecretName = (metal3Machine: string): string => `${metal3Machine}-networkdata`;

/** The Metal3Machine for which a secret of this name is rendered; none: its name is none of these. */
export const machinesOfSecret = (name: string): readonly string[] =>
  ['-metadata', '-networkdata'].flatMap(end =>
    name.endsWith(end) && name.length > end.length ? [name.slice(0, -end.length)] : [],
  );

/** The name of a Metal3Data is the lock on its index. */
export const metal3DataName = (template: string, index: number): string => `${template}-${index}`;

/** The claim that a Metal3Data makes of a pool. */
export const ipClaimName = (metal3Data: string, pool: string): string => `${metal3Data}-${pool}`;

/** The Metal3Data that an address is for: by the label that it has of its claim, or by the claim's name; empty: none. */
export function dataNameOf(labels: Readonly<Record<string, string>> | undefined, claim: string, pool: string): string {
  const label = labels?.[DATA_NAME_LABEL] ?? '';
  const end = ipClaimName('', pool);
  return label === '' && claim.endsWith(end) ? claim.slice(0, -end.length) : label;
}

/** `metal3://<namespace>/<host>/<Metal3Machine>`. */
export const metal3ProviderId = (namespace: string, host: string, metal3Machine: string): string =>
  `metal3://${namespace}/${host}/${metal3Machine}`;
