// A body must be of the kind and version that its path says.

import { badRequest, invalid, type Refusal } from '../answer/status.ts';
import { apiVersionOf, type Call } from '../core.ts';
import type { JsonObject } from '../parts.ts';
import { objectAt, stringAt } from '../rules/json.ts';

/** Built-in kinds that leave out kind or version get that of the path; custom ones must say them. */
export function ofKind(call: Call, object: JsonObject, summary: () => string): JsonObject {
  const { resource } = call;
  const wanted = apiVersionOf(resource);
  const usual = resource.origin === 'builtin' ? { kind: resource.kind, version: wanted } : { kind: '', version: '' };
  const kind = stringAt(object, 'kind') || usual.kind;
  const version = stringAt(object, 'apiVersion') || usual.version;
  if (kind !== resource.kind || version !== wanted) throw notOfKind(call, object, { kind, version, summary });
  return kind === object.kind && version === object.apiVersion ? object : { ...object, apiVersion: version, kind };
}

interface Named {
  readonly kind: string;
  readonly version: string;
  readonly summary: () => string;
}

function notOfKind(call: Call, object: JsonObject, { kind, version, summary }: Named): Refusal {
  const { resource } = call;
  if (kind === '') {
    const why = `Object 'Kind' is missing in '${JSON.stringify(object)}'`;
    return badRequest(`the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary()})`);
  }
  if (resource.origin === 'builtin' && (kind !== resource.kind || !isRegistered(call, version, kind))) {
    return badRequest(`${handledAs(call, version, kind)}: ${noConversion(call, version, kind)}`);
  }
  const wanted = apiVersionOf(resource);
  if (version === wanted) return wrongKind(call, object, kind);
  return badRequest(`the API version in the data (${version}) does not match the expected API version (${wanted})`);
}

/** `Pod in version "v1" cannot be handled as a ConfigMap`. */
function handledAs({ resource }: Call, version: string, kind: string): string {
  return `${kind} in version ${JSON.stringify(version.slice(version.indexOf('/') + 1))} cannot be handled as a ${resource.kind}`;
}

/** How Go says that nothing knows a kind. */
export function notRegistered(version: string, kind: string): string {
  return `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(version)} in scheme "pkg/runtime/scheme.go:111"`;
}

/** Versions that are served no more, whose kinds the real server can still read. */
const OLD_VERSIONS: Readonly<Record<string, readonly string[]>> = {
  'apps/v1beta1': ['Deployment', 'StatefulSet', 'ControllerRevision'],
  'apps/v1beta2': ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ControllerRevision'],
  'extensions/v1beta1': ['Deployment', 'DaemonSet', 'ReplicaSet', 'Ingress', 'NetworkPolicy'],
  'batch/v1beta1': ['CronJob'],
  'policy/v1beta1': ['PodDisruptionBudget', 'Eviction'],
  'networking.k8s.io/v1beta1': ['Ingress', 'IngressClass'],
  'rbac.authorization.k8s.io/v1alpha1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'rbac.authorization.k8s.io/v1beta1': ['Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding'],
  'coordination.k8s.io/v1beta1': ['Lease'],
  'scheduling.k8s.io/v1beta1': ['PriorityClass'],
  'storage.k8s.io/v1beta1': ['StorageClass', 'VolumeAttachment', 'CSIDriver', 'CSINode'],
  'events.k8s.io/v1beta1': ['Event'],
  'discovery.k8s.io/v1beta1': ['EndpointSlice'],
};

/** Kinds that are only spoken below an object. */
const BELOW: Readonly<Record<string, string>> = {
  'autoscaling/v1': 'Scale',
  'policy/v1': 'Eviction',
  'authentication.k8s.io/v1': 'TokenRequest',
};

/** Kinds that belong to the core version alone, and those that each version has. */
const UNVERSIONED: ReadonlySet<string> = new Set([
  'List',
  'Status',
  'APIVersions',
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
]);
const OPTIONS: ReadonlySet<string> = new Set([
  'CreateOptions',
  'UpdateOptions',
  'PatchOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'WatchEvent',
]);

function isRegistered({ core }: Call, version: string, kind: string): boolean {
  if (OLD_VERSIONS[version]?.includes(kind) === true || BELOW[version] === kind) return true;
  if (version === 'v1' && UNVERSIONED.has(kind)) return true;
  const ofVersion = core.registry.builtin.filter(known => apiVersionOf(known) === version);
  return ofVersion.some(known => known.kind === kind || known.listKind === kind || OPTIONS.has(kind));
}

function noConversion(call: Call, version: string, kind: string): string {
  if (!isRegistered(call, version, kind)) return notRegistered(version, kind);
  const pack = call.resource.group.split('.')[0] || 'core';
  return `converting (${version.slice(version.indexOf('/') + 1)}.${kind}) to (${pack}.${call.resource.kind}): unknown conversion`;
}

function wrongKind({ resource }: Call, object: JsonObject, kind: string): Refusal {
  const subject = { group: resource.group, resource: kind, name: stringAt(objectAt(object, 'metadata'), 'name') };
  const message = `Invalid value: ${JSON.stringify(kind)}: must be ${resource.kind}`;
  return invalid(subject, [{ type: 'Invalid', field: 'kind', message }]);
}
