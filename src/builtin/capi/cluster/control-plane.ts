// Whether a Cluster has had a control plane: by its provider's word, by a control-plane Node, or by whoever knows.

import { Cluster } from '../../../kinds/generated/cluster.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import { refTo } from '../../../kube/api.ts';
import { isTrue } from '../../../kube/conditions.ts';
import type { KubeWorld, Step } from '../../../kube/controller.ts';
import { CustomResourceDefinition } from '../../../kube/core/other.ts';
import { labelOf } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { machinesOfCluster } from '../machine/machines.ts';
import { CONTROL_PLANE_LABEL } from '../names.ts';
import { ensureBelongs, ownerReference } from '../ownership.ts';
import { keyIn, lookUp } from '../provider/lookup.ts';
import { excuseOf, isControlPlaneInitialized } from '../provider/object.ts';
import { type ProviderReference, waitTarget } from '../provider/references.ts';
import type { ClusterOptions } from './controller.ts';

const CONDITION = 'ControlPlaneInitialized';
const INITIALIZED = { initialization: { controlPlaneInitialized: true }, controlPlaneReady: true };

export function controlPlane(options: ClusterOptions): Step<Cluster, KubeWorld> {
  return {
    condition: CONDITION,
    run: async (cluster, world) => {
      const reference = cluster.spec?.controlPlaneRef;
      // It never becomes false again. Providers without control-plane Machines set it themselves (mac-1.2).
      if (isTrue(cluster, CONDITION)) {
        if (reference !== undefined) await byProvider(cluster, reference, { world, options });
        return done({ status: INITIALIZED });
      }
      return reference === undefined
        ? byMachines(cluster, world, options)
        : byProvider(cluster, reference, { world, options });
    },
  };
}

function byMachines(cluster: Cluster, world: KubeWorld, options: ClusterOptions): Outcome {
  const { namespace = '', name } = cluster.metadata;
  const members = machinesOfCluster(namespace, name, world).filter(
    machine => labelOf(machine, CONTROL_PLANE_LABEL) !== undefined,
  );
  if (members.some(machine => machine.status?.nodeRef !== undefined)) return done({ status: INITIALIZED });
  const what = 'a control-plane Machine with a Node, or the provider to say that there is a control plane';
  return wait(refTo(Cluster, cluster), what, options.recheckMs);
}

async function byProvider(
  cluster: Cluster,
  reference: ProviderReference,
  on: { readonly world: KubeWorld; readonly options: ClusterOptions },
): Promise<Outcome> {
  const { kind, name } = reference;
  const { namespace = '' } = cluster.metadata;
  const { recheckMs, watched } = on.options;
  const sought = await lookUp(reference, { namespace, world: on.world, watched });
  if (sought.kind === 'noSuchKind') {
    return wait({ kind: CustomResourceDefinition, name: kind }, `a CRD for the kind ${kind}`, recheckMs);
  }
  const target = waitTarget(sought.as.kind, keyIn(sought.as, name, namespace), watched);
  if (sought.kind === 'absent') return wait(target, `${kind} ${name} to exist`, recheckMs);
  const labels = { [CLUSTER_NAME_LABEL]: cluster.metadata.name };
  const owner = ownerReference(Cluster, cluster, 'controller');
  const plane = await ensureBelongs(sought.as.kind, sought.object, { owner, labels }, on.world);
  if (isControlPlaneInitialized(plane, sought.as.contract)) return done({ status: INITIALIZED });
  return wait(target, `${kind} ${name} to be initialized${excuseOf(plane)}`, recheckMs);
}
