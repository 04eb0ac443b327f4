// pods/proxy, services/proxy and nodes/proxy: what a Pod serves, through the API server.

import type { Case } from '../frame/case.ts';
import { NODE } from '../frame/kubelet.ts';
import { allowed } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const IP = '10.77.0.5';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** A Pod that has an address, as a kubelet would say. */
async function podWith(t: Trial, ip: string, ports: readonly number[] = [8080], name = 'p'): Promise<string> {
  const pods = await t.in('pods');
  const container = { name: 'c', image: 'i', ports: ports.map(containerPort => ({ containerPort })) };
  const spec = { containers: [container], automountServiceAccountToken: false };
  await t.quietly({
    method: 'POST',
    path: await t.in('serviceaccounts'),
    body: { metadata: { name: 'default' } },
  });
  await t.quietly({ method: 'POST', path: pods, body: { metadata: { name }, spec } });
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }] };
  if (ip !== '') await t.quietly({ method: 'PATCH', path: `${pods}/${name}/status`, headers: MERGE, body: { status } });
  return `${pods}/${name}`;
}

async function serviceOver(t: Trial, more: object = {}): Promise<string> {
  await podWith(t, IP);
  const services = await t.in('services');
  const ports = [
    { name: 'web', port: 80, targetPort: 8080 },
    { name: 'other', port: 81, targetPort: 8081 },
  ];
  await t.quietly({ method: 'POST', path: services, body: { metadata: { name: 's' }, spec: { ports } } });
  const targetRef = { kind: 'Pod', name: 'p', namespace: t.ns };
  const subsets = [{ addresses: [{ ip: IP, targetRef }], ports: [{ name: 'web', port: 8080 }], ...more }];
  await t.quietly({ method: 'POST', path: await t.in('endpoints'), body: { metadata: { name: 's' }, subsets } });
  return `${services}/s`;
}

const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };

