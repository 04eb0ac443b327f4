// Whether a released host is kept for a successor of its machine: node reuse, as the machine's template asks for it.

import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../kinds/generated/metal3-machine-template.generated.ts';
import { CLONED_FROM_NAME_ANNOTATION } from '../../kinds/metal-wire.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, isDeleting } from '../../kube/object.ts';
import type { Keeping } from '../host/release.ts';
import { reuseNameOf } from '../host/reuse.ts';
import { clusterOfMachine, ownerMachine } from './machines.ts';

/**
 * Undefined: nobody will come for it. What is gone (template, Machine, Cluster) asks for nothing; a read that failed is
 * thrown, for a host that loses its mark is lost to its successor (metal-7.10).
 */
export async function keepingOf(
  machine: Metal3Machine,
  world: Pick<KubeWorld, 'api' | 'caches'>,
): Promise<Keeping | undefined> {
  const cluster = clusterOfMachine(machine, world);
  const owner = ownerMachine(machine, world);
  if (cluster === undefined || isDeleting(cluster) || owner === undefined) return undefined;
  if (!(await asksForReuse(machine, world))) return undefined;
  const reuseName = await reuseNameOf(owner, world);
  return reuseName === undefined ? undefined : { cluster, reuseName };
}

async function asksForReuse(machine: Metal3Machine, { api }: Pick<KubeWorld, 'api'>): Promise<boolean> {
  const name = annotationOf(machine, CLONED_FROM_NAME_ANNOTATION);
  if (name === undefined) return false;
  const template = await api.find(Metal3MachineTemplate, { namespace: machine.metadata.namespace ?? '', name });
  return template?.spec.nodeReuse === true;
}
