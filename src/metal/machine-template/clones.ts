// Which Metal3Machines were cloned from which Metal3MachineTemplate: Cluster API writes it on each of them.

import { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';
import { Metal3MachineTemplate } from '../../kinds/generated/metal3-machine-template.generated.ts';
import { CLONED_FROM_KIND_ANNOTATION, CLONED_FROM_NAME_ANNOTATION } from '../../kinds/metal-wire.ts';
import type { Informer } from '../../kube/cache.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { annotationOf, keyOf, keyText, type ObjectKey } from '../../kube/object.ts';

const GROUP_KIND = `${Metal3MachineTemplate.kind}.${Metal3MachineTemplate.group}`;
const BY_TEMPLATE = 'metal.clonedFrom';

/** The template of its own namespace; undefined for a machine that was cloned from none, or from another kind. */
export function templateKeyOf(machine: Metal3Machine): ObjectKey | undefined {
  const name = annotationOf(machine, CLONED_FROM_NAME_ANNOTATION);
  if (name === undefined || annotationOf(machine, CLONED_FROM_KIND_ANNOTATION) !== GROUP_KIND) return undefined;
  return { namespace: machine.metadata.namespace ?? '', name };
}

export function clonesOf(
  template: Metal3MachineTemplate,
  { caches }: Pick<KubeWorld, 'caches'>,
): readonly Metal3Machine[] {
  return indexed(caches.of(Metal3Machine)).by(BY_TEMPLATE, keyText(keyOf(template)));
}

function indexed(machines: Informer<Metal3Machine>): Informer<Metal3Machine> {
  machines.index(BY_TEMPLATE, machine => {
    const key = templateKeyOf(machine);
    return key === undefined ? [] : [keyText(key)];
  });
  return machines;
}
