// Discovery: what is served, in the old form and in the aggregated one, in every format.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';
import { PROTOBUF, YAML } from './prepared.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const GROUPS = [
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'batch',
  'certificates.k8s.io',
  'coordination.k8s.io',
  'discovery.k8s.io',
  'events.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'resource.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
];

/** Of any shape. */
type Document = Told['json'];

/** Other cases define kinds meanwhile. */
const isOfThisServer = (name: string): boolean => !name.endsWith('.example.com');

async function aggregated(t: Trial, root: string, accept = AGGREGATED): Promise<Document> {
  const told = await t.quietly({ method: 'GET', path: root, headers: { accept } });
  t.note('head', [told.status, told.headers['content-type'], told.headers['cache-control'], told.headers.vary]);
  return told.json;
}

export const discovering: readonly Case[] = [
  {
    says: 'the versions of the core group',
    steps: async t => {
      const { json, headers } = await t.quietly({ method: 'GET', path: '/api' });
      t.note('head', [headers['content-type'], headers['cache-control']]);
      t.note('versions', {
        ...json,
        serverAddressByClientCIDRs: json.serverAddressByClientCIDRs.map(({ clientCIDR }: Document) => clientCIDR),
      });
      const address = json.serverAddressByClientCIDRs[0].serverAddress;
      t.note('is the address of the server', address === new URL(t.ground.url).host);
    },
  },
  {
    says: 'the kinds of the core group',
    steps: async t => {
      await t.get('/api/v1');
      await t.get('/api/v1/');
    },
  },
  {
    says: 'the kinds of each built-in group',
    steps: async t => {
      for (const group of GROUPS) await t.get(`/apis/${group}/v1`);
    },
  },
  {
    says: 'the groups, in their order of preference',
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: '/apis' });
      const groups = json.groups.filter(({ name }: Document) => isOfThisServer(name) && name !== 'autoscaling');
      t.note('groups', { ...json, groups });
    },
  },
  {
    says: 'autoscaling is served in both of its versions',
    difference: 10,
    steps: async t => {
      await t.get('/apis/autoscaling');
    },
  },
  {
    says: 'one group, with and without a slash at the end',
    steps: async t => {
      for (const path of ['/apis/apps', '/apis/apps/', '/apis/apiextensions.k8s.io', '/apis/']) {
        const { status, json } = await t.quietly({ method: 'GET', path });
        t.note(path, path === '/apis/' ? [status, json.kind] : [status, json]);
      }
    },
  },
  {
    says: 'groups and versions that are not served',
    steps: async t => {
      for (const path of ['/apis/none', '/apis/none/v1', '/apis/apps/v2', '/api/v2', '/apis/none/v1/', '/apix'])
        await t.get(path);
    },
  },
  {
    says: 'the aggregated form of the core group',
    steps: async t => {
      t.note('document', await aggregated(t, '/api'));
    },
  },
  {
    says: 'the aggregated form of the named groups',
    steps: async t => {
      const { items, ...rest } = await aggregated(t, '/apis');
      t.note('document', rest);
      const ours = items.filter(({ metadata }: Document) => GROUPS.includes(metadata.name));
      for (const item of ours) t.note(item.metadata.name, item);
    },
  },
  {
    says: 'the aggregated form in its older version, in none, and beside the old form',
    steps: async t => {
      for (const accept of [
        'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList',
        'application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList',
        'application/json;as=APIGroupDiscoveryList',
        `${AGGREGATED},application/json`,
        `application/json,${AGGREGATED}`,
        `application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,${AGGREGATED}`,
        'text/html',
      ]) {
        const { status, headers, json } = await t.quietly({ method: 'GET', path: '/apis', headers: { accept } });
        t.note(accept, [status, headers['content-type'], json?.kind, json?.apiVersion]);
      }
    },
  },
  {
    says: 'the aggregated form has a tag by which it need not be read again',
    steps: async t => {
      const read = (tag?: string): Promise<Document> =>
        t.quietly({
          method: 'GET',
          path: '/api',
          headers: { accept: AGGREGATED, ...(tag && { 'if-none-match': tag }) },
        });
      const first = await read();
      t.note('shape of the tag', /^"[0-9A-F]{128}"$/.test(first.headers.etag));
      const again = await read(first.headers.etag);
      t.note('again', [
        again.status,
        again.body.length,
        again.headers.etag === first.headers.etag,
        again.headers['content-type'],
      ]);
      const other = await read('"other"');
      t.note('with another tag', [other.status, other.body.length > 0]);
      const weak = await read(`W/${first.headers.etag}`);
      t.note('with a weak tag', weak.status);
    },
  },
  {
    says: 'a custom kind is discovered in both forms',
    steps: async t => {
      const { api } = await widgets(t, {
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      });
      const [group = ''] = api.split('/');
      await t.get(`/apis/${group}`);
      const { json } = await t.quietly({ method: 'GET', path: `/apis/${api}` });
      t.note('kinds', {
        ...json,
        resources: json.resources.map((each: Document) => ({ ...each, storageVersionHash: '' })),
      });
      const whole = await t.quietly({ method: 'GET', path: '/apis', headers: { accept: AGGREGATED } });
      t.note(
        'aggregated',
        whole.json.items.find(({ metadata }: Document) => metadata.name === group),
      );
    },
  },
  {
    says: 'discovery in YAML and in protobuf',
    steps: async t => {
      await t.get('/apis/policy/v1', { headers: { accept: YAML } });
      await t.get('/apis/policy/v1', { headers: { accept: PROTOBUF } });
      await t.get('/apis/policy', { headers: { accept: PROTOBUF } });
      await t.get('/apis/policy', { headers: { accept: 'text/html' } });
    },
  },
  {
    says: 'discovery is for reading',
    steps: async t => {
      const { status } = await t.quietly({ method: 'POST', path: '/apis', body: {} });
      t.note('a POST to the groups', status);
      await t.post('/apis/policy/v1', {});
      await t.delete('/api');
      for (const path of ['/api', '/api/v1', '/apis', '/apis/policy', '/apis/policy/v1']) {
        await t.send({ method: 'HEAD', path });
      }
    },
  },
  {
    says: 'the root names the paths of the server',
    steps: async t => {
      const { json, headers } = await t.quietly({ method: 'GET', path: '/' });
      const isShared = (path: string): boolean =>
        !/example\.com|autoscaling|^.(healthz|livez|readyz).|slis|^.(flagz|statusz)/.test(path);
      t.note('head', headers['content-type']);
      t.note('paths', json.paths.filter(isShared));
    },
  },
];
