// When two machine templates mean the same machines, and the name of a set that keeps one of them.

import type { MachineDeployment } from '../../../kinds/generated/machine-deployment.generated.ts';
import type { MachineSet } from '../../../kinds/generated/machine-set.generated.ts';
import { labelOf } from '../../../kube/object.ts';
import { TEMPLATE_HASH_LABEL } from '../names.ts';
import { groupOf } from '../provider/references.ts';
import { IN_PLACE } from '../set/in-place.ts';

type MachineTemplate = MachineDeployment['spec']['template'];

/** A short text that is equal for templates that need no new machines: labels and time limits follow in place. */
export function hashOf(template: MachineTemplate): string {
  const rest = Object.entries(template.spec).filter(([field]) => !(IN_PLACE as readonly string[]).includes(field));
  const { bootstrap, infrastructureRef } = template.spec;
  const same = {
    ...Object.fromEntries(rest),
    infrastructureRef: plain(infrastructureRef),
    bootstrap: {
      ...bootstrap,
      ...(bootstrap.configRef === undefined ? {} : { configRef: plain(bootstrap.configRef) }),
    },
  };
  return fnv1a(stableJson(same));
}

/** Group, kind and name: the version by which a reference was written changes no machine. */
function plain(reference: MachineTemplate['spec']['infrastructureRef']): Readonly<Record<string, string>> {
  return { group: groupOf(reference), kind: reference.kind, name: reference.name };
}

/** The set of a deployment that keeps its template as it is now. */
export function currentSet(deployment: MachineDeployment, sets: readonly MachineSet[]): MachineSet | undefined {
  const hash = hashOf(deployment.spec.template);
  // A set that was there before hashes were written is known by what it keeps.
  return (
    sets.find(set => labelOf(set, TEMPLATE_HASH_LABEL) === hash) ?? sets.find(set => hashOf(set.spec.template) === hash)
  );
}

export const setNameFor = (deployment: MachineDeployment, hash: string): string =>
  `${deployment.metadata.name}-${hash}`;

function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${entries
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${stableJson(item)}`)
    .join(',')}}`;
}

const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** FNV-1a, 64 bits, in the letters that generated names use. */
function fnv1a(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  let name = '';
  for (let at = 0; at < 10; at++) {
    name += ALPHABET[Number(hash % 27n)] ?? '';
    hash /= 27n;
  }
  return name;
}
