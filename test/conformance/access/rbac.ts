// Who may what by roles and bindings, and what one is told who may not.

import type { Case } from '../frame/case.ts';
import { grantedEverywhere, grantedHere, RBAC, type Rule, roleRef, someone, subject } from './people.ts';

const rule = (resources: string, verbs: string, more: Partial<Rule> = {}): Rule => ({
  apiGroups: [''],
  resources: resources.split(' '),
  verbs: verbs.split(' '),
  ...more,
});
const MAP = { metadata: { name: 'a' } };

export const roles: readonly Case[] = [
  {
    says: 'who has no rights is told which one is missing, where, and in which group',
    steps: async t => {
      const as = someone(t);
      await t.get(await t.in('configmaps'), { as });
      await t.get(await t.in('configmaps/a'), { as });
      await t.get('/api/v1/configmaps', { as });
      await t.get('/api/v1/nodes/a', { as });
      await t.get(await t.in('deployments', '/apis/apps/v1'), { as });
      await t.get(await t.in('pods/a/log'), { as });
      await t.get(`${await t.in('pods')}?watch=1`, { as });
      await t.post(await t.in('configmaps'), MAP, { as });
      await t.put(await t.in('configmaps/a'), MAP, { as });
      await t.patch(await t.in('configmaps/a'), 'merge-patch+json', {}, { as });
      await t.delete(await t.in('configmaps/a'), undefined, { as });
      await t.delete(await t.in('configmaps'), undefined, { as });
    },
  },
  {
    says: 'who has no rights is not told whether a resource or a namespace exists',
    steps: async t => {
      const as = someone(t);
      await t.get(await t.in('frobs'), { as });
      await t.get('/apis/no.such.group/v1/frobs', { as });
      await t.get(`/api/v1/namespaces/${t.own('absent')}/pods`, { as });
    },
  },
  {
    says: 'paths that are no resources are told by their path',
    steps: async t => {
      const as = someone(t);
      await t.get('/metrics', { as });
      await t.get('/logs/', { as });
      await t.get('/no/such/path', { as });
      await t.post('/healthz', undefined, { as });
    },
  },
  {
    says: 'everybody who is authenticated may look at discovery, health and version',
    steps: async t => {
      const as = someone(t);
      for (const path of ['/healthz', '/livez', '/readyz']) await t.get(path, { as });
      t.note(
        'codes',
        await Promise.all(
          ['/api', '/apis', '/api/v1', '/openapi/v3', '/version', '/openapi/v2'].map(async path => {
            const { status } = await t.quietly({ method: 'GET', path, as });
            return [path, status];
          }),
        ),
      );
    },
  },
  {
    says: 'a role grants in its namespace alone',
    steps: async t => {
      const as = await grantedHere(t, [rule('configmaps', 'get list create')]);
      await t.post(await t.in('configmaps'), MAP, { as });
      await t.get(await t.in('configmaps/a'), { as });
      await t.delete(await t.in('configmaps/a'), undefined, { as });
      await t.get('/api/v1/namespaces/default/configmaps', { as });
      await t.get('/api/v1/configmaps', { as });
    },
  },
  {
    says: 'a cluster role that is bound in a namespace grants there alone',
    steps: async t => {
      const role = t.own('reader');
      const body = { metadata: { name: role }, rules: [rule('configmaps nodes', 'get list')] };
      await t.quietly({ method: 'POST', path: `${RBAC}/clusterroles`, body });
      t.after(() => t.quietly({ method: 'DELETE', path: `${RBAC}/clusterroles/${role}` }));
      const as = await grantedHere(t, [rule('secrets', 'get')]);
      await t.post(await t.in('rolebindings', RBAC), {
        metadata: { name: 'reader' },
        roleRef: roleRef('ClusterRole', role),
        subjects: [subject(as.user)],
      });
      await t.get('/api/v1/nodes', { as });
      await t.get('/api/v1/namespaces/default/configmaps', { as });
    },
  },
  {
    says: 'resourceNames restrict get, update and delete, and cannot restrict create or list',
    steps: async t => {
      const as = await grantedHere(t, [rule('configmaps', 'get create list update delete', { resourceNames: ['a'] })]);
      await t.post(await t.in('configmaps'), MAP, { as });
      await t.quietly({ method: 'POST', path: await t.in('configmaps'), body: MAP });
      await t.get(await t.in('configmaps/a'), { as });
      await t.get(await t.in('configmaps/b'), { as });
      await t.get(await t.in('configmaps'), { as });
      await t.get(`${await t.in('configmaps')}?fieldSelector=metadata.name%3Da`, { as });
      await t.put(await t.in('configmaps/a'), { ...MAP, data: { key: 'value' } }, { as });
      await t.delete(await t.in('configmaps'), undefined, { as });
      await t.delete(await t.in('configmaps/a'), undefined, { as });
    },
  },
  {
    says: 'a subresource is granted by its own name',
    steps: async t => {
      const as = await grantedHere(t, [
        rule('pods', 'get update patch'),
        rule('deployments/scale', 'get', { apiGroups: ['apps'] }),
      ]);
      await t.patch(await t.in('pods/a/status'), 'merge-patch+json', {}, { as });
      await t.get(await t.in('pods/a/log'), { as });
      await t.get(await t.in('deployments/a/scale', '/apis/apps/v1'), { as });
      await t.get(await t.in('deployments/a', '/apis/apps/v1'), { as });
    },
  },
  {
    says: 'wildcards grant every resource, every verb, every subresource',
    steps: async t => {
      const as = await grantedHere(t, [rule('*', 'get'), rule('configmaps', '*'), rule('*/status', 'patch')]);
      await t.get(await t.in('secrets/a'), { as });
      await t.get(await t.in('pods/a/log'), { as });
      await t.get(await t.in('deployments/a', '/apis/apps/v1'), { as });
      await t.post(await t.in('configmaps'), MAP, { as });
      await t.patch(await t.in('pods/a/status'), 'merge-patch+json', {}, { as });
      await t.patch(await t.in('pods/a'), 'merge-patch+json', {}, { as });
    },
  },
  {
    says: 'paths are granted with a star at their end',
    steps: async t => {
      const as = await grantedEverywhere(t, [{ nonResourceURLs: ['/no/*', '/exact'], verbs: ['get'] }]);
      await t.get('/no/such/path', { as });
      await t.get('/exact', { as });
      await t.get('/exact/more', { as });
      await t.post('/no/such/path', undefined, { as });
    },
  },
  {
    says: 'a group and a service account are subjects as users are',
    steps: async t => {
      const group = t.own('group');
      await t.quietly({
        method: 'POST',
        path: await t.in('roles', RBAC),
        body: { metadata: { name: 'r' }, rules: [rule('configmaps', 'list')] },
      });
      const subjects = [
        { kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: group },
        { kind: 'ServiceAccount', namespace: t.ns, name: 'robot' },
      ];
      const bindings = await t.in('rolebindings', RBAC);
      await t.post(bindings, { metadata: { name: 'r' }, roleRef: roleRef('Role', 'r'), subjects });
      const review = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      const resourceAttributes = { namespace: t.ns, resource: 'configmaps', verb: 'list' };
      const allowed = async (spec: object): Promise<boolean> =>
        (await t.quietly({ method: 'POST', path: review, body: { spec: { resourceAttributes, ...spec } } })).json.status
          .allowed;
      for (let tries = 0; tries < 100 && !(await allowed({ user: 'x', groups: [group] })); tries++) {
        await new Promise(resolve => setTimeout(resolve, 20));
      }
      await t.post(review, { spec: { resourceAttributes, user: 'x', groups: [group] } });
      await t.post(review, { spec: { resourceAttributes, user: `system:serviceaccount:${t.ns}:robot` } });
      await t.post(review, { spec: { resourceAttributes, user: `system:serviceaccount:${t.ns}:other` } });
    },
  },
  {
    says: 'nobody grants what they do not have',
    steps: async t => {
      const as = await grantedHere(t, [
        {
          apiGroups: ['rbac.authorization.k8s.io'],
          resources: ['roles', 'rolebindings'],
          verbs: ['create', 'update', 'patch', 'get'],
        },
        rule('configmaps', 'get'),
      ]);
      const path = await t.in('roles', RBAC);
      await t.post(path, { metadata: { name: 'held' }, rules: [rule('configmaps', 'get')] }, { as });
      await t.post(
        path,
        { metadata: { name: 'more' }, rules: [rule('configmaps', 'get list'), rule('secrets', 'get')] },
        { as },
      );
      await t.post(path, { metadata: { name: 'all' }, rules: [rule('*', '*')] }, { as });
      await t.put(`${path}/held`, { metadata: { name: 'held' }, rules: [rule('secrets', 'get')] }, { as });
      await t.patch(`${path}/held`, 'merge-patch+json', { metadata: { labels: { a: 'b' } } }, { as });
    },
  },
  {
    says: 'who may escalate grants what they do not have',
    steps: async t => {
      const as = await grantedHere(t, [
        { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles'], verbs: ['create', 'escalate'] },
      ]);
      await t.post(await t.in('roles', RBAC), { metadata: { name: 'more' }, rules: [rule('secrets', 'get')] }, { as });
    },
  },
  {
    says: 'nobody binds a role that holds more than they do, unless they may bind it',
    steps: async t => {
      const rbac = (resources: string, verbs: string, more: Partial<Rule> = {}): Rule =>
        rule(resources, verbs, { apiGroups: ['rbac.authorization.k8s.io'], ...more });
      const as = await grantedHere(t, [
        rbac('rolebindings', 'create update'),
        rbac('roles', 'bind', { resourceNames: ['may'] }),
        rbac('clusterroles', 'bind', { resourceNames: ['view'] }),
        rule('configmaps', 'get'),
      ]);
      for (const name of ['may', 'not']) {
        await t.quietly({
          method: 'POST',
          path: await t.in('roles', RBAC),
          body: { metadata: { name }, rules: [rule('secrets', 'get')] },
        });
      }
      await t.quietly({
        method: 'POST',
        path: await t.in('roles', RBAC),
        body: { metadata: { name: 'held' }, rules: [rule('configmaps', 'get')] },
      });
      const bind = (name: string, ref: object): object => ({
        metadata: { name },
        roleRef: ref,
        subjects: [subject('x')],
      });
      const path = await t.in('rolebindings', RBAC);
      await t.post(path, bind('held', roleRef('Role', 'held')), { as });
      await t.post(path, bind('may', roleRef('Role', 'may')), { as });
      await t.post(path, bind('view', roleRef('ClusterRole', 'view')), { as });
      await t.post(path, bind('not', roleRef('Role', 'not')), { as });
      await t.post(path, bind('absent', roleRef('Role', 'absent')), { as });
      await t.post(path, bind('admin', roleRef('ClusterRole', 'cluster-admin')), { as });
    },
  },
  {
    says: 'the role of a binding cannot be changed',
    steps: async t => {
      const path = await t.in('rolebindings', RBAC);
      await t.post(path, { metadata: { name: 'a' }, roleRef: roleRef('Role', 'one'), subjects: [subject('x')] });
      await t.put(`${path}/a`, { metadata: { name: 'a' }, roleRef: roleRef('Role', 'two'), subjects: [subject('x')] });
      await t.put(`${path}/a`, { metadata: { name: 'a' }, roleRef: roleRef('Role', 'one'), subjects: [subject('y')] });
    },
  },
  {
    says: 'roles and bindings are checked field by field',
    steps: async t => {
      const [path, bindings] = [await t.in('roles', RBAC), await t.in('rolebindings', RBAC)];
      await t.post(path, { metadata: { name: 'a' }, rules: [{ apiGroups: [''], resources: ['pods'] }] });
      await t.post(path, { metadata: { name: 'a' }, rules: [{ resources: ['pods'], verbs: ['get'] }] });
      await t.post(path, { metadata: { name: 'a' }, rules: [{ apiGroups: [''], verbs: ['get'] }] });
      await t.post(path, { metadata: { name: 'a' }, rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] });
      await t.post(`${RBAC}/clusterroles`, {
        metadata: { name: t.own('a') },
        rules: [{ nonResourceURLs: ['x', '/a*b'], verbs: ['get'] }],
      });
      await t.post(bindings, {
        metadata: { name: 'a' },
        roleRef: { apiGroup: 'x', kind: 'Y', name: '' },
        subjects: [],
      });
      await t.post(bindings, {
        metadata: { name: 'a' },
        roleRef: roleRef('Role', 'r'),
        subjects: [{ kind: 'Robot', name: '' }],
      });
      await t.post(bindings, {
        metadata: { name: 'a' },
        roleRef: roleRef('Role', 'r'),
        subjects: [{ kind: 'ServiceAccount', name: 'A_b' }],
      });
      await t.post(bindings, { metadata: { name: 'a:b%c' }, roleRef: roleRef('Role', 'r') });
    },
  },
  {
    says: 'a cluster role gathers the rules of those that it selects',
    steps: async t => {
      const [whole, part, late] = [t.own('whole'), t.own('part'), t.own('late')];
      const labels = { [`example.com/${part}`]: 'true' };
      const gathered = {
        metadata: { name: whole },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: labels }] },
      };
      for (const name of [whole, part, late])
        t.after(() => t.quietly({ method: 'DELETE', path: `${RBAC}/clusterroles/${name}` }));
      await t.quietly({
        method: 'POST',
        path: `${RBAC}/clusterroles`,
        body: { metadata: { name: part, labels }, rules: [rule('pods', 'get')] },
      });
      await t.post(`${RBAC}/clusterroles`, gathered);
      await t.until(`${RBAC}/clusterroles/${whole}`, role => role?.rules?.length === 1);
      await t.quietly({
        method: 'POST',
        path: `${RBAC}/clusterroles`,
        body: { metadata: { name: late, labels }, rules: [rule('secrets', 'get')] },
      });
      await t.until(`${RBAC}/clusterroles/${whole}`, role => role?.rules?.length === 2);
      await t.quietly({ method: 'DELETE', path: `${RBAC}/clusterroles/${part}` });
      await t.until(`${RBAC}/clusterroles/${whole}`, role => role?.rules?.length === 1);
    },
  },
  {
    says: 'nobody makes a role that gathers more than they have',
    steps: async t => {
      const as = await grantedEverywhere(t, [
        { apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create', 'patch'] },
      ]);
      const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
      await t.post(`${RBAC}/clusterroles`, { metadata: { name: t.own('whole') }, aggregationRule }, { as });
    },
  },
];
