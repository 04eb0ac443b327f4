// Which secrets a machine's host is given: those of its spec, else its bootstrap data and what was rendered for it.

import { defineError } from '../../base/errors.ts';
import type { Machine } from '../../kinds/generated/machine.generated.ts';
import type { Metal3Machine } from '../../kinds/generated/metal3-machine.generated.ts';

export interface SecretRef {
  readonly name: string;
  readonly namespace: string;
}

const otherNamespace = defineError('PIPPIN_E_METAL_OTHER_NAMESPACE', {
  retry: 'never',
  remedy: "Name an object of the machine's own namespace, or leave the namespace out",
  says: (field: string, namespace: string) =>
    `spec.${field}.namespace: an object of namespace ${namespace} is not for this machine`,
});

/** Throws for a reference into another namespace: whoever may write a machine would read secrets there (metal-7.17). */
export function refuseOtherNamespaces({ metadata, spec }: Metal3Machine): void {
  for (const field of ['userData', 'metaData', 'networkData', 'dataTemplate'] as const) {
    const { namespace = '' } = spec?.[field] ?? {};
    if (namespace !== '' && namespace !== metadata.namespace) throw otherNamespace(field, namespace);
  }
}

/** A secret that the machine's own spec names. */
export function givenSecret(
  { metadata, spec }: Metal3Machine,
  field: 'userData' | 'metaData' | 'networkData',
): SecretRef | undefined {
  return refTo(spec?.[field]?.name, metadata.namespace);
}

/** Bootstrap data wins over `spec.userData`, as upstream has it. */
export function userDataOf(machine: Metal3Machine, { spec }: Machine): SecretRef | undefined {
  const { dataSecretName, configRef } = spec.bootstrap;
  const { namespace } = machine.metadata;
  return refTo(dataSecretName, namespace) ?? refTo(configRef?.name, namespace) ?? givenSecret(machine, 'userData');
}

const refTo = (name: string | undefined, namespace = ''): SecretRef | undefined =>
  name === undefined || name === '' ? undefined : { name, namespace };
