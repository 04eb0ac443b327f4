// How hard a collection looks.

/** `aggressive`: the disk is full and a VM waits. It waits for no day to pass, but what is used stays all the same. */
export type Zeal = 'routine' | 'aggressive';
