// Which checks belong to which kind.

import type { Json, JsonObject, Resource, SchemaWork } from '../../parts.ts';
import { invalid, required } from '../../schema/field-errors.ts';
import { isObject, objectAt, sameJson } from '../json.ts';
import { addressErrors, serviceRangeErrors } from './addresses.ts';
import { apiServiceErrors } from './api-services.ts';
import { attachmentErrors } from './attachments.ts';
import { autoscalerErrors } from './autoscalers.ts';
import { budgetErrors } from './budgets.ts';
import { claimErrors } from './claims.ts';
import * as cluster from './cluster.ts';
import { csiDriverErrors } from './csi-drivers.ts';
import { configMapErrors, secretErrors } from './data.ts';
import { deviceClaimErrors, deviceClassErrors, deviceTemplateErrors } from './device-requests.ts';
import { endpointSliceErrors } from './endpoint-slices.ts';
import { endpointsErrors } from './endpoints.ts';
import { eventErrors } from './events.ts';
import { changeErrors } from './fixed.ts';
import { flowSchemaErrors } from './flow.ts';
import { ingressClassErrors, ingressErrors } from './ingresses.ts';
import { cronJobErrors, jobErrors } from './jobs.ts';
import { limitRangeErrors } from './limit-ranges.ts';
import { mutatingPolicyErrors } from './mutating-policies.ts';
import { networkPolicyErrors } from './network-policies.ts';
import { nodeErrors } from './nodes.ts';
import { volumeErrors } from './persistent-volumes.ts';
import { podErrors } from './pod-parts.ts';
import { podTemplateErrors } from './pod-template.ts';
import { policyErrors } from './policies.ts';
import { namespaceErrors, priorityClassErrors } from './policies-of-namespaces.ts';
import { mutatingBindingErrors, policyBindingErrors } from './policy-bindings.ts';
import { priorityLevelErrors } from './priority-levels.ts';
import { quotaErrors } from './quotas.ts';
import { replicationControllerErrors } from './replication-controllers.ts';
import { resourceSliceErrors } from './resource-slices.ts';
import { runtimeClassErrors } from './runtime-classes.ts';
import { serviceErrors } from './services.ts';
import { statefulSetErrors } from './stateful-sets.ts';
import { statusErrors } from './status.ts';
import { storageCapacityErrors } from './storage-capacities.ts';
import { storageClassErrors } from './storage-classes.ts';
import type { Errors } from './texts.ts';
import { webhookConfigurationErrors } from './webhooks.ts';
import { daemonSetErrors, deploymentErrors, replicaSetErrors } from './workloads.ts';

function revisionErrors(object: JsonObject, old: JsonObject | undefined): Errors {
  const { data = null } = object;
  return [
    ...nonNegative(object, 'revision'),
    ...(old === undefined ? newDataErrors(data) : fixedDataErrors(data, old)),
  ];
}

function newDataErrors(data: Json): Errors {
  if (data === null) return [required('data', 'data is mandatory')];
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

const fixedDataErrors = (data: Json, old: JsonObject): Errors =>
  sameJson(data, old.data ?? null) ? [] : [invalid('data', data, 'field is immutable')];

const nonNegative = (object: JsonObject, key: string): Errors => {
  const value = object[key];
  return typeof value === 'number' && value < 0 ? [invalid(key, value, 'must be greater than or equal to 0')] : [];
};

type Check = (object: JsonObject, old: JsonObject | undefined, part: string, resource: Resource) => Errors;

const CHECKS: Readonly<Record<string, Check>> = {
  'apiservices.apiregistration.k8s.io': apiServiceErrors,
  'flowschemas.flowcontrol.apiserver.k8s.io': flowSchemaErrors,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevelErrors,
  'deviceclasses.resource.k8s.io': deviceClassErrors,
  'resourceclaims.resource.k8s.io': deviceClaimErrors,
  'resourceclaimtemplates.resource.k8s.io': deviceTemplateErrors,
  'resourceslices.resource.k8s.io': resourceSliceErrors,
  pods: podErrors,
  nodes: nodeErrors,
  secrets: secretErrors,
  configmaps: configMapErrors,
  events: eventErrors,
  services: serviceErrors,
  endpoints: endpointsErrors,
  persistentvolumeclaims: claimErrors,
  persistentvolumes: volumeErrors,
  replicationcontrollers: replicationControllerErrors,
  'ingresses.networking.k8s.io': ingressErrors,
  'ingressclasses.networking.k8s.io': ingressClassErrors,
  'networkpolicies.networking.k8s.io': networkPolicyErrors,
  'storageclasses.storage.k8s.io': storageClassErrors,
  'csidrivers.storage.k8s.io': csiDriverErrors,
  'csistoragecapacities.storage.k8s.io': storageCapacityErrors,
  podtemplates: template => podTemplateErrors('template', objectAt(template, 'template')),
  'volumeattachments.storage.k8s.io': attachmentErrors,
  'ipaddresses.networking.k8s.io': addressErrors,
  'servicecidrs.networking.k8s.io': serviceRangeErrors,
  'runtimeclasses.node.k8s.io': runtimeClassErrors,
  'horizontalpodautoscalers.autoscaling': autoscalerErrors,
  'endpointslices.discovery.k8s.io': endpointSliceErrors,
  'leases.coordination.k8s.io': cluster.leaseErrors,
  'roles.rbac.authorization.k8s.io': cluster.roleErrors,
  'clusterroles.rbac.authorization.k8s.io': cluster.roleErrors,
  'rolebindings.rbac.authorization.k8s.io': cluster.bindingErrors,
  'clusterrolebindings.rbac.authorization.k8s.io': cluster.bindingErrors,
  'deployments.apps': deploymentErrors,
  'replicasets.apps': replicaSetErrors,
  'statefulsets.apps': statefulSetErrors,
  'daemonsets.apps': daemonSetErrors,
  'jobs.batch': jobErrors,
  'cronjobs.batch': cronJobErrors,
  limitranges: limitRangeErrors,
  resourcequotas: quotaErrors,
  namespaces: namespaceErrors,
  'priorityclasses.scheduling.k8s.io': priorityClassErrors,
  'controllerrevisions.apps': revisionErrors,
  'poddisruptionbudgets.policy': budgetErrors,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': mutatingPolicyErrors,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': mutatingBindingErrors,
  'validatingadmissionpolicies.admissionregistration.k8s.io': policyErrors,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingErrors,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationErrors,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationErrors,
};

export const validateBuiltin: SchemaWork['validate'] = (resource: Resource, object, old, part = '') => {
  const { storageName } = resource;
  return [
    ...(CHECKS[storageName]?.(object, old, part, resource) ?? []),
    ...(old === undefined ? [] : [...changeErrors(storageName, object, old), ...statusErrors(storageName, object)]),
  ];
};
