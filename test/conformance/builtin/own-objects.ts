// What the server itself keeps in a cluster beside what clients create: its Service, addresses, roles, and whom it trusts.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { TABLE } from '../reading/prepared.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const NETWORKING = '/apis/networking.k8s.io/v1';
const ADDRESSES = `${NETWORKING}/ipaddresses`;
const SYSTEM = '/api/v1/namespaces/kube-system';
const MERGE = 'merge-patch+json';
const BOOTSTRAPPED = 'labelSelector=kubernetes.io%2Fbootstrapping%3Drbac-defaults';

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const told = ({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule): string =>
  [verbs, apiGroups.map(group => group || 'core'), resources, resourceNames, nonResourceURLs]
    .map(each => each.join(','))
    .join(' ')
    .trim();

const service = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

/** Creates it, and says which address it got. */
async function addressOf(t: Trial, name: string): Promise<string> {
  const { json } = await t.quietly({ method: 'POST', path: await t.in('services'), body: service(name) });
  return json.spec.clusterIP;
}

/** The real server reads bindings in a cache: until it has seen this one it refuses. */
async function untilBound(t: Trial, as: { readonly user: string }): Promise<void> {
  const path = `${SYSTEM}/configmaps/extension-apiserver-authentication`;
  for (let left = 500; left > 0; left -= 1) {
    const { status } = await t.quietly({ method: 'GET', path, as });
    if (status === 200) return;
    await sleep(20);
  }
}

export const ownObjects: readonly Case[] = [
  {
    says: 'the roles of controllers are there, and grant what they do',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: `${RBAC}/clusterroles?${BOOTSTRAPPED}` });
      for (const { metadata, rules } of json.items)
        if (metadata.name.startsWith('system:controller:')) t.note(metadata.name, rules.map(told));
      await t.get(`${RBAC}/clusterroles/system:controller:pod-garbage-collector`);
      await t.get(`${RBAC}/clusterrolebindings/system:controller:pod-garbage-collector`);
    },
  },
  {
    says: 'each role of a controller is bound to its account',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: `${RBAC}/clusterrolebindings?${BOOTSTRAPPED}` });
      for (const { metadata, subjects = [] } of json.items)
        if (metadata.name.startsWith('system:controller:')) t.note(metadata.name, subjects);
    },
  },
  {
    says: 'the roles of kube-system and kube-public are there, with their bindings',
    steps: async t => {
      for (const plural of ['roles', 'rolebindings']) {
        const { json } = await t.quietly({ method: 'GET', path: `${RBAC}/${plural}?${BOOTSTRAPPED}` });
        for (const item of json.items) t.note(`${plural} ${item.metadata.namespace}/${item.metadata.name}`, item);
      }
    },
  },
  {
    says: 'whoever may read whom the server trusts is let in by the role of that name',
    steps: async t => {
      const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: t.own('adapter') }];
      const roleRef = {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'Role',
        name: 'extension-apiserver-authentication-reader',
      };
      const path = `${RBAC}/namespaces/kube-system/rolebindings`;
      const name = t.own('adapter-reads');
      await t.quietly({ method: 'POST', path, body: { metadata: { name }, roleRef, subjects } });
      t.after(() => t.quietly({ method: 'DELETE', path: `${path}/${name}` }));
      const as = { user: t.own('adapter') };
      await untilBound(t, as);
      await t.get(`${SYSTEM}/configmaps/extension-apiserver-authentication`, { as });
      await t.get(`${SYSTEM}/configmaps/kube-root-ca.crt`, { as });
    },
  },
  {
    says: 'the server keeps account of old tokens since its first day',
    steps: async t => {
      const path = `${SYSTEM}/configmaps/kube-apiserver-legacy-service-account-token-tracking`;
      const { status, json } = await t.quietly({ method: 'GET', path });
      const since = json.data.since.replace(/\d/g, '0');
      t.note('kept', [status, { ...json, data: { since } }]);
    },
  },
  {
    says: 'the Service kubernetes leads to the server',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/api/v1/namespaces/default/services/kubernetes' });
      const { targetPort, ...port } = json.spec.ports[0];
      t.note('without its port', { ...json, spec: { ...json.spec, ports: [port] } });
      t.note('its port', typeof targetPort);
      await t.get(`${ADDRESSES}/10.0.0.1`);
      await t.get(`${ADDRESSES}/10.0.0.1`, { headers: TABLE });
    },
  },
  {
    says: 'addresses of Services come from the ServiceCIDR kubernetes',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: `${NETWORKING}/servicecidrs/kubernetes` });
      const cidrs = json.spec.cidrs.map((range: string) => range.replace(/\/\d+$/, ''));
      t.note('without its size', { ...json, spec: { cidrs } });
    },
  },
  {
    says: 'a Service brings an IPAddress, which goes with it',
    steps: async t => {
      const ip = await addressOf(t, 'web');
      await t.get(`${ADDRESSES}/${ip}`);
      await t.delete(`${await t.in('services')}/web`);
      await t.get(`${ADDRESSES}/${ip}`);
    },
  },
  {
    says: 'a Service without an address has no IPAddress',
    steps: async t => {
      const ip = await addressOf(t, 'web');
      const path = `${await t.in('services')}/web`;
      await t.patch(path, MERGE, { spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: null } });
      await t.get(`${ADDRESSES}/${ip}`);
      await t.patch(path, MERGE, { spec: { type: 'ClusterIP', externalName: null } });
      const { json } = await t.quietly({ method: 'GET', path });
      await t.get(`${ADDRESSES}/${json.spec.clusterIP}`);
      await t.post(await t.in('services'), service('headless', { clusterIP: 'None' }));
      await t.get(`${ADDRESSES}/None`);
    },
  },
  {
    says: 'a Service that is only tried writes down no address',
    steps: async t => {
      const path = await t.in('services');
      await t.post(`${path}?dryRun=All`, service('tried', { clusterIP: '10.0.0.12' }));
      await t.get(`${ADDRESSES}/10.0.0.12`);
      await t.post(path, service('kept', { clusterIP: '10.0.0.12' }));
      t.after(() => t.quietly({ method: 'DELETE', path: `${path}/kept` }));
      await t.get(`${ADDRESSES}/10.0.0.12`);
      await t.post(path, service('late', { clusterIP: '10.0.0.12' }));
    },
  },
  {
    says: 'an address that somebody wrote down by hand is taken',
    steps: async t => {
      const spec = { parentRef: { resource: 'services', namespace: 'default', name: t.own('other') } };
      await t.post(ADDRESSES, { metadata: { name: '10.0.0.13' }, spec });
      t.after(() => t.quietly({ method: 'DELETE', path: `${ADDRESSES}/10.0.0.13` }));
      await t.post(await t.in('services'), service('web', { clusterIP: '10.0.0.13' }));
    },
  },
];
