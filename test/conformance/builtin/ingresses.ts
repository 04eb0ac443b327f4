// Ingresses and their classes: what makes sense of rules, paths, backends and certificates.

import type { Case } from '../frame/case.ts';
import { atCluster, changing, inOwnNamespace, trying } from './tried.ts';

const NETWORKING = '/apis/networking.k8s.io/v1';
const backend = { service: { name: 'web', port: { number: 80 } } };
const path = (more: object = {}): object => ({ path: '/', pathType: 'Prefix', backend, ...more });
const rule = (...paths: readonly object[]): object => ({ spec: { rules: [{ http: { paths } }] } });
const hosted = (host: string): object => ({ spec: { rules: [{ host, http: { paths: [path()] } }] } });
const behind = (defaultBackend: object): object => ({ spec: { defaultBackend } });

const tried = trying(inOwnNamespace('ingresses', NETWORKING), { spec: { defaultBackend: backend } });
const changed = changing(inOwnNamespace('ingresses', NETWORKING), { spec: { defaultBackend: backend } });
const classes = trying(atCluster('ingressclasses', NETWORKING), { spec: { controller: 'example.com/ingress' } });
const classChanged = changing(atCluster('ingressclasses', NETWORKING), { spec: { controller: 'example.com/ingress' } });

export const ingresses: readonly Case[] = [
  tried('an Ingress has a backend or rules', {}, { spec: {} }, { spec: { rules: [{}] } }),
  tried(
    'a backend of an Ingress is a Service or a resource, not both',
    behind({}),
    behind({ ...backend, resource: { kind: 'Bucket', name: 'b' } }),
    behind({ resource: { apiGroup: 'example.com', kind: 'Bucket', name: 'b' } }),
    behind({ resource: { apiGroup: 'not a group', kind: '', name: '' } }),
  ),
  tried(
    'a backend of an Ingress names a Service and one port of it',
    behind({ service: { name: '', port: { number: 80 } } }),
    behind({ service: { name: 'Not_A_Name', port: { number: 80 } } }),
    behind({ service: { name: 'web', port: { number: 80, name: 'http' } } }),
    behind({ service: { name: 'web', port: {} } }),
    behind({ service: { name: 'web' } }),
    behind({ service: { name: 'web', port: { number: 70_000 } } }),
    behind({ service: { name: 'web', port: { name: 'Not_A_Port' } } }),
  ),
  tried(
    'a host of an Ingress is a name, with at most a star in front',
    hosted('example.com'),
    hosted('*.example.com'),
    hosted('192.168.0.1'),
    hosted('Not_A_Host'),
    hosted('a.*.com'),
    hosted('*'),
  ),
  tried('rules of an Ingress have paths', rule(), { spec: { rules: [{ host: 'example.com' }] } }),
  tried(
    'a path of an Ingress says how it is meant',
    rule(path({ pathType: undefined })),
    rule(path({ pathType: 'Odd' })),
    rule(path({ pathType: 'Exact' })),
    rule(path({ pathType: 'ImplementationSpecific', path: '' })),
  ),
  tried(
    'a path of an Ingress begins at the root and goes straight',
    rule(path({ path: 'a' })),
    rule(path({ path: '' })),
    rule(path({ path: '/a//b' })),
    rule(path({ path: '/a/./b' })),
    rule(path({ path: '/a/../b' })),
    rule(path({ path: '/a/..' })),
    rule(path({ path: '/a/.' })),
    rule(path({ path: '/a%2fb' })),
    rule(path({ path: 'a', pathType: 'ImplementationSpecific' })),
    rule(path({ path: '/a//b', pathType: 'ImplementationSpecific' })),
  ),
  tried('every wrong path of an Ingress is told', rule(path({ path: 'a' }), path({ backend: {} }), path())),
  tried(
    'certificates of an Ingress are for hosts, and in Secrets',
    { spec: { defaultBackend: backend, tls: [{ hosts: ['example.com', '*.example.com'], secretName: 'cert' }] } },
    { spec: { defaultBackend: backend, tls: [{ hosts: ['Not_A_Host'] }] } },
    { spec: { defaultBackend: backend, tls: [{ hosts: ['*.'] }] } },
    { spec: { defaultBackend: backend, tls: [{ secretName: 'Not_A_Secret' }] } },
  ),
  tried('the class of an Ingress is a name', { spec: { defaultBackend: backend, ingressClassName: 'Not_A_Name' } }),
  {
    says: 'a new Ingress names its class once',
    steps: async t => {
      const annotations = { 'kubernetes.io/ingress.class': 'old' };
      const metadata = { name: 'a', annotations };
      const all = await t.in('ingresses', NETWORKING);
      await t.post(all, { metadata, spec: { defaultBackend: backend, ingressClassName: 'new' } });
      await t.post(all, { metadata, spec: { defaultBackend: backend } });
      await t.patch(`${all}/a`, 'merge-patch+json', { spec: { ingressClassName: 'new' } });
    },
  },
  changed(
    'a changed Ingress is held to the same',
    { spec: { defaultBackend: null } },
    { spec: { rules: [{ http: { paths: [{ path: 'a', pathType: 'Prefix', backend }] } }] } },
  ),
  {
    says: 'the status of an Ingress tells of addresses and hosts',
    steps: async t => {
      const all = await t.in('ingresses', NETWORKING);
      await t.quietly({
        method: 'POST',
        path: all,
        body: { metadata: { name: 'a' }, spec: { defaultBackend: backend } },
      });
      const say = (...ingress: readonly object[]): Promise<unknown> =>
        t.patch(`${all}/a/status?dryRun=All`, 'merge-patch+json', { status: { loadBalancer: { ingress } } });
      await say({ ip: '192.168.0.1' }, { hostname: 'lb.example.com' });
      await say({ ip: 'mine' });
      await say({ hostname: 'Not_A_Host' });
      await say({ hostname: '192.168.0.1' });
      await say({});
      await say({ ip: '192.168.0.1', ports: [{ port: 80, protocol: 'TCP', error: 'not an error' }] });
      await say({ ip: '192.168.0.1', ports: [{ port: 0, protocol: 'IPX' }] });
    },
  },
  classes(
    'an IngressClass names a controller by domain and path',
    {},
    { spec: {} },
    { spec: { controller: 'nodomain' } },
    { spec: { controller: 'Not_A_Domain/a' } },
    { spec: { controller: 'example.com/' } },
    { spec: { controller: `example.com/${'a'.repeat(240)}` } },
  ),
  classes(
    'the parameters of an IngressClass are of a scope',
    { spec: { controller: 'example.com/a', parameters: { kind: 'P', name: 'p' } } },
    { spec: { controller: 'example.com/a', parameters: { kind: 'P', name: 'p', scope: 'Odd' } } },
    { spec: { controller: 'example.com/a', parameters: { kind: 'P', name: 'p', scope: 'Namespace' } } },
    { spec: { controller: 'example.com/a', parameters: { kind: 'P', name: 'p', namespace: 'n' } } },
    { spec: { controller: 'example.com/a', parameters: { kind: '', name: '', apiGroup: 'not a group' } } },
  ),
  classChanged('the controller of an IngressClass is fixed', { spec: { controller: 'example.com/other' } }),
];
