// Which rule of admission is held where, read from what holds it.

import { manifestsOf } from '../../../src/fleet/manifests.ts';
import { POOL_RULES } from '../../../src/ipam/pool/faults.ts';
import definitions from '../../../src/kinds/generated/metal-definitions.generated.json' with { type: 'json' };
import { tables } from './tree.ts';

export interface HeldRule {
  readonly kind: string;
  /** The words of the refusal, or what is refused. */
  readonly says: string;
  readonly by: 'definition' | 'policy' | 'policy (warns)' | 'endpoint';
}

/** Every rule, in the order of kinds; one that both versions have is one. */
export function heldRules(): readonly HeldRule[] {
  const all = [...byDefinitions(), ...byPolicies(), ...byEndpoint()];
  const seen = new Map(all.map(each => [`${each.kind} ${each.says} ${each.by}`, each]));
  return [...seen.values()].sort((a, b) => (a.kind === b.kind ? 0 : a.kind < b.kind ? -1 : 1));
}

function byDefinitions(): readonly HeldRule[] {
  return definitions.flatMap(({ spec: { names, versions } }) =>
    versions.flatMap(({ schema }) =>
      messagesIn(schema).map((says): HeldRule => ({ kind: names.kind, says, by: 'definition' })),
    ),
  );
}

/** The messages of all rules in a schema, however deep. */
function messagesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) =>
    name === 'x-kubernetes-validations' && Array.isArray(value)
      ? value.map((rule: unknown) => textAt(rule, 'message'))
      : messagesIn(value),
  );
}

function byPolicies(): readonly HeldRule[] {
  const objects = manifestsOf('metalPolicies');
  return objects
    .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
    .flatMap(policy => {
      const binding = objects.find(
        ({ kind, metadata }) => kind !== policy.kind && metadata.name === policy.metadata.name,
      );
      const by = JSON.stringify(binding).includes('Warn') ? 'policy (warns)' : 'policy';
      return kindsOf(policy).flatMap(kind =>
        listAt(policy, 'spec', 'validations').map((rule): HeldRule => ({ kind, says: textAt(rule, 'message'), by })),
      );
    });
}

function kindsOf(policy: unknown): readonly string[] {
  const resources = listAt(policy, 'spec', 'matchConstraints', 'resourceRules').flatMap(rule =>
    listAt(rule, 'resources'),
  );
  return tables('main')
    .filter(({ plural }) => resources.includes(plural))
    .map(({ kind }) => kind);
}

const byEndpoint = (): readonly HeldRule[] =>
  Object.values(POOL_RULES).map((says): HeldRule => ({ kind: 'IPPool', says, by: 'endpoint' }));

function at(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = path.reduce(at, value);
  return Array.isArray(found) ? found : [];
}

const textAt = (value: unknown, name: string): string => String(at(value, name));
