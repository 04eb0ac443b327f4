// Our subset of Cluster API core beside the half that leads first, and how both reach workload clusters.

import { httpTransport } from '../adapters/http/client.ts';
import type { ClusterAccess } from '../kube/cluster-access.ts';
import type { LeaderGate } from '../kube/leader-gate.ts';
import type { Transport } from '../kube/transport.ts';
import { clusterControllers, type Program } from './controllers.ts';
import { type Reach, reaching } from './reach.ts';
import type { HalfName } from './takeover/halves.ts';
import { together } from './together.ts';
import type { OpenWorld } from './world.ts';

/** One set of controllers that leads by itself. */
export interface Half {
  /** Named as upstream's, so that replicas of Pippin exclude each other; upstream's own is in its own namespace. */
  readonly lease: string;
  /** Taken over from upstream: it stands still until that is done, and while upstream writes. */
  readonly movesOver?: HalfName;
  /** With a gate, writes to whatever is outside the API ask it too. */
  programs(world: OpenWorld, gate?: LeaderGate, reach?: Reach): readonly Program[];
}

/** A replica that leads no more writes to workload clusters no more either. */
export const dialled =
  (gate: LeaderGate | undefined) =>
  (to: ClusterAccess): Transport =>
    guarded(httpTransport(to), gate);

const guarded = (transport: Transport, gate: LeaderGate | undefined): Transport => gate?.guard(transport) ?? transport;

export function withClusterApi(half: Half, providers: readonly ('mac' | 'metal')[]): Half {
  const beside = (world: OpenWorld, gate: LeaderGate | undefined, reach?: Reach): Program =>
    together([
      ...half.programs(world, gate, reach),
      clusterControllers({ world, clusterApi: { providers, ...reach } }),
    ]);
  if (!providers.includes('metal')) return { ...half, programs: (world, gate) => [beside(world, gate)] };
  // One client and one watch of Nodes for each workload cluster, whoever of them asks (metal-W2).
  return {
    ...half,
    programs: (world, gate) => [
      signal => reaching({ dial: dialled(gate) }, world, workload => beside(world, gate, { workload })(signal)),
    ],
  };
}
