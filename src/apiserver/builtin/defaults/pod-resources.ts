// What a Pod that has resources as a whole asks for when it does not say: what its containers do, else its limits.

import { type Draft, objectAt, textAt } from '../json.ts';
import { podTotals, type TotalKind, totalText } from '../pod-totals.ts';
import { draftAt } from './fill.ts';

const isHuge = (name: string): boolean => name.startsWith('hugepages-');
const isShared = (name: string): boolean => name === 'cpu' || name === 'memory';

export function defaultPodResources(spec: Draft): void {
  const resources = draftAt(spec, 'resources');
  if (resources === undefined) return;
  const limits = { ...objectAt(resources, 'limits') };
  const requests = { ...objectAt(resources, 'requests') };
  const isSaid = Object.keys(limits).length > 0 || Object.keys(requests).length > 0;
  if (isSaid) fillFrom(limits, spec, { kind: 'limits', takes: name => isHuge(name) && requests[name] === undefined });
  if (Object.keys(limits).length === 0) return;
  fillFrom(requests, spec, { kind: 'requests', takes: isShared });
  for (const name of Object.keys(limits)) {
    if (requests[name] === undefined && (isHuge(name) || isShared(name))) requests[name] = textAt(limits, name);
  }
  resources.limits = limits;
  if (Object.keys(requests).length > 0) resources.requests = requests;
}

interface Which {
  readonly kind: TotalKind;
  readonly takes: (name: string) => boolean;
}

function fillFrom(amounts: Draft, spec: Draft, { kind, takes }: Which): void {
  for (const [name, nano] of podTotals(spec, kind)) {
    if (amounts[name] === undefined && takes(name)) amounts[name] = totalText(spec, { kind, name }, nano);
  }
}
