// The roles of Kubernetes' own programs, and of those who approve certificates.

import { NODE_RULES } from './node-rules.ts';
import { EVENTS, rule, urls } from './rule.ts';
import type { DefaultRole } from './user-roles.ts';

const CSRS = 'certificatesigningrequests';
const SIGNERS = 'system:certificates.k8s.io';

/** May approve what is asked of one of Kubernetes' signers. */
const approver = (signer: string): DefaultRole => ({
  name: `${SIGNERS}:${signer}-approver`,
  rules: [rule('approve', 'certificates.k8s.io', 'signers', `kubernetes.io/${signer}`)],
});

const CERTIFICATE_ROLES: readonly DefaultRole[] = [
  {
    name: 'system:node-bootstrapper',
    rules: [rule('create get list watch', 'certificates.k8s.io', CSRS)],
  },
  {
    name: `${SIGNERS}:${CSRS}:nodeclient`,
    rules: [rule('create', 'certificates.k8s.io', `${CSRS}/nodeclient`)],
  },
  {
    name: `${SIGNERS}:${CSRS}:selfnodeclient`,
    rules: [rule('create', 'certificates.k8s.io', `${CSRS}/selfnodeclient`)],
  },
  approver('legacy-unknown'),
  approver('kubelet-serving'),
  approver('kube-apiserver-client'),
  approver('kube-apiserver-client-kubelet'),
];

const REVIEWS = [
  rule('create', 'authentication.k8s.io', 'tokenreviews'),
  rule('create', 'authorization.k8s.io', 'subjectaccessreviews'),
];

const CONTROLLER_MANAGER: DefaultRole = {
  name: 'system:kube-controller-manager',
  rules: [
    EVENTS,
    rule('create', 'coordination.k8s.io', 'leases'),
    rule('get update', 'coordination.k8s.io', 'leases', 'kube-controller-manager'),
    rule('create', 'core', 'secrets serviceaccounts'),
    rule('delete', 'core', 'secrets'),
    rule('get', 'core', 'namespaces secrets serviceaccounts configmaps'),
    rule('update', 'core', 'secrets serviceaccounts'),
    ...REVIEWS,
    rule('list watch', '*', '*'),
    rule('create', 'core', 'serviceaccounts/token'),
  ],
};

const SCHEDULER: DefaultRole = {
  name: 'system:kube-scheduler',
  rules: [
    EVENTS,
    rule('create', 'coordination.k8s.io', 'leases'),
    rule('get update list watch', 'coordination.k8s.io', 'leases', 'kube-scheduler'),
    rule('ALL', 'coordination.k8s.io', 'leasecandidates'),
    rule('READ', 'core', 'nodes'),
    rule('get list watch delete', 'core', 'pods'),
    rule('create', 'core', 'pods/binding bindings'),
    rule('patch update', 'core', 'pods/status'),
    rule('READ', 'core', 'services replicationcontrollers'),
    rule('READ', 'apps extensions', 'replicasets'),
    rule('READ', 'apps', 'statefulsets'),
    rule('READ', 'policy', 'poddisruptionbudgets'),
    rule('READ', 'core', 'persistentvolumeclaims persistentvolumes'),
    ...REVIEWS,
    rule('READ', 'storage.k8s.io', 'csinodes'),
    rule('READ', 'storage.k8s.io', 'volumeattachments'),
    rule('READ', 'core', 'namespaces'),
    rule('READ', 'storage.k8s.io', 'csidrivers'),
    rule('READ', 'storage.k8s.io', 'csistoragecapacities'),
    rule('READ', 'resource.k8s.io', 'deviceclasses'),
    rule('get list watch update patch', 'resource.k8s.io', 'resourceclaims'),
    rule('get list watch update patch', 'resource.k8s.io', 'resourceclaims/status'),
    rule('update', 'core', 'pods/finalizers'),
    rule('READ', 'resource.k8s.io', 'resourceslices'),
    rule('create delete', 'resource.k8s.io', 'resourceclaims'),
    rule('update patch', 'resource.k8s.io', 'resourceclaims/binding'),
  ],
};

export const SYSTEM_ROLES: readonly DefaultRole[] = [
  { name: 'system:node', rules: NODE_RULES },
  ...CERTIFICATE_ROLES,
  CONTROLLER_MANAGER,
  SCHEDULER,
  { name: 'system:auth-delegator', rules: REVIEWS },
  { name: 'system:kube-aggregator', rules: [rule('READ', 'core', 'services endpoints')] },
  { name: 'system:kube-dns', rules: [rule('list watch', 'core', 'endpoints services')] },
  {
    name: 'system:heapster',
    rules: [rule('READ', 'core', 'events pods nodes namespaces'), rule('READ', 'extensions', 'deployments')],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      rule('READ', 'core', 'nodes'),
      rule('proxy', 'core', 'nodes'),
      rule('*', 'core', 'nodes/proxy nodes/metrics nodes/stats nodes/log'),
      rule('*', 'core', 'nodes/pods nodes/healthz nodes/configz'),
    ],
  },
  {
    name: 'system:node-problem-detector',
    rules: [rule('get', 'core', 'nodes'), rule('patch', 'core', 'nodes/status'), EVENTS],
  },
  {
    name: 'system:node-proxier',
    rules: [
      rule('list watch', 'core', 'services endpoints'),
      rule('READ', 'core', 'nodes'),
      EVENTS,
      rule('list watch', 'networking.k8s.io', 'servicecidrs'),
      rule('list watch', 'discovery.k8s.io', 'endpointslices'),
    ],
  },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      rule('get list watch create delete', 'core', 'persistentvolumes'),
      rule('get list watch update', 'core', 'persistentvolumeclaims'),
      rule('READ', 'storage.k8s.io', 'storageclasses'),
      rule('watch', 'core', 'events'),
      EVENTS,
    ],
  },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      urls(
        'get',
        '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
      ),
    ],
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      rule('get list watch update patch', 'core', 'persistentvolumes'),
      rule('READ', 'storage.k8s.io', 'storageclasses'),
      rule('get list watch update patch', 'core', 'persistentvolumeclaims'),
    ],
  },
];
