// The accounts and roles of deploy/, applied to a cluster: each program of the fleet gets exactly the rights it uses.

import type { Api } from '../kube/api.ts';
import {
  ClusterRole,
  ClusterRoleBinding,
  Namespace,
  Role,
  RoleBinding,
  Service,
  ServiceAccount,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../kube/core/other.ts';
import { apiVersionOf, type Kind } from '../kube/kind.ts';
import { type KubeObject, keyOf } from '../kube/object.ts';
import type { Identity } from '../kube/transport.ts';
import manifests from './manifests.generated.json' with { type: 'json' };

/** One file of deploy/. */
export type ManifestName = keyof typeof manifests;

const KINDS: readonly Kind[] = [
  Namespace,
  ServiceAccount,
  ClusterRole,
  ClusterRoleBinding,
  Role,
  RoleBinding,
  Service,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
];

/** The objects of one file, in the order in which they may be created. */
export function manifestsOf(name: ManifestName): readonly KubeObject[] {
  const objects: readonly KubeObject[] = manifests[name];
  return name === 'embedded' ? objects.flatMap(role => [role, bindingOf(role)]) : objects;
}

/** Applies them; what is there already becomes as this version wants it. */
export async function installManifests(api: Api, names: readonly ManifestName[]): Promise<void> {
  for (const object of names.flatMap(manifestsOf)) {
    const kind = KINDS.find(each => each.kind === object.kind && apiVersionOf(each) === object.apiVersion);
    if (kind === undefined) throw new Error(`deploy/ has a ${object.kind}, a kind that is not installed`);
    await api.patch(kind, keyOf(object), object, { type: 'apply', fieldManager: 'pippin', force: true });
  }
}

const CONTROLLER_PREFIX = 'pippin.dev:controller:';
const SYSTEM = 'kube-system';

/** Each controller of the embedded API has an account of its name. */
function bindingOf({ metadata }: KubeObject): RoleBinding {
  const { name } = metadata;
  return {
    apiVersion: apiVersionOf(ClusterRoleBinding),
    kind: ClusterRoleBinding.kind,
    metadata: { name },
    roleRef: { apiGroup: ClusterRole.group, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace: SYSTEM, name: name.slice(CONTROLLER_PREFIX.length) }],
  };
}

/** Who a service account is to the API. */
export function accountIdentity(namespace: string, name: string): Identity {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

/** What a controller of the embedded API writes as. */
export const controllerIdentity = (controller: string): Identity => accountIdentity(SYSTEM, controller);

/** What the controllers of the embedded API read as: one set of caches for all. */
export const sharedReader: Identity = { name: 'system:kube-controller-manager', groups: ['system:authenticated'] };

const PIPPIN_NAMESPACE = 'pippin-system';
export const managerIdentity: Identity = accountIdentity(PIPPIN_NAMESPACE, 'pippin-manager');
export const metalIdentity: Identity = accountIdentity(PIPPIN_NAMESPACE, 'pippin-metal');
export const ipamIdentity: Identity = accountIdentity(PIPPIN_NAMESPACE, 'pippin-ipam');
export const clusterApiIdentity: Identity = accountIdentity(PIPPIN_NAMESPACE, 'pippin-cluster-api');
