// Names that every virtual fleet shares.

/** Namespace of the machines and Pods. */
export const NS = 'macs';
/** Free Macs' names begin with it. */
export const POOL = 'pool-';
/** Processes, as faults know them. */
export const MANAGER = 'manager';
export const CLUSTER = 'cluster';
/** Before the account's name in every token of an account. */
export const TOKEN_OF = 'token of ';
