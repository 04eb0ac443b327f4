// Which checks belong to which kind.

import type { JsonObject, Resource, SchemaWork } from '../../parts.ts';
import * as cluster from './cluster.ts';
import { configMapErrors, secretErrors } from './data.ts';
import { changeErrors } from './fixed.ts';
import { podErrors } from './pod-parts.ts';
import { policyErrors } from './policies.ts';
import { mutatingPolicyErrors } from './mutating-policies.ts';
import { mutatingBindingErrors, policyBindingErrors } from './policy-bindings.ts';
import { endpointSliceErrors, serviceErrors } from './services.ts';
import { statusErrors } from './status.ts';
import type { Errors } from './texts.ts';
import { webhookConfigurationErrors } from './webhooks.ts';
import { budgetErrors, jobErrors, workloadErrors } from './workloads.ts';

type Check = (object: JsonObject, old: JsonObject | undefined, part: string) => Errors;

const CHECKS: Readonly<Record<string, Check>> = {
  pods: podErrors,
  nodes: cluster.nodeErrors,
  secrets: secretErrors,
  configmaps: configMapErrors,
  events: cluster.eventErrors,
  services: serviceErrors,
  'endpointslices.discovery.k8s.io': endpointSliceErrors,
  'leases.coordination.k8s.io': cluster.leaseErrors,
  'roles.rbac.authorization.k8s.io': cluster.roleErrors,
  'clusterroles.rbac.authorization.k8s.io': cluster.roleErrors,
  'rolebindings.rbac.authorization.k8s.io': cluster.bindingErrors,
  'clusterrolebindings.rbac.authorization.k8s.io': cluster.bindingErrors,
  'deployments.apps': workloadErrors,
  'replicasets.apps': workloadErrors,
  'statefulsets.apps': workloadErrors,
  'daemonsets.apps': workloadErrors,
  'jobs.batch': jobErrors,
  'poddisruptionbudgets.policy': budgetErrors,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': mutatingPolicyErrors,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': mutatingBindingErrors,
  'validatingadmissionpolicies.admissionregistration.k8s.io': policyErrors,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingErrors,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationErrors,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationErrors,
};

export const validateBuiltin: SchemaWork['validate'] = ({ storageName }: Resource, object, old, part = '') => [
  ...(CHECKS[storageName]?.(object, old, part) ?? []),
  ...(old === undefined ? [] : [...changeErrors(storageName, object, old), ...statusErrors(storageName, object)]),
];