const CASES: readonly Case[] = [
  {
    says: 'a Pod is reached at its first port, with what was asked and by whom it was passed on',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy/echo/a?x=1&y=a%20b&x=2`, { headers: { accept: 'text/plain', 'x-own': 'z' } });
      await t.get(`${pod}/proxy/echo/`);
      await t.get(`${pod}/proxy/`);
    },
  },
  {
    says: 'a Pod is reached by each method, with the body',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.post(`${pod}/proxy/echo`, { a: 1 });
      await t.put(`${pod}/proxy/echo`, 'text', { headers: { 'content-type': 'text/plain' } });
      await t.patch(`${pod}/proxy/echo`, 'json-patch+json', '[]');
      await t.delete(`${pod}/proxy/echo?gracePeriodSeconds=0`);
      await t.send({ method: 'HEAD', path: `${pod}/proxy/teapot` });
      await t.send({ method: 'OPTIONS', path: `${pod}/proxy/echo` });
    },
  },
  {
    says: 'a Pod is named with its port, and with the scheme before',
    steps: async t => {
      const pod = await podWith(t, IP, []);
      await t.get(`${pod}/proxy/echo`);
      await t.get(`${pod}:9090/proxy/echo`);
      const [before] = [pod.replace(/p$/, '')];
      await t.get(`${before}http:p:9091/proxy/echo`);
      await t.get(`${before}ftp:p:9091/proxy/echo`);
      await t.get(`${before}:p/proxy/echo`);
      await t.get(`${before}a:b:c:d/proxy/echo`);
    },
  },
  {
    says: 'the path of a Pod that is empty leads to its folder',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy`);
      await t.get(`${pod}/proxy?a=b`);
      await t.post(`${pod}/proxy`, 'x', { headers: { 'content-type': 'text/plain' } });
    },
  },
  {
    says: 'a path is passed on with its signs, and without its empty parts',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy/echo/a%20b/%C3%A9`);
      await t.get(`${pod}/proxy/echo/a%2Fb`);
      await t.get(`${pod}/proxy/echo//a///b`);
      await t.get(`${pod}/proxy/echo/%3Fa`);
      await t.get(`${pod}/proxy/echo/a;b,c@d:e`);
    },
  },
  {
    says: 'codes and bodies of a Pod come through as they are',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy/teapot`);
      await t.get(`${pod}/proxy/status`);
      await t.get(`${pod}/proxy/empty`);
      await t.get(`${pod}/proxy/stream`);
    },
  },
  {
    says: 'headers of a Pod come through, but for those that say who may read them',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy/headers`);
    },
  },
  {
    says: 'cookies come through each by itself, as they are',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy/cookies`);
      await t.get(`${pod}/proxy/cookies?as=text%2Fhtml`);
    },
  },
  {
    says: 'redirects within a Pod lead through the API server again',
    steps: async t => {
      const pod = await podWith(t, IP);
      const targets = [
        '/a/b?c=d#e',
        'rel',
        '../up',
        '//other.example/x',
        'https://other.example/y',
        `http://${IP}:8080/z/`,
      ];
      for (const to of targets) await t.get(`${pod}/proxy/redirect/here?to=${encodeURIComponent(to)}`);
      await t.get(`${pod}/proxy/redirect?to=${encodeURIComponent(`${pod}/proxy/already`)}`);
    },
  },
  {
    says: 'links of a page lead through the API server, those of scripts and comments stay',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.get(`${pod}/proxy/html`);
      await t.get(`${pod}/proxy/html/?as=text%2Fplain`);
    },
  },
  {
    says: 'a Pod that does not answer is told of as a service that is not reached',
    steps: async t => {
      const pod = await podWith(t, IP);
      await t.post(`${pod}/proxy/cut`, 'x', { headers: { 'content-type': 'text/plain' } });
    },
  },
  {
    says: 'nobody is let through to an address that is not of the cluster',
    steps: async t => {
      await t.get(`${await podWith(t, '', [8080], 'none')}/proxy/echo`);
      await t.get(`${await podWith(t, '127.0.0.1', [8080], 'loopback')}/proxy/echo`);
      await t.get(`${await podWith(t, '169.254.169.254', [80], 'metadata')}/proxy/echo`);
      await t.get(`${await podWith(t, '::1', [80], 'six')}/proxy/echo`);
      await t.get(`${await t.in('pods')}/nobody/proxy/echo`);
    },
  },
  {
    says: 'a Service is reached through a Pod behind it',
    steps: async t => {
      const service = await serviceOver(t);
      await t.get(`${service}:web/proxy/echo?a=b`);
      await t.get(`${service}:80/proxy/echo`);
      await t.get(`${service.replace(/s$/, 'http:s:web')}/proxy/echo`);
      await t.get(`${service}:web/proxy/redirect?to=/x`);
      await t.get(`${service}:web/proxy`);
    },
  },
  {
    says: 'a Service without the port, or without a Pod behind it, is not available',
    steps: async t => {
      const service = await serviceOver(t);
      await t.get(`${service}/proxy/echo`);
      await t.get(`${service}:other/proxy/echo`);
      await t.get(`${service}:81/proxy/echo`);
      await t.get(`${service}:82/proxy/echo`);
      await t.get(`${service}:none/proxy/echo`);
      await t.get(`${await t.in('services')}/nobody/proxy/echo`);
      await t.get(`${await t.in('services')}/nobody:80/proxy/echo`);
      await t.get(`${await t.in('services')}/a:b:c/proxy/echo`);
    },
  },
  {
    says: 'a Service does not lead to an address that is no Pod’s of its Namespace',
    steps: async t => {
      const service = await serviceOver(t, { addresses: [{ ip: '10.77.0.9' }] });
      await t.get(`${service}:web/proxy/echo`);
      const other = { ip: '10.77.0.9', targetRef: { kind: 'Pod', name: 'p', namespace: t.ns } };
      const body = { subsets: [{ addresses: [other], ports: [{ name: 'web', port: 8080 }] }] };
      await t.quietly({ method: 'PATCH', path: `${await t.in('endpoints')}/s`, headers: MERGE, body });
      await t.get(`${service}:web/proxy/echo`);
      await t.quietly({
        method: 'PATCH',
        path: `${await t.in('endpoints')}/s`,
        headers: MERGE,
        body: { subsets: null },
      });
      await t.get(`${service}:web/proxy/echo`);
    },
  },
  {
    says: 'a Node is reached at a port of its own',
    steps: async t => {
      const name = t.own('n');
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${name}` }));
      const addresses = [{ type: 'InternalIP', address: '10.77.0.7' }];
      await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name }, status: { addresses } } });
      await t.get(`/api/v1/nodes/${name}:9100/proxy/echo/metrics?a=b`);
      await t.get(`/api/v1/nodes/${name}:9100/proxy`);
      await t.get(`/api/v1/nodes/http:${name}:9100/proxy/redirect?to=/x`);
    },
  },
  {
    says: 'a Node on the machine of the API server itself is not reached',
    steps: async t => {
      await t.get(`/api/v1/nodes/${NODE}/proxy/healthz`);
      await t.get(`/api/v1/nodes/${NODE}:9100/proxy/metrics`);
      await t.get('/api/v1/nodes/nobody/proxy/healthz');
      await t.get(`/api/v1/nodes/a:b:c/proxy/healthz`);
    },
  },
  {
    says: 'who may not proxy is refused by the verb of the method and the name with its port',
    steps: async t => {
      const pod = await podWith(t, IP);
      const as = { user: 'somebody' };
      await t.get(`${pod}:8080/proxy/echo`, { as });
      await t.post(`${pod}/proxy/echo`, 'x', { as });
      await t.delete(`${pod}/proxy/echo`, undefined, { as });
      await t.send({ method: 'HEAD', path: `${pod}/proxy/echo`, as });
      await t.get(`${await t.in('services')}/https:s:web/proxy/`, { as });
      await t.get(`/api/v1/nodes/${NODE}/proxy/metrics`, { as });
    },
  },
  {
    says: 'who may get proxies may get, and no more; nor upgrade',
    steps: async t => {
      const pod = await podWith(t, IP);
      const rules = [{ apiGroups: [''], resources: ['pods/proxy'], verbs: ['get'] }];
      const roles = await t.in('roles', '/apis/rbac.authorization.k8s.io/v1');
      await t.quietly({ method: 'POST', path: roles, body: { metadata: { name: 'r' }, rules } });
      const subjects = [{ kind: 'User', name: 'getter', apiGroup: 'rbac.authorization.k8s.io' }];
      const roleRef = { kind: 'Role', name: 'r', apiGroup: 'rbac.authorization.k8s.io' };
      const bindings = await t.in('rolebindings', '/apis/rbac.authorization.k8s.io/v1');
      await t.quietly({ method: 'POST', path: bindings, body: { metadata: { name: 'b' }, subjects, roleRef } });
      await allowed(t, 'getter', { namespace: t.ns, verb: 'get', resource: 'pods', subresource: 'proxy' });
      const as = { user: 'getter' };
      await t.get(`${pod}/proxy/echo`, { as });
      await t.post(`${pod}/proxy/echo`, 'x', { as });
    },
  },
  {
    says: 'an upgrade to where nobody may go is refused before it begins',
    steps: async t => {
      const pod = await podWith(t, '127.0.0.1');
      await t.get(`${pod}/proxy/ws`, { headers: upgrade });
      await t.get(`${await t.in('services')}/nobody:80/proxy/ws`, { headers: upgrade });
    },
  },
];

export const proxies: readonly Case[] = CASES.map(each => ({ ...each, says: `through the API server: ${each.says}` }));
