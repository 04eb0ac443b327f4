// Which Pods a VM can be: exactly one container and nothing beside it. DaemonSets tolerate the taint (agent-25).

import type { Container, Pod } from '../../kube/core/pod.ts';

/** The container that becomes the VM; undefined for a Pod that this agent does not run. */
export function vmContainer(pod: Pod): Container | undefined {
  const { containers, initContainers = [], ephemeralContainers = [] } = pod.spec;
  return containers.length === 1 && initContainers.length === 0 && ephemeralContainers.length === 0
    ? containers[0]
    : undefined;
}
