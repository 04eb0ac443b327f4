// What is said to be empty: lists, maps, texts and nothing at all, as it is kept and as its owner is told.

import type { Case } from '../frame/case.ts';
import { podsIn, widgets } from '../frame/prepared.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const image = { name: 'a', image: 'b' };

export const empties: readonly Case[] = [
  {
    says: 'empty labels, annotations, finalizers and owners are none',
    steps: async t => {
      const maps = await t.in('configmaps');
      const metadata = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [], managedFields: null };
      await t.post(maps, { metadata: { name: 'a', ...metadata }, data: {}, binaryData: {} });
      await t.post(maps, { metadata: { name: 'b', labels: null }, data: null, immutable: null });
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { finalizers: [] }, data: {} });
      await t.put(`${maps}/a`, { metadata: { name: 'a', labels: {} }, data: {} });
    },
  },
  {
    says: 'empty lists and maps of a Pod are none',
    steps: async t => {
      const pods = await podsIn(t);
      const container = {
        ...image,
        env: [],
        ports: [],
        args: [],
        command: [],
        volumeMounts: [],
        envFrom: [],
        resources: { limits: {}, requests: {} },
        securityContext: {},
        lifecycle: {},
      };
      const spec = {
        automountServiceAccountToken: false,
        volumes: [],
        imagePullSecrets: [],
        initContainers: [],
        nodeSelector: {},
        hostAliases: [],
        topologySpreadConstraints: [],
        affinity: {},
        securityContext: { sysctls: [], supplementalGroups: [] },
        dnsConfig: { nameservers: [], options: [] },
        containers: [container],
      };
      await t.post(`${pods}?dryRun=All`, { metadata: { name: 'a' }, spec });
      await t.post(`${pods}?dryRun=All`, {
        metadata: { name: 'b' },
        spec: { ...spec, tolerations: [], affinity: null },
      });
      await t.post(`${pods}?dryRun=All`, { metadata: { name: 'c' }, spec: { ...spec, containers: [] } });
    },
  },
  {
    says: 'empty rules and subjects are written as nothing',
    steps: async t => {
      const roles = await t.in('roles', rbac);
      await t.post(roles, { metadata: { name: 'a' }, rules: [] });
      await t.get(`${roles}/a`);
      await t.post(roles, { metadata: { name: 'b' } });
      await t.post(roles, { metadata: { name: 'c' }, rules: [{ verbs: [], apiGroups: [''], resources: ['pods'] }] });
      const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'], resourceNames: [], nonResourceURLs: [] };
      await t.post(roles, { metadata: { name: 'd' }, rules: [rule] });
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' };
      await t.post(await t.in('rolebindings', rbac), { metadata: { name: 'a' }, subjects: [], roleRef });
    },
  },
  {
    says: 'an empty list that means something stays',
    steps: async t => {
      const policies = await t.in('networkpolicies', '/apis/networking.k8s.io/v1');
      const policy = (name: string, spec: object): object => ({ metadata: { name }, spec });
      await t.post(policies, policy('a', { podSelector: {}, ingress: [], egress: [], policyTypes: [] }));
      await t.post(policies, policy('b', { podSelector: {}, ingress: [{}], policyTypes: ['Egress'] }));
      await t.post(policies, policy('c', { podSelector: {}, ingress: [{ from: [], ports: [] }] }));
      await t.post(policies, policy('d', { podSelector: { matchLabels: {}, matchExpressions: [] } }));
      const slices = await t.in('endpointslices', '/apis/discovery.k8s.io/v1');
      await t.post(slices, { metadata: { name: 'a' }, addressType: 'IPv4', endpoints: [], ports: [] });
      await t.post(slices, { metadata: { name: 'b' }, addressType: 'IPv4', endpoints: null });
      const maps = await t.in('endpoints');
      await t.post(maps, { metadata: { name: 'a' }, subsets: [] });
    },
  },
  {
    says: 'empty lists of cluster-wide kinds',
    steps: async t => {
      const hooks = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All';
      await t.post(hooks, { metadata: { name: t.own('a') }, webhooks: [] });
      await t.post('/api/v1/nodes?dryRun=All', { metadata: { name: t.own('a') }, spec: { taints: [], podCIDRs: [] } });
      const classes = '/apis/storage.k8s.io/v1/storageclasses?dryRun=All';
      const storage = { provisioner: 'a.example.com', parameters: {}, mountOptions: [], allowedTopologies: [] };
      await t.post(classes, { metadata: { name: t.own('a') }, ...storage });
      await t.post(`${rbac}/clusterroles?dryRun=All`, {
        metadata: { name: t.own('a') },
        aggregationRule: { clusterRoleSelectors: [] },
        rules: [],
      });
      await t.post('/apis/storage.k8s.io/v1/csinodes?dryRun=All', {
        metadata: { name: t.own('a') },
        spec: { drivers: [] },
      });
    },
  },
  {
    says: 'empty lists and maps of a custom object stay as they are',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      const object = { apiVersion: api, kind: 'Widget', metadata: { name: 'a', labels: {}, finalizers: [] } };
      await t.post(path, { ...object, spec: { list: [], map: {}, text: '', nothing: null, deep: [{}, []] } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { list: null, more: [] } });
    },
  },
  {
    says: 'empty lists are applied, and owned where they are kept',
    steps: async t => {
      const roles = await t.in('roles', rbac);
      const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a' } };
      await t.patch(`${roles}/a?fieldManager=m`, 'apply-patch+yaml', { ...kind, rules: [] });
      const maps = await t.in('configmaps');
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: {} }, data: {} };
      await t.patch(`${maps}/a?fieldManager=m`, 'apply-patch+yaml', map);
    },
  },
  {
    says: 'a body that nests deeper than ten thousand levels is refused',
    difference: 7,
    steps: async t => {
      const maps = `${await t.in('configmaps')}?dryRun=All`;
      const head = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"x":';
      for (const depth of [500, 600, 9999, 10_000]) {
        await t.post(maps, `${head}${'['.repeat(depth)}${']'.repeat(depth)}}`);
      }
    },
  },
];
