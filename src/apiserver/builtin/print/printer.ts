// How objects of built-in kinds print in kubectl's tables: the real server's columns, and the cells of each kind.

import type { Printer, Resource, TableColumn } from '../../parts.ts';
import table from '../tables/columns.generated.json' with { type: 'json' };
import { autoscalerCells, scaleCells } from './autoscalers.ts';
import type { Cells } from './cells.ts';
import * as cluster from './cluster.ts';
import * as few from './few.ts';
import * as network from './network.ts';
import { podCells } from './pods.ts';
import * as storage from './storage.ts';
import * as workloads from './workloads.ts';

const headings: Readonly<Record<string, readonly string[]>> = table;

const CELLS: Readonly<Record<string, Cells>> = {
  pods: podCells,
  nodes: cluster.nodeCells,
  namespaces: cluster.namespaceCells,
  secrets: cluster.secretCells,
  configmaps: cluster.configMapCells,
  serviceaccounts: cluster.nameAndAge,
  events: cluster.eventCells,
  limitranges: cluster.nameAndTime,
  services: network.serviceCells,
  endpoints: network.endpointsCells,
  persistentvolumes: storage.volumeCells,
  persistentvolumeclaims: storage.claimCells,
  podtemplates: workloads.podTemplateCells,
  replicationcontrollers: workloads.replicaSetCells,
  'leases.coordination.k8s.io': cluster.leaseCells,
  'roles.rbac.authorization.k8s.io': cluster.nameAndTime,
  'clusterroles.rbac.authorization.k8s.io': cluster.nameAndTime,
  'rolebindings.rbac.authorization.k8s.io': cluster.bindingCells,
  'clusterrolebindings.rbac.authorization.k8s.io': cluster.bindingCells,
  'certificatesigningrequests.certificates.k8s.io': cluster.signingRequestCells,
  'customresourcedefinitions.apiextensions.k8s.io': cluster.nameAndTime,
  'apiservices.apiregistration.k8s.io': cluster.apiServiceCells,
  'priorityclasses.scheduling.k8s.io': cluster.priorityClassCells,
  'runtimeclasses.node.k8s.io': cluster.runtimeClassCells,
  'mutatingwebhookconfigurations.admissionregistration.k8s.io': cluster.webhookCells,
  'validatingwebhookconfigurations.admissionregistration.k8s.io': cluster.webhookCells,
  'validatingadmissionpolicies.admissionregistration.k8s.io': cluster.admissionPolicyCells,
  'mutatingadmissionpolicies.admissionregistration.k8s.io': cluster.admissionPolicyCells,
  'deployments.apps': workloads.deploymentCells,
  'replicasets.apps': workloads.replicaSetCells,
  'statefulsets.apps': workloads.statefulSetCells,
  'daemonsets.apps': workloads.daemonSetCells,
  'controllerrevisions.apps': workloads.controllerRevisionCells,
  'horizontalpodautoscalers.autoscaling': autoscalerCells,
  'scales.autoscaling': scaleCells,
  'jobs.batch': workloads.jobCells,
  'cronjobs.batch': workloads.cronJobCells,
  'poddisruptionbudgets.policy': workloads.budgetCells,
  'ingresses.networking.k8s.io': network.ingressCells,
  'ingressclasses.networking.k8s.io': network.ingressClassCells,
  'networkpolicies.networking.k8s.io': network.networkPolicyCells,
  'endpointslices.discovery.k8s.io': network.endpointSliceCells,
  'storageclasses.storage.k8s.io': storage.storageClassCells,
  'csistoragecapacities.storage.k8s.io': cluster.nameAndTime,
  'deviceclasses.resource.k8s.io': cluster.nameAndAge,
  'resourceclaimtemplates.resource.k8s.io': cluster.nameAndAge,
  'resourceclaims.resource.k8s.io': few.deviceClaimCells,
  'resourceslices.resource.k8s.io': few.deviceSliceCells,
  resourcequotas: few.quotaCells,
  componentstatuses: few.componentCells,
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': few.policyBindingCells,
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': few.policyBindingCells,
  'csidrivers.storage.k8s.io': few.driverCells,
  'csinodes.storage.k8s.io': few.driverNodeCells,
  'volumeattachments.storage.k8s.io': few.attachmentCells,
  'volumeattributesclasses.storage.k8s.io': few.attributesClassCells,
  'flowschemas.flowcontrol.apiserver.k8s.io': few.flowSchemaCells,
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': few.priorityLevelCells,
  'ipaddresses.networking.k8s.io': few.addressCells,
  'servicecidrs.networking.k8s.io': few.rangeCells,
};

export const printer: Printer = {
  columns: resource => (CELLS[resource.storageName] === undefined ? undefined : columnsOf(resource)),
  cells: (resource, object, nowMs) => CELLS[resource.storageName]?.(object, nowMs) ?? [],
  inOrder: (resource, objects) =>
    resource.storageName === 'flowschemas.flowcontrol.apiserver.k8s.io' ? few.byPrecedence(objects) : objects,
};

/** No list of Scales exists, so the table has none of their columns. */
const SCALE = ['string name 0 Name', 'integer - 0 Desired', 'integer - 0 Available', 'string - 0 Age'];

function columnsOf({ group, version, plural }: Resource): readonly TableColumn[] | undefined {
  if (plural === 'scales') return SCALE.map(columnOf);
  return headings[`${group}/${version}/${plural}`]?.map(columnOf);
}

/** `string name 0 Last Seen`: type, format, priority, name. */
function columnOf(text: string): TableColumn {
  const [type = '', format = '', priority = '0', ...name] = text.split(' ');
  return {
    name: name.join(' '),
    type,
    format: format === '-' ? '' : format,
    description: '',
    priority: Number(priority),
  };
}
