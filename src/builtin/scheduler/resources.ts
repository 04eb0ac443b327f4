// What Pods ask of a Node and what a Node has left.

import { nanoOf } from '../../apiserver/builtin/quantity.ts';
import type { Node } from '../../kube/core/node.ts';
import { type Container, isTerminal, type Pod } from '../../kube/core/pod.ts';

/** Amounts by resource name, in thousandths: whole numbers, so that sums compare exactly. */
export type Amounts = ReadonlyMap<string, number>;

export const PODS = 'pods';

/** One piece, core or byte, in thousandths. */
export const ONE = 1000;

/** Objects in caches are frozen and many Pods are looked at for each that is placed: each is added up once. */
const known = new WeakMap<Pod, Amounts>();

/** The larger of what the containers ask together and what any init container asks alone, plus one Pod. */
export function requestsOf(pod: Pod): Amounts {
  const requests = known.get(pod) ?? addedUp(pod);
  known.set(pod, requests);
  return requests;
}

function addedUp(pod: Pod): Amounts {
  const together = pod.spec.containers.map(ofContainer).reduce(plus, new Map());
  const largest = (pod.spec.initContainers ?? []).map(ofContainer).reduce(max, together);
  return new Map([...largest, [PODS, ONE]]);
}

function ofContainer({ resources }: Container): Amounts {
  // The API fills absent requests from limits; where nothing did, a limit is still what may be used.
  const asked = { ...resources?.limits, ...resources?.requests };
  return new Map(Object.entries(asked).map(([name, text]) => [name, amountOf(text)]));
}

/** Rounded up, as a request is; the API has refused what is no quantity. */
const amountOf = (text: string): number => Number(((nanoOf(text) ?? 0n) + 999_999n) / 1_000_000n);

/** What the Pods on a Node hold; those that have ended hold nothing. */
export function heldBy(pods: readonly Pod[]): Amounts {
  return pods
    .filter(pod => !isTerminal(pod))
    .map(requestsOf)
    .reduce(plus, new Map());
}

export function allocatableOf(node: Node): Amounts {
  const amounts = node.status?.allocatable ?? node.status?.capacity ?? {};
  return new Map(Object.entries(amounts).map(([name, text]) => [name, amountOf(text)]));
}

/** Names of the resources of which too little is left. */
export function missing(asked: Amounts, allocatable: Amounts, held: Amounts): readonly string[] {
  return [...asked]
    .filter(([name, amount]) => amount > 0 && amount > (allocatable.get(name) ?? 0) - (held.get(name) ?? 0))
    .map(([name]) => name);
}

function plus(one: Amounts, other: Amounts): Amounts {
  const sum = new Map(one);
  for (const [name, amount] of other) sum.set(name, (sum.get(name) ?? 0) + amount);
  return sum;
}

function max(one: Amounts, other: Amounts): Amounts {
  const larger = new Map(one);
  for (const [name, amount] of other) larger.set(name, Math.max(larger.get(name) ?? 0, amount));
  return larger;
}
