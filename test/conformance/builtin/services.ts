// Services: addresses and ports that the server gives out, and what of them may change.

import type { Case } from '../frame/case.ts';

const ports = [{ port: 80 }];
const MERGE = 'merge-patch+json';
const service = (name: string, spec: object): object => ({ metadata: { name }, spec: { ports, ...spec } });

export const services: readonly Case[] = [
  {
    says: 'a Service gets an address of the cluster, and keeps it',
    steps: async t => {
      const path = await t.in('services');
      const { json } = await t.post(path, service('web', { selector: { app: 'web' } }));
      await t.put(`${path}/web`, service('web', { selector: { app: 'other' } }));
      await t.patch(`${path}/web`, MERGE, { spec: { clusterIP: '10.0.0.250' } });
      await t.patch(`${path}/web`, MERGE, { spec: { clusterIP: 'None' } });
      await t.post(path, service('same', { clusterIP: json.spec?.clusterIP ?? '10.0.0.1' }));
      await t.post(path, service('outside', { clusterIP: '192.168.7.7' }));
      await t.post(path, service('words', { clusterIP: 'mine' }));
      await t.delete(`${path}/web`);
      await t.post(path, service('again', { clusterIP: json.spec?.clusterIP ?? '10.0.0.1' }));
    },
  },
  {
    says: 'a Service of type NodePort gets a port of every Node',
    steps: async t => {
      const path = await t.in('services');
      const { json } = await t.post(path, service('web', { type: 'NodePort' }));
      const port = json.spec?.ports?.[0]?.nodePort;
      t.note('in the range', port >= 30_000 && port <= 32_767);
      const chosen = { type: 'NodePort', ports: [{ port: 80, nodePort: 30_123 }] };
      await t.post(path, service('chosen', chosen));
      await t.post(path, service('same', chosen));
      await t.post(path, service('low', { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] }));
      await t.post(path, service('inside', { ports: [{ port: 80, nodePort: 30_124 }] }));
      await t.patch(`${path}/web`, MERGE, { spec: { type: 'ClusterIP', ports: [{ port: 80, nodePort: null }] } });
    },
  },
  {
    says: 'a headless Service has no address, and gets none later',
    steps: async t => {
      const path = await t.in('services');
      await t.post(path, service('headless', { clusterIP: 'None', ports: undefined, selector: { app: 'web' } }));
      await t.patch(`${path}/headless`, MERGE, { spec: { clusterIP: null } });
      await t.patch(`${path}/headless`, MERGE, { spec: { type: 'NodePort', ports } });
    },
  },
  {
    says: 'a Service of type ExternalName is a name and nothing else',
    steps: async t => {
      const path = await t.in('services');
      await t.post(path, { metadata: { name: 'away' }, spec: { type: 'ExternalName', externalName: 'example.com' } });
      await t.post(path, { metadata: { name: 'nameless' }, spec: { type: 'ExternalName' } });
      await t.post(path, { metadata: { name: 'odd' }, spec: { type: 'ExternalName', externalName: 'Not A Name' } });
      await t.patch(`${path}/away`, MERGE, { spec: { type: 'ClusterIP', externalName: null, ports } });
      await t.patch(`${path}/away`, MERGE, { spec: { type: 'ExternalName', externalName: 'example.org' } });
    },
  },
  {
    says: 'a Service of type LoadBalancer has ports of Nodes and a status of its own',
    steps: async t => {
      const path = await t.in('services');
      await t.post(path, service('lb', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }));
      await t.post(path, service('bare', { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false }));
      await t.patch(`${path}/lb/status`, MERGE, { status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } });
      await t.patch(`${path}/lb/status`, MERGE, { status: { loadBalancer: { ingress: [{ ip: 'nowhere' }] } } });
      await t.patch(`${path}/lb`, MERGE, { spec: { type: 'ClusterIP' } });
    },
  },
  {
    says: 'a Service says of which families its addresses are',
    steps: async t => {
      const path = await t.in('services');
      await t.post(path, service('prefers', { ipFamilyPolicy: 'PreferDualStack' }));
      await t.post(path, service('requires', { ipFamilyPolicy: 'RequireDualStack' }));
      await t.post(path, service('six', { ipFamilies: ['IPv6'] }));
      await t.post(path, service('odd', { ipFamilyPolicy: 'Triple', ipFamilies: ['IPv5'] }));
    },
  },
  {
    says: 'a Service whose ports make no sense is refused',
    steps: async t => {
      const path = await t.in('services');
      await t.post(path, service('none', { ports: [] }));
      await t.post(path, service('unnamed', { ports: [{ port: 80 }, { port: 81 }] }));
      const twice = [
        { name: 'a', port: 80 },
        { name: 'a', port: 80 },
      ];
      await t.post(path, service('twice', { ports: twice }));
      await t.post(path, service('odd', { ports: [{ port: 70_000, protocol: 'ICMP', targetPort: 'Not_A_Port' }] }));
      await t.post(path, service('affinity', { sessionAffinity: 'Always', externalIPs: ['127.0.0.1'] }));
      await t.post(path, { metadata: { name: '9lives' }, spec: { ports } });
    },
  },
  {
    says: 'a Service that was only tried takes no address',
    steps: async t => {
      // Of those that are given to nobody who does not ask for one.
      const path = await t.in('services');
      await t.post(`${path}?dryRun=All`, service('web', { clusterIP: '10.0.0.14' }));
      await t.post(path, service('web', { clusterIP: '10.0.0.14' }));
      t.after(() => t.quietly({ method: 'DELETE', path: `${path}/web` }));
      await t.post(path, service('same', { clusterIP: '10.0.0.14' }));
    },
  },
  {
    says: 'the Service kubernetes is always there',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/api/v1/namespaces/default/services/kubernetes' });
      const { name, namespace, labels } = json.metadata ?? {};
      const { ports: own, ...spec } = json.spec ?? {};
      const port = { ...own?.[0], targetPort: typeof own?.[0]?.targetPort };
      t.note('service', { metadata: { name, namespace, labels }, spec, port });
    },
  },
  {
    says: 'EndpointSlices are checked by their family of addresses',
    steps: async t => {
      const path = await t.in('endpointslices', '/apis/discovery.k8s.io/v1');
      const slice = (name: string, more: object): object => ({
        metadata: { name },
        addressType: 'IPv4',
        endpoints: [],
        ...more,
      });
      const endpoints = [{ addresses: ['192.0.2.1'], conditions: { ready: true } }];
      await t.post(path, slice('good', { endpoints, ports: [{ port: 80 }] }));
      await t.post(path, slice('six', { endpoints: [{ addresses: ['2001:db8::1'] }] }));
      await t.post(path, slice('none', { endpoints: [{ addresses: [] }] }));
      await t.patch(`${path}/good`, MERGE, { addressType: 'IPv6' });
      await t.post(path, slice('odd', { addressType: 'Carrier', ports: [{ port: 0, protocol: 'X' }] }));
    },
  },
];
