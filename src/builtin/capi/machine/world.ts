// What the Machine controller is told by whoever wires it.

import type { Kind } from '../../../kube/kind.ts';

export interface MachineOptions {
  /** Kinds of providers' machines and bootstrap configurations whose changes wake Machines. */
  readonly watched: readonly Kind[];
  /** How often a wait is looked at again although nothing changed. */
  readonly recheckMs: number;
}
