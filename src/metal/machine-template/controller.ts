// Carries a template's automatedCleaningMode to the Metal3Machines cloned from it, and writes only to those that differ.

import { minutes } from '../../base/clock.ts';
import { settleAll } from '../../deletion/stages.ts';
import { Cluster } from '../../kinds/generated/cluster.generated.ts';
import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../kinds/generated/metal3-machine-template.generated.ts';
import { clusterOf, isBeingMoved, pausedBy } from '../../kinds/pause.ts';
import { CLUSTER_NAME_LABEL } from '../../kinds/wire.ts';
import type { KeyController, KubeWorld } from '../../kube/controller.ts';
import { isNotFound } from '../../kube/errors.ts';
import { keyOf, keyText, labelOf, type ObjectKey } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import { clonesOf, templateKeyOf } from './clones.ts';

const RECHECK_MS = minutes(5);

export const metal3MachineTemplate: KeyController<KubeWorld> = {
  name: 'metal3-machine-template',
  kind: Metal3MachineTemplate,
  wokenBy: [
    { kind: Metal3Machine, keysFor: (object, world) => templatesToPush([object as Metal3Machine], world) },
    { kind: Cluster, keysFor: ({ metadata }, world) => templatesToPush(machinesOf(metadata, world), world) },
  ],
  reads: [Metal3Machine, Cluster],
  async pass(_, object, world) {
    const template = object as Metal3MachineTemplate | undefined;
    if (template === undefined || isBeingMoved(template) || pausedBy(template, undefined) !== undefined) return done();
    const differing = clonesOf(template, world).filter(machine => differs(machine, template));
    return settleAll(differing, machine => push(template, machine, world));
  },
};

/** Of so many machines' changes, only those that leave a difference wake a template: not each one for all (metal-C3). */
function templatesToPush(machines: readonly Metal3Machine[], { caches }: KubeWorld): readonly ObjectKey[] {
  const keys = new Map<string, ObjectKey>();
  for (const machine of machines) {
    const key = templateKeyOf(machine);
    const template = key === undefined ? undefined : caches.of(Metal3MachineTemplate).get(key);
    if (key !== undefined && template !== undefined && differs(machine, template)) keys.set(keyText(key), key);
  }
  return [...keys.values()];
}

const machinesOf = ({ namespace, name }: ObjectKey, { caches }: KubeWorld): readonly Metal3Machine[] =>
  caches
    .of(Metal3Machine)
    .list(namespace)
    .filter(machine => labelOf(machine, CLUSTER_NAME_LABEL) === name);

const modeOf = ({ spec }: Metal3MachineTemplate): 'metadata' | 'disabled' | undefined =>
  spec.template.spec.automatedCleaningMode;

/** A template that leaves the mode open leaves each machine its own. */
const differs = (machine: Metal3Machine, template: Metal3MachineTemplate): boolean =>
  modeOf(template) !== undefined && machine.spec?.automatedCleaningMode !== modeOf(template);

async function push(template: Metal3MachineTemplate, machine: Metal3Machine, world: KubeWorld): Promise<Outcome> {
  const cluster = clusterOf(machine, world);
  if (isBeingMoved(machine)) return done();
  if (pausedBy(machine, cluster) !== undefined) {
    const on =
      cluster?.spec?.paused === true
        ? { kind: Cluster, ...keyOf(cluster) }
        : { kind: Metal3Machine, ...keyOf(machine) };
    return wait(on, `Metal3Machine ${machine.metadata.name} to be paused no more`, RECHECK_MS);
  }
  const { uid, resourceVersion } = machine.metadata;
  const body = { metadata: { uid, resourceVersion }, spec: { automatedCleaningMode: modeOf(template) } };
  await world.api.patch(Metal3Machine, keyOf(machine), body).catch((error: unknown) => {
    if (!isNotFound(error)) throw error; // gone meanwhile: nothing is left to tell
  });
  return done();
}
