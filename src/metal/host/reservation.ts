// Reserves a host for a machine in one locked write: who read another state of it ends in a Conflict (metal-7.6, metal-h3).

import type { BareMetalHost } from '../../kinds/generated/bare-metal-host.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { BLOCK_MOVE_ANNOTATION, NODE_REUSE_LABEL } from '../../kinds/metal-wire.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { labelOf, type ObjectKey } from '../../kube/object.ts';
import { consumedBy } from './consumer.ts';
import { writeHost } from './write.ts';

/** The reserved host; undefined when it changed meanwhile. The caller has seen that nobody else's it is. */
export function reserve(
  host: BareMetalHost,
  machine: Metal3Machine,
  cluster: ObjectKey,
  world: Pick<KubeWorld, 'api'>,
): Promise<BareMetalHost | undefined> {
  const isKept = labelOf(host, NODE_REUSE_LABEL) !== undefined;
  const change = {
    metadata: {
      labels: { [CLUSTER_NAME_LABEL]: cluster.name, ...(isKept ? { [NODE_REUSE_LABEL]: null } : {}) },
      // clusterctl notes who blocks a move before it pauses the Cluster: set later, it would not be seen
      // (https://github.com/kubernetes-sigs/cluster-api/pull/9246). It goes once the host is frozen with its status
      // (metal-h4).
      annotations: { [BLOCK_MOVE_ANNOTATION]: 'true' },
    },
    spec: { consumerRef: consumedBy(host, Metal3Machine, machine) },
  };
  return writeHost(host, change, world);
}
