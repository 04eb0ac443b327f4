// The MachineSets of a deployment: one that keeps the template as it is, and those that kept earlier ones.

import { MachineDeployment } from '../../../kinds/generated/machine-deployment.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { isAlreadyExists } from '../../../kube/errors.ts';
import { apiVersionOf } from '../../../kube/kind.ts';
import { annotationOf, controllerOf, isDeleting, keyOf } from '../../../kube/object.ts';
import { deleteThis, unlessOvertaken } from '../../overtaken.ts';
import { machinesControlledBy } from '../machine/machines.ts';
import { DEPLOYMENT_NAME_LABEL, DISABLE_MACHINE_CREATE, TEMPLATE_HASH_LABEL } from '../names.ts';
import { ownerReference } from '../ownership.ts';
import { strategyOf } from '../spelling.ts';
import { hashOf, setNameFor } from './template.ts';

const BY_CONTROLLER = 'capi.set.controller';

/** Sets of this deployment, oldest first. */
export function setsOf(deployment: MachineDeployment, world: KubeWorld): readonly MachineSet[] {
  const sets = world.caches.of(MachineSet);
  sets.index(BY_CONTROLLER, set => {
    const uid = controllerOf(set)?.uid;
    return uid === undefined ? [] : [uid];
  });
  const ageOf = ({ metadata }: MachineSet): string => `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
  return [...sets.by(BY_CONTROLLER, deployment.metadata.uid ?? '')].sort((one, other) =>
    ageOf(one) < ageOf(other) ? -1 : 1,
  );
}

/** The labels by which a deployment's machines are known. */
export const deploymentLabels = (deployment: MachineDeployment): Readonly<Record<string, string>> => ({
  ...deployment.spec.template.metadata?.labels,
  ...deployment.spec.selector?.matchLabels,
  [CLUSTER_NAME_LABEL]: deployment.spec.clusterName,
  [DEPLOYMENT_NAME_LABEL]: deployment.metadata.name,
});

/** Named after the template, so that a repeated creation finds the first. It starts empty: the rollout sizes it. */
export async function createSet(deployment: MachineDeployment, world: KubeWorld): Promise<void> {
  const hash = hashOf(deployment.spec.template);
  const labels = { ...deploymentLabels(deployment), [TEMPLATE_HASH_LABEL]: hash };
  const { clusterName, template } = deployment.spec;
  const set: MachineSet = {
    apiVersion: apiVersionOf(MachineSet),
    kind: MachineSet.kind,
    metadata: {
      name: setNameFor(deployment, hash),
      namespace: deployment.metadata.namespace ?? '',
      labels,
      ownerReferences: [ownerReference(MachineDeployment, deployment, 'controller')],
    },
    spec: {
      clusterName,
      replicas: 0,
      selector: { matchLabels: { [DEPLOYMENT_NAME_LABEL]: deployment.metadata.name, [TEMPLATE_HASH_LABEL]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
      deletion: { order: strategyOf(deployment.spec).order },
    },
  };
  try {
    await world.api.create(MachineSet, set);
    world.events.normal(deployment, 'SuccessfulCreate', `Created MachineSet ${set.metadata.name}`);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

export const keptMachinesOf = (set: MachineSet, world: KubeWorld): number =>
  machinesControlledBy(set.metadata.uid ?? '', world).filter(machine => !isDeleting(machine)).length;

/** Sizes a set, locked by the version that the size was decided on. */
export async function resizeSet(set: MachineSet, replicas: number, world: KubeWorld): Promise<void> {
  if (set.spec.replicas === replicas) return;
  const { uid, resourceVersion } = set.metadata;
  await unlessOvertaken(() =>
    world.api.patch(MachineSet, keyOf(set), { metadata: { uid, resourceVersion }, spec: { replicas } }),
  );
}

/** What follows the deployment without new machines: labels, annotations, limits and the order of deletion. */
export async function followDeployment(
  set: MachineSet,
  deployment: MachineDeployment,
  world: KubeWorld,
): Promise<void> {
  const hash = set.metadata.labels?.[TEMPLATE_HASH_LABEL] ?? hashOf(set.spec.template);
  const labels = { ...deploymentLabels(deployment), [TEMPLATE_HASH_LABEL]: hash };
  const { template } = deployment.spec;
  const isCurrent = hash === hashOf(template);
  const wanted = {
    ...(isCurrent ? { template: { ...template, metadata: { ...template.metadata, labels } } } : {}),
    deletion: { order: strategyOf(deployment.spec).order },
  };
  // An old set makes no further machine: whoever deletes one wants one of the new template.
  const annotations = { [DISABLE_MACHINE_CREATE]: isCurrent ? null : 'true' };
  if (holds(set.spec, wanted) && isMarked(set) === !isCurrent) return;
  await unlessOvertaken(() =>
    world.api.patch(MachineSet, keyOf(set), { metadata: { uid: set.metadata.uid, annotations }, spec: wanted }),
  );
}

const isMarked = (set: MachineSet): boolean => annotationOf(set, DISABLE_MACHINE_CREATE) !== undefined;

/** Old sets whose last machine is gone are of no further use. */
export const deleteSet = (set: MachineSet, world: KubeWorld): Promise<boolean> =>
  deleteThis(MachineSet, set, world.api);

/** Whether every field of `wanted` is in `have` with the same value; further ones are of no account. */
function holds(have: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) {
    return JSON.stringify(have) === JSON.stringify(wanted);
  }
  if (typeof have !== 'object' || have === null) return false;
  const fields = have as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).every(([key, value]) => value === undefined || holds(fields[key], value));
}
