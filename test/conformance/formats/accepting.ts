// Odd wishes: discovery in protobuf, paths that are not there, parameters of media types, wishes that contradict each other.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';
import { dumped } from '../frame/wire-dump.ts';
import { PROTOBUF, YAML } from './prepared.ts';

const JSON_TYPE = 'application/json';
const AGGREGATED = ';as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io';
const ODD = [
  'text/html',
  'application/cbor',
  'text/plain',
  `${PROTOBUF};stream=watch`,
  '*/*;q=0',
  ',',
  ';',
  'nonsense',
];

/** What came: its code, its media type, and how it begins or what it says. */
async function noted(t: Trial, path: string, accept: string): Promise<void> {
  const { status, headers, body, json } = await t.quietly({ method: 'GET', path, headers: { accept } });
  const type = headers['content-type'] ?? 'none';
  const said = json?.message ?? body.toString('latin1', 0, 14).replace(/[^\x20-\x7e]/g, '.');
  t.note(`${path} as ${accept}`, [status, type, t.mask.text(said)]);
}

/** Each path in each way. */
const each =
  (paths: readonly string[], accepted: readonly string[]) =>
  async (t: Trial): Promise<void> => {
    for (const path of paths) for (const accept of accepted) await noted(t, path, accept);
  };

export const accepting: readonly Case[] = [
  {
    says: 'the versions and kinds of the core group in protobuf name no version of their own',
    steps: async t => {
      t.mask.remember(new URL(t.ground.url).host, '<host>');
      for (const accept of [PROTOBUF, `${PROTOBUF};stream=watch`]) {
        for (const path of ['/api', '/api/v1']) await t.get(path, { headers: { accept } });
      }
    },
  },
  {
    says: 'a group and its kinds in protobuf',
    steps: async t => {
      await t.get('/apis/coordination.k8s.io', { headers: { accept: PROTOBUF } });
      await t.get('/apis/coordination.k8s.io/v1', { headers: { accept: PROTOBUF } });
      const { status, body } = await t.quietly({ method: 'GET', path: '/apis', headers: { accept: PROTOBUF } });
      t.note('all groups', [status, JSON.stringify(dumped(body)).includes('coordination.k8s.io')]);
    },
  },
  {
    says: 'the aggregated form of the core group in protobuf',
    steps: async t => {
      const { status, headers, body } = await t.quietly({
        method: 'GET',
        path: '/api',
        headers: { accept: `${PROTOBUF}${AGGREGATED}` },
      });
      t.note('head', [status, headers['content-type'], headers['cache-control'], headers.vary]);
      t.note('body', dumped(body));
    },
  },
  {
    says: 'the aggregated form in protobuf and in YAML has the tag that it has in JSON',
    steps: async t => {
      for (const path of ['/api', '/apis']) {
        const tags = new Set<string | undefined>();
        for (const type of [JSON_TYPE, YAML, PROTOBUF]) {
          const accept = `${type}${AGGREGATED}`;
          const { status, headers } = await t.quietly({ method: 'GET', path, headers: { accept } });
          t.note(`${path} as ${type}`, [status, headers['content-type']]);
          tags.add(headers.etag);
          // Kinds of other cases may come in between; the core group stays.
          if (path === '/apis') continue;
          const known = { accept, 'if-none-match': headers.etag ?? '' };
          t.note('known', (await t.quietly({ method: 'GET', path, headers: known })).status);
        }
        if (path === '/api') t.note('tags', tags.size);
      }
    },
  },
  {
    says: 'the first wish for the aggregated form counts, wherever it stands',
    steps: each(
      ['/api', '/apis'],
      [
        `${JSON_TYPE},${JSON_TYPE}${AGGREGATED}`,
        `${PROTOBUF}${AGGREGATED},${JSON_TYPE}${AGGREGATED}`,
        `${JSON_TYPE}${AGGREGATED};q=0.1,${YAML}${AGGREGATED};q=0.2,${PROTOBUF}`,
        `text/html,${JSON_TYPE}${AGGREGATED}`,
        `*/*${AGGREGATED}`,
        `application/*${AGGREGATED}`,
        `${JSON_TYPE}${AGGREGATED};profile=nopeer`,
        `${JSON_TYPE};as=APIGroupDiscoveryList;v=v1;g=apidiscovery.k8s.io,${YAML}`,
      ],
    ),
  },
  {
    says: 'a path that is not there is not there in any form',
    steps: each(['/nonsense', '/api/v2', '/apis/none', '/apis/none/v1', '/apis/apps/v9', '/api/v1/nonsenses'], ODD),
  },
  {
    says: 'documents of discovery in odd forms',
    steps: each(['/api', '/api/v1', '/apis', '/apis/apps', '/apis/apps/v1', '/version'], ODD),
  },
  {
    says: 'objects and lists in odd forms',
    steps: async t => {
      const pods = await t.in('pods');
      await each([pods, `${pods}/none`, `/api/v1/namespaces/${t.ns}`], ODD)(t);
    },
  },
  {
    says: 'a refusal in a form that nobody has is indented',
    steps: async t => {
      const path = await t.in('secrets/none');
      for (const accept of ['text/html', 'application/json', 'text/html, application/json', 'image/*,text/*']) {
        const { status, body } = await t.quietly({ method: 'GET', path, headers: { accept } });
        t.note(accept, [status, t.mask.text(body.toString())]);
      }
      const { status, body } = await t.quietly({
        method: 'GET',
        path: '/api/v1/nodes',
        headers: { accept: 'text/html' },
        as: { user: t.own('nobody') },
      });
      t.note('forbidden', [status, t.mask.text(body.toString())]);
    },
  },
  {
    says: 'the more wanted and the more exact media type comes first',
    steps: each(
      ['/apis/apps', '/api/v1/namespaces/none/pods'],
      [
        '*',
        `*/*,${YAML}`,
        `application/*,${YAML}`,
        `*/*;q=0.9,${YAML};q=0.1`,
        `${YAML};q=0.3,*/*;q=0.2`,
        `${JSON_TYPE};q=x,${YAML}`,
        `${JSON_TYPE};Q=0.1,${YAML}`,
        `${JSON_TYPE};q= 0.1,${YAML}`,
        `${JSON_TYPE};q=0.1;q=0.9,${YAML};q=0.5`,
        `${JSON_TYPE}\t,${YAML}`,
        'APPLICATION/JSON',
        'application/json/x',
        'application',
        '*/json',
      ],
    ),
  },
  {
    says: 'parameters of a media type that a server does not know, or only by half',
    steps: each(
      ['/apis/apps', '/api/v1/namespaces/none/pods'],
      ['v=v1', 'g=meta.k8s.io', 'as=', 'as=Table', 'sv=v1', 'sv=v9', 'sv=', 'stream=', 'stream=other', 'export=1'].map(
        parameter => `${JSON_TYPE};${parameter},${YAML}`,
      ),
    ),
  },
  {
    says: 'YAML has no stream, whatever is asked for',
    steps: async t => {
      const pods = await t.in('pods');
      for (const path of [`${pods}?watch=1&timeoutSeconds=1`, pods, `${pods}/none`, '/apis/apps']) {
        for (const accept of [`${YAML};stream=watch`, `${YAML};stream=watch,${JSON_TYPE}`])
          await noted(t, path, accept);
      }
    },
  },
  {
    says: 'JSON in lines is asked for by a parameter, too',
    steps: async t => {
      const path = await t.in('secrets/none');
      for (const accept of ['pretty=1', 'pretty=true', 'pretty=0'].map(parameter => `${JSON_TYPE};${parameter}`)) {
        const { body } = await t.quietly({ method: 'GET', path, headers: { accept } });
        t.note(accept, t.mask.text(body.toString()));
        const list = await t.quietly({ method: 'GET', path: '/apis/apps', headers: { accept } });
        t.note('a group', list.body.toString());
      }
    },
  },
  {
    says: 'the form of a document of OpenAPI is the most wanted one',
    steps: each(
      ['/openapi/v2', '/openapi/v3/apis/events.k8s.io/v1'],
      [
        '*',
        '*/json',
        'text/html',
        'nonsense',
        ',',
        `${JSON_TYPE};q=0.1,text/html`,
        `text/html,*/*;q=0.1`,
        'APPLICATION/JSON',
      ],
    ),
  },
  {
    says: 'an object whose metadata is asked for as that of a list is looked for, and changed, all the same',
    steps: async t => {
      const maps = await t.in('configmaps');
      const headers = { accept: `${JSON_TYPE};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io` };
      await t.get(`${maps}/none`, { headers });
      await t.post(maps, { metadata: { name: 'a' } }, { headers });
      await t.get(`${maps}/a`);
      await t.delete(`${maps}/a`, undefined, { headers });
      await t.get(`${maps}/a`);
      await t.get(maps, { headers: { accept: `${JSON_TYPE};as=PartialObjectMetadata;v=v1;g=meta.k8s.io` } });
    },
  },
];
