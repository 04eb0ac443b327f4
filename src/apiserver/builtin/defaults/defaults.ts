// Which defaults belong to which kind.

import type { Resource } from '../../parts.ts';
import type { Draft } from '../json.ts';
import * as cluster from './cluster.ts';
import { defaultDeviceClaim, defaultDeviceTemplate } from './devices.ts';
import { defaultFlowSchema, defaultPriorityLevel } from './flow.ts';
import { defaultPod, defaultTemplate } from './pod.ts';
import * as service from './service.ts';
import * as workloads from './workloads.ts';

const DEFAULTS: Readonly<Record<string, (object: Draft) => void>> = {
  pods: defaultPod,
  podtemplates: defaultTemplate,
  'resourceclaims.resource.k8s.io': defaultDeviceClaim,
  'resourceclaimtemplates.resource.k8s.io': defaultDeviceTemplate,
  nodes: cluster.defaultNode,
  secrets: cluster.defaultSecret,
  persistentvolumes: cluster.defaultPersistentVolume,
  persistentvolumeclaims: cluster.defaultVolumeClaim,
  services: service.defaultService,
  endpoints: service.defaultEndpoints,
  replicationcontrollers: workloads.defaultReplicationController,
  'deployments.apps': workloads.defaultDeployment,
  'replicasets.apps': workloads.defaultReplicaSet,
  'statefulsets.apps': workloads.defaultStatefulSet,
  'daemonsets.apps': workloads.defaultDaemonSet,
  limitranges: cluster.defaultLimitRange,
  'jobs.batch': workloads.defaultJob,
  'cronjobs.batch': workloads.defaultCronJob,
  'rolebindings.rbac.authorization.k8s.io': cluster.defaultBinding,
  'clusterrolebindings.rbac.authorization.k8s.io': cluster.defaultBinding,
  'priorityclasses.scheduling.k8s.io': cluster.defaultPriorityClass,
  'horizontalpodautoscalers.autoscaling': cluster.defaultAutoscaler,
  'storageclasses.storage.k8s.io': cluster.defaultStorageClass,
  'csidrivers.storage.k8s.io': cluster.defaultCsiDriver,
  'endpointslices.discovery.k8s.io': service.defaultEndpointSlice,
  'networkpolicies.networking.k8s.io': service.defaultNetworkPolicy,
  'ingressclasses.networking.k8s.io': service.defaultIngressClass,
  'customresourcedefinitions.apiextensions.k8s.io': cluster.defaultDefinition,
  'apiservices.apiregistration.k8s.io': cluster.defaultApiService,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': cluster.defaultWebhooks,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': cluster.defaultWebhooks,
  'validatingadmissionpolicies.admissionregistration.k8s.io': cluster.defaultAdmissionPolicy,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': cluster.defaultPolicyBinding,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': cluster.defaultAdmissionPolicy,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': cluster.defaultPolicyBinding,
  'flowschemas.flowcontrol.apiserver.k8s.io': defaultFlowSchema,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': defaultPriorityLevel,
};

/** Fills in what was not said, in place. */
export function fillDefaults(resource: Resource, object: Draft): void {
  DEFAULTS[resource.storageName]?.(object);
}
