// Names that every virtual fleet shares.

/** Namespace of the machines and Pods. */
export const NS = 'macs';
/** Free Macs' names begin with it. */
export const POOL = 'pool-';
/** Processes, as faults know them. */
export const MANAGER = 'manager';
export const CLUSTER = 'cluster';
