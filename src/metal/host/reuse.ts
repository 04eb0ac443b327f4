// Node reuse: under which name a machine's host is kept for its successors, and which hosts are kept for it.

import type { Machine } from '../../kinds/generated/machine.generated.ts';
import { MachineDeployment } from '../../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../kinds/generated/machine-set.generated.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import type { OwnerReference } from '../../kube/object.ts';
import { labelOf } from '../../kube/object.ts';
import { ownersOf } from '../../kube/owners.ts';

const CONTROL_PLANE_GROUP = 'controlplane.cluster.x-k8s.io';
const CONTROL_PLANE_LABEL = 'cluster.x-k8s.io/control-plane';
const DEPLOYMENT_NAME_LABEL = 'cluster.x-k8s.io/deployment-name';

/**
 * `cp-<control plane>` of whatever control plane provider, or `md-<deployment>`; undefined: neither made this machine.
 * Throws when nobody can tell: a host must not lose its mark to a read that failed (metal-7.10).
 */
export async function reuseNameOf(machine: Machine, world: Pick<KubeWorld, 'api'>): Promise<string | undefined> {
  if (labelOf(machine, CONTROL_PLANE_LABEL) !== undefined) {
    const owner = machine.metadata.ownerReferences?.find(isControlPlane);
    return owner === undefined ? undefined : `cp-${owner.name}`;
  }
  const deployment = labelOf(machine, DEPLOYMENT_NAME_LABEL) ?? (await deploymentOf(machine, world));
  return deployment === undefined ? undefined : `md-${deployment}`;
}

const isControlPlane = ({ apiVersion }: OwnerReference): boolean => apiVersion.startsWith(`${CONTROL_PLANE_GROUP}/`);

async function deploymentOf(machine: Machine, { api }: Pick<KubeWorld, 'api'>): Promise<string | undefined> {
  const [owner] = ownersOf(machine, MachineSet);
  if (owner === undefined) return undefined;
  const set = await api.find(MachineSet, { namespace: machine.metadata.namespace ?? '', name: owner.name });
  if (set === undefined || set.metadata.uid !== owner.uid) return undefined;
  return ownersOf(set, MachineDeployment)[0]?.name;
}
