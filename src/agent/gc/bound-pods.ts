// The Pods of this Node as the collector needs them: read live and whole, for what is not in the list may be deleted.

import { isTerminal, Pod } from '../../kube/core/pod.ts';
import { isDeleting } from '../../kube/object.ts';
import { upstreamVmName, vmClaims } from '../pod/name.ts';
import { vmContainer } from '../pod/shape.ts';
import type { AgentPorts } from '../world.ts';
import type { BoundPod } from './view.ts';

export async function boundPods({ api, records, settings }: AgentPorts): Promise<readonly BoundPod[]> {
  const { items } = await api.list(Pod, { fields: `spec.nodeName=${settings.nodeName}` });
  const notes = await records.vms();
  return items.flatMap(pod => {
    const container = vmContainer(pod);
    if (container === undefined) return [];
    const { namespace = 'default', name, uid = '' } = pod.metadata;
    // Every name under which this Pod's VM could be: better one VM too many than one too few.
    const vms = [...vmClaims(pod, notes).map(claim => claim.vm), upstreamVmName(namespace, name)];
    return [{ uid, image: container.image, vms, wantsImage: !isDeleting(pod) && !isTerminal(pod) }];
  });
}
