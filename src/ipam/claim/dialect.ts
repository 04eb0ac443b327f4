// The two kinds of claims and addresses, ours and Cluster API's, and how each says the same things.

import type { Kind } from '../../kube/kind.ts';
import type { Fields } from '../../kube/merge-patch.ts';
import type { KubeObject, ObjectKey } from '../../kube/object.ts';
import type { AddressValues } from '../allocation/plan.ts';

/** What a claim asks of which pool. */
export interface PoolName {
  readonly name: string;
  /** As the claim says it; absent: its own. */
  readonly namespace?: string;
}

/** What an address is made of. */
export interface AddressParts {
  readonly pool: ObjectKey;
  readonly claim: ObjectKey;
  readonly address: string;
  readonly values: AddressValues;
}

/** A claim's standing: it has an address, or the words why not; upstream's where it has such. */
export type Standing =
  | { readonly kind: 'bound'; readonly name: string }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'waiting' };

export interface Dialect<C extends KubeObject = KubeObject, A extends KubeObject = KubeObject> {
  readonly claim: Kind<C>;
  readonly address: Kind<A>;
  readonly claimFinalizer: string;
  readonly addressFinalizer: string;
  /** The pool that a claim names; undefined when it names none of ours, or none at all. */
  poolOf(claim: C): PoolName | undefined;
  /** The address that the claim's status names. */
  boundName(claim: C): string | undefined;
  statusOf(claim: C, standing: Standing): Fields;
  /** The address that an object is, of a pool of ours; undefined of any other. */
  heldBy(address: A): { readonly pool: string; readonly claim: string; readonly text: string } | undefined;
  specOf(parts: AddressParts): Fields;
}

/** The kind as people and holders know it: the two kinds of addresses have one name. */
const nameOf = ({ group, kind }: Kind): string =>
  group === 'ipam.cluster.x-k8s.io' && kind === 'IPAddress' ? `${kind}.${group}` : kind;

/** How a claim or an address is known as the holder of an address, within one namespace. */
export const holderOf = (kind: Kind, object: KubeObject): string => `${nameOf(kind)} ${object.metadata.name}`;
