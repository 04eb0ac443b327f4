// What the containers of a Pod ask for together.

import type { JsonObject } from '../parts.ts';
import { objectAt, objectsAt, textAt } from './json.ts';
import { canonicalQuantity, nanoOf } from './quantity.ts';

export type TotalKind = 'requests' | 'limits';
type Amounts = Map<string, bigint>;

/** The sum of what runs together: all containers and sidecars, or one init container with the sidecars before it. */
export function podTotals(spec: JsonObject, kind: TotalKind): ReadonlyMap<string, bigint> {
  const [total, beside, most]: [Amounts, Amounts, Amounts] = [new Map(), new Map(), new Map()];
  for (const container of objectsAt(spec, 'containers')) addTo(total, amountsOf(container, kind));
  for (const container of objectsAt(spec, 'initContainers')) {
    const own = amountsOf(container, kind);
    const isSidecar = container.restartPolicy === 'Always';
    if (isSidecar) {
      addTo(total, own);
      addTo(beside, own);
    }
    const now = new Map(beside);
    if (!isSidecar) addTo(now, own);
    raiseTo(most, now);
  }
  raiseTo(total, most);
  return total;
}

const amountsOf = (container: JsonObject, kind: TotalKind): Amounts =>
  new Map(
    Object.entries(objectAt(objectAt(container, 'resources'), kind)).map(([name, amount]) => [
      name,
      nanoOf(String(amount)) ?? 0n,
    ]),
  );

function addTo(total: Amounts, more: Amounts): void {
  for (const [name, amount] of more) total.set(name, (total.get(name) ?? 0n) + amount);
}

function raiseTo(total: Amounts, other: Amounts): void {
  for (const [name, amount] of other) if (amount > (total.get(name) ?? 0n)) total.set(name, amount);
}

/** A sum is written as its first part is: in binary or in decimal steps. */
export function totalText(spec: JsonObject, { kind, name }: { kind: TotalKind; name: string }, nano: bigint): string {
  const parts = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  const first = parts.map(part => textAt(objectAt(objectAt(part, 'resources'), kind), name)).find(text => text !== '');
  const bytes = nano / 1_000_000_000n;
  const isBinary = first?.endsWith('i') === true && bytes * 1_000_000_000n === nano && bytes % 1024n === 0n;
  const text = isBinary ? `${bytes / 1024n}Ki` : `${nano}n`;
  return canonicalQuantity(text) ?? text;
}
