// What single kinds do differently: their first state, what an update may touch, how they are deleted.

import type { Call } from '../core.ts';
import type { FieldError, JsonObject, Resource } from '../parts.ts';
import { claims } from './claims.ts';
import { daemonSets } from './daemon-sets.ts';
import { definitions } from './definitions.ts';
import { driverNodes, endpointSlices, roles } from './empty-lists.ts';
import { jobs } from './jobs.ts';
import { leases } from './leases.ts';
import { namespaces } from './namespaces.ts';
import { pods } from './pods.ts';
import { priorities } from './priorities.ts';
import { secrets } from './secrets.ts';
import { services } from './services.ts';
import { signingRequests } from './signing-requests.ts';
import { cronJobs, templates, withTemplate } from './templates.ts';

/** What a delete says of the object that it means. */
interface Preconditions {
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

export interface Strategy {
  /** What reading an object of this kind makes of it: whoever wrote it owns this too. */
  readonly decode?: (object: JsonObject) => JsonObject;
  /** The state in which an object of this kind begins. */
  readonly prepareCreate?: (object: JsonObject, call: Call) => JsonObject;
  /** An update of the object itself (not of a subresource). */
  readonly prepareUpdate?: (object: JsonObject, old: JsonObject, call: Call) => JsonObject;
  readonly validate?: (object: JsonObject, old: JsonObject | undefined) => readonly FieldError[];
  /** Kinds that end gracefully: how many seconds this object gets, when `asked` is what the client said. */
  readonly graceSeconds?: (object: JsonObject, asked: number | undefined) => number;
  /** Whether more than finalizers holds it: it is not removed while this answers true. `before` is what a delete found. */
  readonly isHeld?: (object: JsonObject, before?: JsonObject) => boolean;
  /** What the first delete request changes besides the deletion timestamp. */
  readonly markDeleting?: (object: JsonObject, old: JsonObject, call: Call) => JsonObject;
  /** Why an object may not be deleted. */
  readonly refuseDelete?: (call: Call, object: JsonObject, asked: Preconditions) => void;
}

/** Kinds whose spec is counted by `metadata.generation`; custom resources always are. */
const COUNTED: ReadonlySet<string> = new Set([
  'pods',
  'podtemplates',
  'replicationcontrollers',
  'deployments.apps',
  'replicasets.apps',
  'daemonsets.apps',
  'statefulsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'poddisruptionbudgets.policy',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'endpointslices.discovery.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** Kinds that begin with a generation which nothing counts. */
const UNCOUNTED: ReadonlySet<string> = new Set(['priorityclasses.scheduling.k8s.io']);

/** Built-in kinds whose status a create may set: their own agents create them. */
const STATUS_ON_CREATE: ReadonlySet<string> = new Set(['nodes', 'persistentvolumes']);

/** Kinds whose deletion answers the object instead of a Status. */
const ANSWERS_OBJECT: ReadonlySet<string> = new Set([
  'namespaces',
  'pods',
  'persistentvolumes',
  'persistentvolumeclaims',
  'podtemplates',
  'resourcequotas',
  'serviceaccounts',
  'services',
]);

/** Kinds that a PUT may create. */
const CREATED_BY_UPDATE: ReadonlySet<string> = new Set([
  'endpoints',
  'events',
  'limitranges',
  'services',
  'clusterroles.rbac.authorization.k8s.io',
  'clusterrolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'rolebindings.rbac.authorization.k8s.io',
  'leases.coordination.k8s.io',
  'runtimeclasses.node.k8s.io',
]);

/** Kinds that are never overwritten blindly: an update must name the version that it replaces. */
const LOCKED: ReadonlySet<string> = new Set([
  'leases.coordination.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'apiservices.apiregistration.k8s.io',
]);

const STRATEGIES: Readonly<Record<string, Strategy>> = {
  pods,
  namespaces,
  secrets,
  services,
  persistentvolumeclaims: claims,
  'leases.coordination.k8s.io': leases,
  replicationcontrollers: templates,
  'deployments.apps': templates,
  'replicasets.apps': templates,
  'statefulsets.apps': templates,
  'daemonsets.apps': withTemplate(daemonSets),
  'jobs.batch': withTemplate(jobs),
  'cronjobs.batch': cronJobs,
  'priorityclasses.scheduling.k8s.io': priorities,
  'roles.rbac.authorization.k8s.io': roles,
  'clusterroles.rbac.authorization.k8s.io': roles,
  'endpointslices.discovery.k8s.io': endpointSlices,
  'csinodes.storage.k8s.io': driverNodes,
  'customresourcedefinitions.apiextensions.k8s.io': definitions,
  'certificatesigningrequests.certificates.k8s.io': signingRequests,
};

const PLAIN: Strategy = {};

export const strategyOf = (resource: Resource): Strategy => STRATEGIES[resource.storageName] ?? PLAIN;

export const isCounted = (resource: Resource): boolean =>
  resource.origin === 'custom' || COUNTED.has(resource.storageName);

export const beginsCounted = (resource: Resource): boolean =>
  isCounted(resource) || UNCOUNTED.has(resource.storageName);

export const hasStatus = (resource: Resource): boolean => resource.subresources.includes('status');

export const keepsStatusOnCreate = (resource: Resource): boolean =>
  !hasStatus(resource) || STATUS_ON_CREATE.has(resource.storageName);

export const answersDeletedObject = (resource: Resource): boolean =>
  resource.origin === 'custom' ? false : ANSWERS_OBJECT.has(resource.storageName);

export const isCreatedByUpdate = (resource: Resource): boolean =>
  resource.origin === 'builtin' && CREATED_BY_UPDATE.has(resource.storageName);

export const needsVersion = (resource: Resource): boolean =>
  resource.origin === 'custom' || LOCKED.has(resource.storageName);
