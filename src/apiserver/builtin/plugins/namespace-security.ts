// PodSecurity, when a Namespace's own label changes: its author is warned of the Pods that are there and would not be let in.

import type { Admission, JsonObject } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';
import { kept, type PluginWorld } from './new-pod.ts';
import { violations } from './pod-standards.ts';

const ENFORCE = 'pod-security.kubernetes.io/enforce';
const LEVELS = ['privileged', 'baseline', 'restricted'];
const SAID_OTHERWISE = 'latest';

export function namespaceSecurity({ stored }: PluginWorld): Admission {
  return ({ resource, object, old, attributes }) => {
    const isUpdate = resource.storageName === 'namespaces' && attributes.subresource === '' && old !== undefined;
    if (!isUpdate || object === undefined) return kept(object);
    const [next, before] = [enforcedOn(object), enforcedOn(old)];
    const isStricter = next.rank > before.rank || (next.rank > 0 && next.version !== before.version);
    if (!isStricter) return kept(object);
    const name = textAt(objectAt(object, 'metadata'), 'name');
    return kept(object, warningsOf(name, next, stored.list('pods', name)));
  };
}

interface Enforced {
  /** How strict: an unknown level, which validation refuses, counts as none. */
  readonly rank: number;
  readonly level: string;
  readonly version: string;
}

function enforcedOn(namespace: JsonObject): Enforced {
  const labels = objectAt(objectAt(namespace, 'metadata'), 'labels');
  const level = textAt(labels, ENFORCE) || 'privileged';
  const version = textAt(labels, `${ENFORCE}-version`) || SAID_OTHERWISE;
  return { rank: LEVELS.indexOf(level), level, version };
}

/** A line for each way to violate it, with the first Pod that does. */
function warningsOf(name: string, { level, version }: Enforced, pods: readonly JsonObject[]): readonly string[] {
  const byReasons = new Map<string, { readonly first: string; others: number }>();
  for (const pod of pods) {
    const reasons = violations(level, objectAt(pod, 'spec')).map(shortened).join(', ');
    if (reasons === '') continue;
    const known = byReasons.get(reasons);
    if (known === undefined) byReasons.set(reasons, { first: textAt(objectAt(pod, 'metadata'), 'name'), others: 0 });
    else known.others += 1;
  }
  if (byReasons.size === 0) return [];
  const head = `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${level}:${version}"`;
  return [head, ...[...byReasons].map(([reasons, { first, others }]) => `${first}${othersText(others)}: ${reasons}`)];
}

/** Without which containers are meant. */
const shortened = (violation: string): string => violation.replace(/ \(.*$/s, '');

function othersText(count: number): string {
  if (count === 0) return '';
  return ` (and ${count} other pod${count > 1 ? 's' : ''})`;
}
