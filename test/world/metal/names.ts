// Names that every virtual bare-metal fleet shares.

/** Namespace of the clusters, machines and hosts. */
export const NS = 'metal';
/** Processes, as faults know them: the two halves of Metal3; what stands for Kubernetes and Cluster API; and the hardware. */
export const METAL = 'metal';
export const IPAM = 'ipam';
export const CLUSTER = 'cluster';
export const HARDWARE = 'hardware';
