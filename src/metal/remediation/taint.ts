// Tells a workload cluster that a Node is off, so that its Pods and volumes go elsewhere at once; and waits until they have.

import { kubeTime, millisOf, seconds } from '../../base/clock.ts';
import type { Api } from '../../kube/api.ts';
import { Node, type Taint } from '../../kube/core/node.ts';
import { Pod } from '../../kube/core/pod.ts';
import { ApiError, isForbidden } from '../../kube/errors.ts';
import { kindOf } from '../../kube/kind.ts';
import { isDeleting, type KubeObject } from '../../kube/object.ts';
import { OUT_OF_SERVICE } from './names.ts';

interface VolumeAttachment extends KubeObject {
  readonly spec?: { readonly nodeName?: string };
}
const VolumeAttachment = kindOf<VolumeAttachment>(
  'storage.k8s.io/v1',
  'VolumeAttachment',
  'volumeattachments',
  'Cluster',
);

/** Where the taint is part of Kubernetes for good. A kubelet is never newer than its API server, so its version will do. */
const SINCE_MINOR = 28;

/** By then every Pod that does not bear the taint has been told to go. */
const SETTLE_MS = seconds(5);

export function knowsTaint({ status }: Node): boolean {
  const match = /^v?(\d+)\.(\d+)/.exec(status?.nodeInfo?.kubeletVersion ?? '');
  if (match === null) return false;
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return major > 1 || (major === 1 && minor >= SINCE_MINOR);
}

const isOurs = ({ key, effect }: Taint): boolean => key === OUT_OF_SERVICE.key && effect === OUT_OF_SERVICE.effect;

export const taintOf = ({ spec }: Node): Taint | undefined => spec?.taints?.find(isOurs);

export function addTaint(api: Api, node: Node, nowMs: number): Promise<Node> {
  return setTaints(api, node, [...(node.spec?.taints ?? []), { ...OUT_OF_SERVICE, timeAdded: kubeTime(nowMs) }]);
}

export function removeTaint(api: Api, node: Node): Promise<Node> {
  return setTaints(
    api,
    node,
    (node.spec?.taints ?? []).filter(taint => !isOurs(taint)),
  );
}

function setTaints(api: Api, { metadata }: Node, taints: readonly Taint[]): Promise<Node> {
  const { name, uid, resourceVersion } = metadata;
  return api.patch(Node, { name }, { metadata: { uid, resourceVersion }, spec: { taints } });
}

/** What is still on its way off a tainted Node; undefined: nothing. */
export async function stillLeaving(api: Api, node: Node, nowMs: number): Promise<string | undefined> {
  if (nowMs - millisOf(taintOf(node)?.timeAdded) < SETTLE_MS) return 'its Pods to be told to go';
  const { name } = node.metadata;
  const pods = await listed(() => api.list(Pod, { fields: `spec.nodeName=${name}` }));
  const [pod] = pods.filter(isDeleting);
  if (pod !== undefined) return `Pod ${pod.metadata.namespace}/${pod.metadata.name} to be gone`;
  const attachments = await listed(() => api.list(VolumeAttachment));
  const attached = attachments.find(({ spec }) => spec?.nodeName === name);
  return attached === undefined ? undefined : `VolumeAttachment ${attached.metadata.name} to be gone`;
}

/** What may not be read, or is not served, is not waited for: the host is off, which is what the wait is safe by. */
async function listed<T>(list: () => Promise<{ readonly items: readonly T[] }>): Promise<readonly T[]> {
  try {
    return (await list()).items;
  } catch (error) {
    if (isForbidden(error) || (error instanceof ApiError && error.httpStatus === 404)) return [];
    throw error;
  }
}
