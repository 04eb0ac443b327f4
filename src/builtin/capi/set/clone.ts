// What a set makes for each of its Machines: the Machine itself first, then the provider's objects from their templates.

import { invariant } from '../../../base/errors.ts';
import { nameSuffix } from '../../../base/random.ts';
import { Machine } from '../../../kinds/generated/machine.generated.ts';
import { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../../kinds/wire.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { isAlreadyExists } from '../../../kube/errors.ts';
import { apiVersionOf } from '../../../kube/kind.ts';
import { CLONED_FROM_KIND, CLONED_FROM_NAME, SET_NAME_LABEL } from '../names.ts';
import { ownerReference } from '../ownership.ts';
import type { ProviderObject } from '../provider/object.ts';
import { groupOf, type ProviderReference, resolve } from '../provider/references.ts';
import { minReadySecondsOf } from '../spelling.ts';

/** The kind made from a template kind: its name without the ending. */
const clonedKind = (templateKind: string): string => templateKind.replace(/Template$/, '');

/** The labels that every Machine of the set bears. */
export function machineLabels(set: MachineSet): Readonly<Record<string, string>> {
  return {
    ...set.spec.template.metadata?.labels,
    ...set.spec.selector?.matchLabels,
    [CLUSTER_NAME_LABEL]: set.spec.clusterName,
    [SET_NAME_LABEL]: set.metadata.name,
  };
}

/** Provider objects bear the Machine's name, so that a repeated clone finds the first. */
export async function createMachine(set: MachineSet, world: KubeWorld): Promise<void> {
  const { spec, metadata: extra } = set.spec.template;
  const { namespace = '' } = set.metadata;
  const name = `${set.metadata.name}-${nameSuffix(world.random)}`;
  const { configRef } = spec.bootstrap;
  const minReadySeconds = minReadySecondsOf(set.spec);
  await world.api.create(Machine, {
    apiVersion: apiVersionOf(Machine),
    kind: Machine.kind,
    metadata: {
      name,
      namespace,
      labels: machineLabels(set),
      ...(extra?.annotations === undefined ? {} : { annotations: extra.annotations }),
      ownerReferences: [ownerReference(MachineSet, set, 'controller')],
    },
    spec: {
      ...spec,
      clusterName: set.spec.clusterName,
      ...(minReadySeconds > 0 ? { minReadySeconds } : {}),
      infrastructureRef: clonedReference(spec.infrastructureRef, name),
      bootstrap: {
        ...spec.bootstrap,
        ...(configRef === undefined ? {} : { configRef: clonedReference(configRef, name) }),
      },
    },
  });
  world.events.normal(set, 'SuccessfulCreate', `Created Machine ${name}`);
}

export function clonedReference(template: ProviderReference, name: string): ProviderReference {
  return { apiGroup: groupOf(template), kind: clonedKind(template.kind), name };
}

/** A provider's object of a Machine, and the template that it is made from. */
export interface Equipment {
  readonly template: ProviderReference;
  readonly reference: ProviderReference;
}

export function equipmentOf(set: MachineSet, machine: Machine): readonly Equipment[] {
  const from = set.spec.template.spec;
  const to = machine.spec;
  const config =
    from.bootstrap.configRef === undefined || to.bootstrap.configRef === undefined
      ? []
      : [{ template: from.bootstrap.configRef, reference: to.bootstrap.configRef }];
  return [...config, { template: from.infrastructureRef, reference: to.infrastructureRef }];
}

export type Cloned =
  | { readonly kind: 'cloned' }
  /** The template, or a CRD of the two kinds, is not there. */
  | { readonly kind: 'held'; readonly on: string };

/** Makes the provider's object of one Machine from its template; one that exists already stands. */
export async function cloneFor(machine: Machine, template: ProviderReference, world: KubeWorld): Promise<Cloned> {
  const from = resolve(template, world.caches);
  const to = resolve({ ...template, kind: clonedKind(template.kind) }, world.caches);
  if (from === undefined || to === undefined) return { kind: 'held', on: `a CRD for the kind ${template.kind}` };
  const { namespace = '', name } = machine.metadata;
  const source = await world.api.find(from.kind, { namespace, name: template.name });
  if (source === undefined) return { kind: 'held', on: `${template.kind} ${template.name} to exist` };
  invariant(clonedKind(template.kind) !== template.kind, 'a template kind ends in Template', template.kind);
  try {
    await world.api.create(to.kind, { ...cloneOf(source, machine, template), apiVersion: apiVersionOf(to.kind) });
    world.log.info('Made from a template', { kind: to.kind.kind, name, template: template.name });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  return { kind: 'cloned' };
}

/** Owned by the Machine from the start: should the Machine be gone by then, it is collected. */
function cloneOf(
  source: ProviderObject,
  machine: Machine,
  template: ProviderReference,
): Omit<ProviderObject, 'apiVersion'> {
  const { namespace = '', name, labels } = machine.metadata;
  const given = source.spec?.template?.metadata;
  return {
    kind: clonedKind(template.kind),
    metadata: {
      name,
      namespace,
      labels: { ...given?.labels, ...labels, [CLUSTER_NAME_LABEL]: machine.spec.clusterName },
      annotations: {
        ...given?.annotations,
        [CLONED_FROM_NAME]: template.name,
        [CLONED_FROM_KIND]: `${template.kind}.${groupOf(template)}`,
      },
      ownerReferences: [ownerReference(Machine, machine, 'controller')],
    },
    spec: (source.spec?.template?.spec ?? {}) as NonNullable<ProviderObject['spec']>,
  };
}
