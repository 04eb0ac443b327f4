// What the Machine controller is told by whoever wires it.

import type { Kind } from '../../../kube/kind.ts';
import type { NodesElsewhere } from './node-source.ts';

export interface MachineOptions {
  /** Kinds of providers' machines and bootstrap configurations whose changes wake Machines. */
  readonly watched: readonly Kind[];
  /** How often a wait is looked at again although nothing changed. */
  readonly recheckMs: number;
  /** Left out: every Cluster's Nodes are in this cluster. */
  readonly nodesElsewhere?: NodesElsewhere;
}
