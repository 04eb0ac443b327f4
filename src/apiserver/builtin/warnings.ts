// What is allowed in an object, mostly in the description of a Pod, and still doubtful: clients are warned of it.

import type { JsonObject, SchemaWork } from '../parts.ts';
import { objectAt, sameJson, textAt } from './json.ts';
import {
  accountWarnings,
  endpointsWarnings,
  ingressWarnings,
  networkPolicyWarnings,
  nodeWarnings,
  serviceWarnings,
} from './network-warnings.ts';
import { podWarnings } from './pod-warnings.ts';
import {
  claimWarnings,
  persistentVolumeWarnings,
  runtimeClassWarnings,
  storageCapacityWarnings,
  storageClassWarnings,
} from './storage-warnings.ts';
import { labelProblems } from './validation/texts.ts';

const TEMPLATE: readonly string[] = ['spec', 'template'];
/** Where a kind keeps the Pod that it makes others of. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  'deployments.apps': TEMPLATE,
  'replicasets.apps': TEMPLATE,
  'statefulsets.apps': TEMPLATE,
  'daemonsets.apps': TEMPLATE,
  replicationcontrollers: TEMPLATE,
  'jobs.batch': TEMPLATE,
  'cronjobs.batch': ['spec', 'jobTemplate', 'spec', 'template'],
  podtemplates: ['template'],
};

type Warn = (object: JsonObject, old: JsonObject | undefined) => readonly string[];

const OTHERS: Readonly<Record<string, Warn>> = {
  'csistoragecapacities.storage.k8s.io': storageCapacityWarnings,
  endpoints: endpointsWarnings,
  'ingresses.networking.k8s.io': ingressWarnings,
  'networkpolicies.networking.k8s.io': networkPolicyWarnings,
  nodes: nodeWarnings,
  persistentvolumeclaims: claimWarnings,
  persistentvolumes: persistentVolumeWarnings,
  'runtimeclasses.node.k8s.io': runtimeClassWarnings,
  serviceaccounts: accountWarnings,
  services: serviceWarnings,
  'storageclasses.storage.k8s.io': storageClassWarnings,
};

/** Whoever makes Pods gives them a part of its name. */
const NAMES_PODS: ReadonlySet<string> = new Set([
  'cronjobs.batch',
  'deployments.apps',
  'jobs.batch',
  'replicasets.apps',
  'replicationcontrollers',
]);

export const builtinWarnings: NonNullable<SchemaWork['warnings']> = ({ storageName }, object, old) => {
  if (storageName === 'pods') return old === undefined ? newPodWarnings(object) : [];
  const path = TEMPLATES[storageName];
  if (path === undefined) return OTHERS[storageName]?.(object, old) ?? [];
  return [
    ...(old === undefined && NAMES_PODS.has(storageName) ? nameWarnings(object, MAKER) : []),
    ...templateWarnings(path, object, old),
    ...(storageName === 'jobs.batch' ? indexWarnings(objectAt(object, 'spec')) : []),
  ];
};

function templateWarnings(path: readonly string[], object: JsonObject, old: JsonObject | undefined): readonly string[] {
  const template = path.reduce(objectAt, object);
  if (old !== undefined && sameJson(template, path.reduce(objectAt, old))) return [];
  return podWarnings(`${path.join('.')}.`, template);
}

/** The name of a Pod is that of its host too. */
const newPodWarnings = (pod: JsonObject): readonly string[] => [...nameWarnings(pod, POD), ...podWarnings('', pod)];

const POD = "this is used in the Pod's hostname";
const MAKER = 'this is used in Pod names and hostnames';

function nameWarnings(object: JsonObject, use: string): readonly string[] {
  const problems = labelProblems(textAt(objectAt(object, 'metadata'), 'name'));
  if (problems.length === 0) return [];
  const advice = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: ${use}, ${advice}: [${problems.join(' ')}]`];
}

const [MANY_COMPLETIONS, MUCH_AT_ONCE] = [100_000, 10_000];

function indexWarnings({ completionMode, completions, parallelism }: JsonObject): readonly string[] {
  const isMuch = Number(completions ?? 0) > MANY_COMPLETIONS && Number(parallelism ?? 0) > MUCH_AT_ONCE;
  if (completionMode !== 'Indexed' || !isMuch) return [];
  return [
    'spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail',
  ];
}
