// The rows of the table of controllers' roles: what the real server binds to the accounts of kube-controller-manager's
// parts, and the Roles of kube-system and kube-public. One row per role, with who holds it.

import { type Access, get } from '../../test/kube/https.ts';

interface Stored {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface Role extends Stored {
  readonly rules: readonly object[];
}

interface Binding extends Stored {
  readonly roleRef: { readonly name: string };
  readonly subjects?: readonly object[];
}

interface RoleRow {
  readonly namespace?: string;
  readonly name: string;
  readonly rules: readonly object[];
  /** Its binding has the role's name unless it says another. */
  readonly binding?: string;
  readonly subjects: readonly object[];
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';

export async function roleRows(url: string, access: Access): Promise<readonly RoleRow[]> {
  const items = async <T>(plural: string): Promise<readonly T[]> => {
    const answer = await get(`${url}${RBAC}/${plural}`, access);
    return JSON.parse(answer.body.toString()).items;
  };
  const cluster = (await items<Role>('clusterroles')).filter(({ metadata }) => isController(metadata.name));
  const bindings = [...(await items<Binding>('clusterrolebindings')), ...(await items<Binding>('rolebindings'))];
  return [...cluster, ...(await items<Role>('roles'))].map(role => rowOf(role, bindings));
}

const isController = (name: string): boolean => name.startsWith('system:controller:');

function rowOf({ metadata: { name, namespace }, rules }: Role, bindings: readonly Binding[]): RoleRow {
  const binding = bindings.find(({ roleRef, metadata }) => roleRef.name === name && metadata.namespace === namespace);
  if (binding === undefined) throw new Error(`nobody holds ${name}`);
  const other = binding.metadata.name === name ? {} : { binding: binding.metadata.name };
  return { ...(namespace === undefined ? {} : { namespace }), name, rules, ...other, subjects: binding.subjects ?? [] };
}
