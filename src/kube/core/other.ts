// The remaining built-in kinds that our programs use: namespaces, secrets, accounts, roles, certificates, events.

import { kindOf } from '../kind.ts';
import type { Condition, KubeObject } from '../object.ts';

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}
export const Namespace = kindOf<Namespace>('v1', 'Namespace', 'namespaces', 'Cluster');

export interface Secret extends KubeObject {
  readonly type?: string;
  /** Base64. */
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly immutable?: boolean;
}
export const Secret = kindOf<Secret>('v1', 'Secret', 'secrets', 'Namespaced');

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}
export const ConfigMap = kindOf<ConfigMap>('v1', 'ConfigMap', 'configmaps', 'Namespaced');

export interface ServiceAccount extends KubeObject {
  readonly automountServiceAccountToken?: boolean;
}
export const ServiceAccount = kindOf<ServiceAccount>('v1', 'ServiceAccount', 'serviceaccounts', 'Namespaced');

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}
export interface Subject {
  readonly kind: 'User' | 'Group' | 'ServiceAccount';
  readonly name: string;
  readonly namespace?: string;
  readonly apiGroup?: string;
}
export interface RoleRef {
  readonly apiGroup: string;
  readonly kind: 'ClusterRole' | 'Role';
  readonly name: string;
}
export interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[];
}
export interface RoleBinding extends KubeObject {
  readonly subjects?: readonly Subject[];
  readonly roleRef: RoleRef;
}
export interface ClusterRole extends Role {
  readonly aggregationRule?: unknown;
}
const RBAC = 'rbac.authorization.k8s.io/v1';
export const Role = kindOf<Role>(RBAC, 'Role', 'roles', 'Namespaced');
export const RoleBinding = kindOf<RoleBinding>(RBAC, 'RoleBinding', 'rolebindings', 'Namespaced');
export const ClusterRole = kindOf<ClusterRole>(RBAC, 'ClusterRole', 'clusterroles', 'Cluster');
export const ClusterRoleBinding = kindOf<RoleBinding>(RBAC, 'ClusterRoleBinding', 'clusterrolebindings', 'Cluster');

export interface CertificateSigningRequest extends KubeObject {
  readonly spec: {
    /** Base64 of a PEM PKCS #10 request. */
    readonly request: string;
    readonly signerName: string;
    readonly usages?: readonly string[];
    readonly expirationSeconds?: number;
    readonly username?: string;
    readonly groups?: readonly string[];
  };
  readonly status?: { readonly certificate?: string; readonly conditions?: readonly Condition[] };
}
export const CertificateSigningRequest = kindOf<CertificateSigningRequest>(
  'certificates.k8s.io/v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
  'Cluster',
);

/** `core/v1` Event. */
export interface Event extends KubeObject {
  readonly involvedObject: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly fieldPath?: string;
  };
  readonly reason?: string;
  readonly message?: string;
  readonly type?: string;
  readonly count?: number;
  readonly firstTimestamp?: string;
  readonly lastTimestamp?: string;
  readonly eventTime?: string | null;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}
export const Event = kindOf<Event>('v1', 'Event', 'events', 'Namespaced');

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: unknown;
  readonly status?: { readonly conditions?: readonly Condition[]; readonly storedVersions?: readonly string[] };
}
export const CustomResourceDefinition = kindOf<CustomResourceDefinition>(
  'apiextensions.k8s.io/v1',
  'CustomResourceDefinition',
  'customresourcedefinitions',
  'Cluster',
);

const ADMISSION = 'admissionregistration.k8s.io/v1';

export interface AdmissionRules extends KubeObject {
  readonly spec: unknown;
}
export const ValidatingAdmissionPolicy = kindOf<AdmissionRules>(
  ADMISSION,
  'ValidatingAdmissionPolicy',
  'validatingadmissionpolicies',
  'Cluster',
);
export const ValidatingAdmissionPolicyBinding = kindOf<AdmissionRules>(
  ADMISSION,
  'ValidatingAdmissionPolicyBinding',
  'validatingadmissionpolicybindings',
  'Cluster',
);

export interface AdmissionWebhooks extends KubeObject {
  readonly webhooks?: readonly unknown[];
}
export const ValidatingWebhookConfiguration = kindOf<AdmissionWebhooks>(
  ADMISSION,
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
  'Cluster',
);
export const MutatingWebhookConfiguration = kindOf<AdmissionWebhooks>(
  ADMISSION,
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
  'Cluster',
);

export const Service = kindOf('v1', 'Service', 'services', 'Namespaced');
