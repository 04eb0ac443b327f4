// Every role that we ship, verb by verb on everything that any of them names or leaves out.

import { type ManifestName, manifestsOf } from '../../../src/fleet/manifests.ts';
import type { KubeObject } from '../../../src/kube/object.ts';
import type { Case } from '../frame/case.ts';
import { grantedEverywhere, grantedHere, type Rule } from './people.ts';

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];
const MANIFESTS: readonly ManifestName[] = ['embedded', 'clusterApi', 'macProvider', 'agent'];

interface Role extends KubeObject {
  readonly rules?: readonly Rule[];
}

const roles = MANIFESTS.flatMap(name => manifestsOf(name)).filter(
  (object): object is Role => object.kind === 'Role' || object.kind === 'ClusterRole',
);

/** `group/resource/subresource`, of every rule, and a few that no role names. */
const TARGETS = [
  ...new Set([
    ...roles.flatMap(({ rules = [] }) =>
      rules.flatMap(({ apiGroups = [], resources = [] }) =>
        apiGroups.flatMap(group => resources.map(name => `${group}|${name}`)),
      ),
    ),
    '|nodes/proxy',
    '|pods/exec',
    '|serviceaccounts/token',
    'rbac.authorization.k8s.io|clusterrolebindings',
    'apps|daemonsets',
  ]),
].sort();

export const ourRoles: readonly Case[] = roles
  .filter(({ rules = [] }) => rules.length > 0)
  .map(role => ({
    says: `the ${role.kind} ${[role.metadata.namespace ?? '', role.metadata.name].join(' ').trim()} allows and denies alike`,
    steps: async t => {
      const rules = role.rules ?? [];
      const { user } = await (role.kind === 'Role' ? grantedHere(t, rules) : grantedEverywhere(t, rules));
      const allowed: string[] = [];
      for (const target of TARGETS) {
        const [group = '', path = ''] = target.split('|');
        const [resource = '', subresource = ''] = path.split('/');
        const verdicts = await Promise.all(
          VERBS.map(async verb => {
            const resourceAttributes = { namespace: t.ns, group, resource, subresource, verb };
            const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
            const { json } = await t.quietly({ method: 'POST', path, body: { spec: { user, resourceAttributes } } });
            return json.status.allowed === true ? verb : '';
          }),
        );
        allowed.push(`${target}: ${verdicts.filter(verb => verb !== '').join(' ')}`);
      }
      t.note(`what it allows of ${TARGETS.length} things in ${VERBS.length} verbs`, allowed);
    },
  }));
