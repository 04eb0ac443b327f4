// The rules of system:node. The Node authorizer uses them for all that it does not narrow to the node's own objects.

import type { PolicyRule } from '../../../kube/core/other.ts';
import { EVENTS, rule } from './rule.ts';

export const NODE_RULES: readonly PolicyRule[] = [
  rule('create', 'authentication.k8s.io', 'tokenreviews'),
  rule('create', 'authorization.k8s.io', 'subjectaccessreviews localsubjectaccessreviews'),
  rule('READ', 'core', 'services'),
  rule('create get list watch', 'core', 'nodes'),
  rule('update patch', 'core', 'nodes/status'),
  rule('update patch', 'core', 'nodes'),
  EVENTS,
  rule('READ', 'core', 'pods'),
  rule('create delete', 'core', 'pods'),
  rule('update patch', 'core', 'pods/status'),
  rule('create', 'core', 'pods/eviction'),
  rule('READ', 'core', 'secrets configmaps'),
  rule('get', 'core', 'persistentvolumeclaims persistentvolumes'),
  rule('get', 'core', 'endpoints'),
  rule('create get list watch', 'certificates.k8s.io', 'certificatesigningrequests'),
  rule('get create update patch delete', 'coordination.k8s.io', 'leases'),
  rule('get', 'storage.k8s.io', 'volumeattachments'),
  rule('create', 'core', 'serviceaccounts/token'),
  rule('get update patch', 'core', 'persistentvolumeclaims/status'),
  rule('get watch list', 'storage.k8s.io', 'csidrivers'),
  rule('get create update patch delete', 'storage.k8s.io', 'csinodes'),
  rule('READ', 'node.k8s.io', 'runtimeclasses'),
  rule('get', 'resource.k8s.io', 'resourceclaims'),
  rule('deletecollection', 'resource.k8s.io', 'resourceslices'),
  rule('get', 'core', 'serviceaccounts'),
];
