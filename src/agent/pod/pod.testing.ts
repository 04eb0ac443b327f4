// Pods for the tests of this folder.

import type { Container, Pod, PodSpec } from '../../kube/core/pod.ts';
import type { ObjectMeta } from '../../kube/object.ts';

export const UID = '0f3cbb1c-6a60-4a3e-9f0c-3d1b9a3f9d11';

export function aPod(metadata: Partial<ObjectMeta> = {}, more: Partial<Omit<Pod, 'metadata'>> = {}): Pod {
  const { spec, ...rest } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', uid: UID, ...metadata },
    spec: aSpec({}, spec),
    ...rest,
  };
}

export const aSpec = (container: Partial<Container> = {}, spec: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'vm', image: 'ghcr.io/a/b:c', ...container }],
  ...spec,
});
