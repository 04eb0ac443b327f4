// PodSecurity: what a Namespace's labels say of the Pods in it: refused, or warned of.

import type { Admission, JsonObject, Stored } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';
import { type Call, kept, type PluginWorld, refused } from './new-pod.ts';
import { violations } from './pod-standards.ts';

const LABEL = 'pod-security.kubernetes.io';
/** Where a kind keeps the Pods that it will make. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'deployments.apps': ['spec', 'template', 'spec'],
  'replicasets.apps': ['spec', 'template', 'spec'],
  'statefulsets.apps': ['spec', 'template', 'spec'],
  'daemonsets.apps': ['spec', 'template', 'spec'],
  replicationcontrollers: ['spec', 'template', 'spec'],
  'jobs.batch': ['spec', 'template', 'spec'],
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

export function podSecurity({ stored }: PluginWorld): Admission {
  return call => {
    const spec = judgedSpec(call);
    if (spec === undefined) return kept(call.object);
    const levels = levelsOf(stored, call.attributes.namespace);
    const isPod = call.resource.storageName === 'pods';
    const enforced = isPod ? against(levels.enforce, spec) : undefined;
    if (enforced !== undefined) return refused(call, `violates PodSecurity ${enforced}`);
    const warned = against(levels.warn, spec);
    return kept(call.object, warned === undefined ? [] : [`would violate PodSecurity ${warned}`]);
  };
}

/** A new Pod's, or that of the Pods that an object will make. */
function judgedSpec({ attributes, resource, object, old }: Call): JsonObject | undefined {
  if (object === undefined || attributes.subresource !== '') return undefined;
  if (resource.storageName === 'pods') return old === undefined ? objectAt(object, 'spec') : undefined;
  return TEMPLATES[resource.storageName]?.reduce(objectAt, object);
}

interface Level {
  readonly level: string;
  readonly version: string;
}

function levelsOf(stored: Stored, namespace: string): { readonly enforce: Level; readonly warn: Level } {
  const labels = objectAt(objectAt(stored.get('namespaces', '', namespace) ?? {}, 'metadata'), 'labels');
  const of = (mode: string): Level => ({
    level: textAt(labels, `${LABEL}/${mode}`) || 'privileged',
    version: textAt(labels, `${LABEL}/${mode}-version`) || 'latest',
  });
  return { enforce: of('enforce'), warn: of('warn') };
}

function against({ level, version }: Level, spec: JsonObject): string | undefined {
  const found = violations(level, spec);
  return found.length === 0 ? undefined : `"${level}:${version}": ${found.join(', ')}`;
}
