// What is allowed in an object, mostly in the description of a Pod, and still doubtful: clients are warned of it.

import type { JsonObject, SchemaWork } from '../parts.ts';
import { listAt, objectAt, sameJson, textAt } from './json.ts';
import { podWarnings } from './pod-warnings.ts';
import { labelErrors } from './validation/texts.ts';

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
};

export const builtinWarnings: NonNullable<SchemaWork['warnings']> = ({ storageName }, object, old) => {
  if (storageName === 'pods') return old === undefined ? newPodWarnings(object) : [];
  if (storageName === 'services') return serviceWarnings(object, old);
  if (storageName === 'ingresses.networking.k8s.io') return old === undefined ? ingressWarnings(object) : [];
  const path = TEMPLATES[storageName];
  if (path === undefined) return [];
  const template = path.reduce(objectAt, object);
  if (old !== undefined && sameJson(template, path.reduce(objectAt, old))) return [];
  return podWarnings(`${path.join('.')}.`, template);
};

/** The name of a Pod is that of its host too. */
function newPodWarnings(pod: JsonObject): readonly string[] {
  const problems = labelErrors('', textAt(objectAt(pod, 'metadata'), 'name'));
  return problems.length === 0 ? podWarnings('', pod) : [hostnameWarning(problems), ...podWarnings('', pod)];
}

function hostnameWarning(problems: readonly { readonly message: string }[]): string {
  const why = problems.map(({ message }) => message.replace(/^Invalid value: "[^"]*": /, '')).join(' ');
  return `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${why}]`;
}

function serviceWarnings(service: JsonObject, old: JsonObject | undefined): readonly string[] {
  const [spec, before] = [objectAt(service, 'spec'), objectAt(old ?? {}, 'spec')];
  const isNew = (key: string): boolean => !sameJson(spec[key] ?? null, before[key] ?? null);
  const isOld = spec.trafficDistribution === 'PreferClose' && isNew('trafficDistribution');
  const why = 'spec.externalIPs is deprecated and may no longer be implemented in some clusters';
  return [
    ...(listAt(spec, 'externalIPs').length > 0 && isNew('externalIPs') ? [why] : []),
    ...(isOld ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'] : []),
  ];
}

const OLD_CLASS = 'kubernetes.io/ingress.class';

function ingressWarnings(ingress: JsonObject): readonly string[] {
  const isOld = objectAt(objectAt(ingress, 'metadata'), 'annotations')[OLD_CLASS] !== undefined;
  return isOld ? [`annotation "${OLD_CLASS}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}
