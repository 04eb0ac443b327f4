// Which addresses a Data was rendered with, noted on its secrets: known still when both the lease and the address are gone.

import { GIVEN_ADDRESSES_ANNOTATION } from '../../kinds/metal-wire.ts';
import { annotationOf, type KubeObject } from '../../kube/object.ts';
import type { PoolReference } from '../rendering/index.ts';

/** An address, and the lease by which it was given. */
export interface Given {
  readonly claimKind: string;
  readonly claim: string;
  readonly pool: PoolReference;
  readonly address: string;
  /** Of a lease that is named after its host. */
  readonly labels: Readonly<Record<string, string>>;
}

/** What a secret that is about to be made notes; nothing where nothing was given. */
export const noteOf = (given: readonly Given[]): Readonly<Record<string, string>> =>
  given.length === 0 ? {} : { [GIVEN_ADDRESSES_ANNOTATION]: JSON.stringify(given) };

/** Secrets of earlier versions, and of upstream, note nothing. Both secrets of a Data note the same. */
export function notedOn(secrets: readonly KubeObject[]): readonly Given[] {
  const texts = new Set(secrets.flatMap(secret => annotationOf(secret, GIVEN_ADDRESSES_ANNOTATION) ?? []));
  const all = [...texts].flatMap(read);
  return [...new Map(all.map(given => [`${given.claimKind} ${given.claim}`, given])).values()];
}

function read(text: string): readonly Given[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isGiven) : [];
  } catch {
    return []; // Somebody has spoilt it: it tells nothing, as where there is none.
  }
}

function isGiven(value: unknown): value is Given {
  const { claimKind, claim, address, pool, labels } = fieldsOf(value);
  const { name, kind, apiGroup } = fieldsOf(pool);
  const isLabelled = labels !== null && typeof labels === 'object';
  return isLabelled && [claimKind, claim, address, name, kind, apiGroup].every(each => typeof each === 'string');
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' ? { ...value } : {};
