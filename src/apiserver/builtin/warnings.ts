// What is allowed in an object, mostly in the description of a Pod, and still doubtful: clients are warned of it.

import type { JsonObject, SchemaWork } from '../parts.ts';
import { listAt, numberAt, objectAt, objectsAt, sameJson, textAt } from './json.ts';

/** Labels of Nodes that have newer names. */
const OLD_LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
};

const WITH_TEMPLATE: ReadonlySet<string> = new Set([
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
]);

export const builtinWarnings: NonNullable<SchemaWork['warnings']> = ({ storageName }, object, old) => {
  if (storageName === 'pods') return old === undefined ? podWarnings('spec', objectAt(object, 'spec')) : [];
  if (storageName === 'services') return serviceWarnings(object, old);
  if (storageName === 'ingresses.networking.k8s.io') return old === undefined ? ingressWarnings(object) : [];
  if (!WITH_TEMPLATE.has(storageName)) return [];
  const template = templateOf(object);
  if (old !== undefined && sameJson(template, templateOf(old))) return [];
  return podWarnings('spec.template.spec', objectAt(template, 'spec'));
};

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

const templateOf = (object: JsonObject): JsonObject => objectAt(objectAt(object, 'spec'), 'template');

function podWarnings(path: string, spec: JsonObject): readonly string[] {
  const labels = Object.keys(objectAt(spec, 'nodeSelector')).sort();
  const old = labels.filter(label => Object.hasOwn(OLD_LABELS, label));
  return [
    ...old.map(label => `${path}.nodeSelector[${label}]: ${OLD_LABELS[label]}`),
    ...['initContainers', 'containers'].flatMap(key =>
      objectsAt(spec, key).flatMap((container, index) => environmentWarnings(`${path}.${key}[${index}]`, container)),
    ),
    ...patienceWarnings(path, spec),
    ...['initContainers', 'containers'].flatMap(key =>
      objectsAt(spec, key).flatMap((container, index) => portWarnings(`${path}.${key}[${index}]`, container)),
    ),
  ];
}

function patienceWarnings(path: string, spec: JsonObject): readonly string[] {
  if ((numberAt(spec, 'terminationGracePeriodSeconds') ?? 0) >= 0) return [];
  return [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`];
}

function environmentWarnings(path: string, container: JsonObject): readonly string[] {
  const seen = new Set<string>();
  return objectsAt(container, 'env').flatMap((variable, index) => {
    const name = textAt(variable, 'name');
    const isHiding = seen.has(name);
    seen.add(name);
    const why = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return isHiding ? [`${path}.env[${index}]: ${why}`] : [];
  });
}

function portWarnings(path: string, container: JsonObject): readonly string[] {
  const ports = objectsAt(container, 'ports').map(({ name: _, ...port }) => port);
  return ports.flatMap((port, index) => {
    const first = ports.findIndex(other => sameJson(other, port));
    const why = `duplicate port definition with ${path}.ports[${first}]`;
    return first < index ? [`${path}.ports[${index}]: ${why}`] : [];
  });
}
