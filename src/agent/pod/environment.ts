// The environment of a Pod's container, resolved and written as the file that the guest reads.

import { defineError } from '../../base/errors.ts';
import type { Container, EnvFromSource, EnvVar, Pod } from '../../kube/core/pod.ts';

const referenceMissing = defineError('PIPPIN_E_ENV_REFERENCE', {
  retry: 'backoff',
  remedy: 'Create the object or the key, or mark the reference as optional',
  says: (variable: string, what: string) => `${variable} refers to ${what}, which is not there`,
});

/** The data of one Secret or ConfigMap, decoded; undefined when the object is absent. Any other failure throws. */
export type ReadData = (
  kind: 'Secret' | 'ConfigMap',
  name: string,
) => Promise<Readonly<Record<string, string>> | undefined>;

/** `envFrom` first, then `env`; what comes later wins. */
export async function resolveEnvironment(
  pod: Pod,
  container: Container,
  read: ReadData,
): Promise<ReadonlyMap<string, string>> {
  const environment = new Map<string, string>();
  for (const source of container.envFrom ?? []) {
    for (const [name, value] of Object.entries(await allOf(source, read))) {
      environment.set(`${source.prefix ?? ''}${name}`, value);
    }
  }
  for (const variable of container.env ?? []) {
    const value = await variableValue(variable, pod, read);
    if (value !== undefined) environment.set(variable.name, value);
  }
  return environment;
}

async function allOf(source: EnvFromSource, read: ReadData): Promise<Readonly<Record<string, string>>> {
  const [kind, ref] =
    source.secretRef === undefined
      ? (['ConfigMap', source.configMapRef] as const)
      : (['Secret', source.secretRef] as const);
  if (ref === undefined) return {};
  const data = await read(kind, ref.name);
  if (data === undefined && ref.optional !== true) throw referenceMissing('envFrom', `${kind} ${ref.name}`);
  return data ?? {};
}

async function variableValue(variable: EnvVar, pod: Pod, read: ReadData): Promise<string | undefined> {
  const from = variable.valueFrom;
  if (from === undefined) return variable.value ?? '';
  if (from.fieldRef !== undefined) return fieldOf(pod, from.fieldRef.fieldPath);

  const [kind, ref] =
    from.secretKeyRef === undefined
      ? (['ConfigMap', from.configMapKeyRef] as const)
      : (['Secret', from.secretKeyRef] as const);
  if (ref === undefined) return undefined; // resource fields are left out
  const value = (await read(kind, ref.name))?.[ref.key];
  if (value === undefined && ref.optional !== true) {
    throw referenceMissing(variable.name, `key ${ref.key} of ${kind} ${ref.name}`);
  }
  return value;
}

/** The fields that a guest may ask for; any other is left out. */
function fieldOf(pod: Pod, path: string): string | undefined {
  const fields: Readonly<Record<string, string | undefined>> = {
    'metadata.name': pod.metadata.name,
    'metadata.namespace': pod.metadata.namespace,
    'metadata.uid': pod.metadata.uid,
    'spec.serviceAccountName': pod.spec.serviceAccountName,
    'spec.nodeName': pod.spec.nodeName,
  };
  return fields[path];
}

/** One `NAME=value` per line; line breaks are escaped so that a value cannot become a second variable (agent-24). */
export function environmentFile(environment: ReadonlyMap<string, string>): string {
  const escaped = (value: string): string => value.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return [...environment].map(([name, value]) => `${name}=${escaped(value)}\n`).join('');
}
