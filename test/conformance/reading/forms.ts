// What is read in another form: Tables, and metadata alone.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import { label, METADATA, METADATA_LIST, secretsIn, TABLE, versionOf } from './prepared.ts';

const accepting = (accept: string): { headers: Record<string, string> } => ({ headers: { accept } });

const descriptionOf = ({ description }: { description: string }): string => description;

export const formed: readonly Case[] = [
  {
    says: 'a list as a Table has columns, and rows with the metadata of their objects',
    steps: async t => {
      await t.get(await secretsIn(t, 'a', 'b'), { headers: TABLE });
    },
  },
  {
    says: 'a get as a Table has one row',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(`${secrets}/a`, { headers: TABLE });
      await t.get(`${secrets}/none`, { headers: TABLE });
    },
  },
  {
    says: 'an empty Table has columns and no rows, and pages of Tables have tokens',
    steps: async t => {
      await t.get(await t.in('leases', '/apis/coordination.k8s.io/v1'), { headers: TABLE });
      await t.get(`${await secretsIn(t, 'a', 'b')}?limit=1`, { headers: TABLE });
    },
  },
  {
    says: 'rows hold what includeObject asks for',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      for (const include of ['None', 'Metadata', 'Object', '', 'All']) {
        await t.get(`${secrets}?includeObject=${include}`, { headers: TABLE });
      }
    },
  },
  {
    says: 'a Table in the older version, or in none',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(secrets, accepting('application/json;as=Table;v=v1beta1;g=meta.k8s.io'));
      await t.get(secrets, accepting('application/json;as=Table;v=v2;g=meta.k8s.io'));
      await t.get(secrets, accepting('application/json;as=Table;g=meta.k8s.io'));
      await t.get(secrets, accepting('application/json;as=Table;v=v1;g=example.com'));
      await t.get(secrets, accepting('application/json;as=Chair;v=v1;g=meta.k8s.io'));
    },
  },
  {
    says: 'a Table of Pods says how they are',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('a', { nodeName: 'nowhere' }) });
      const headers = { 'content-type': 'application/merge-patch+json' };
      const running = {
        phase: 'Running',
        podIP: '10.1.1.1',
        podIPs: [{ ip: '10.1.1.1' }],
        containerStatuses: [
          {
            name: 'main',
            ready: true,
            restartCount: 2,
            image: 'i',
            imageID: '',
            state: { running: {} },
            lastState: {},
          },
        ],
      };
      await t.quietly({ method: 'PATCH', path: `${pods}/a/status`, headers, body: { status: running } });
      await t.get(pods, { headers: TABLE });
    },
  },
  {
    says: 'a Table of custom objects has the columns of their definition',
    steps: async t => {
      const { path, api } = await widgets(t, {
        additionalPrinterColumns: [
          { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large' },
          { name: 'Ready', type: 'boolean', jsonPath: '.spec.ready' },
          { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
          { name: 'Parts', type: 'string', jsonPath: '.spec.parts[*].name' },
          { name: 'Map', type: 'string', jsonPath: '.spec.map' },
          { name: 'Born', type: 'date', jsonPath: '.metadata.creationTimestamp' },
          { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio', format: 'float' },
        ],
      });
      const full = {
        size: 3,
        ready: true,
        color: 'red',
        parts: [{ name: 'x' }, { name: 'y' }],
        map: { a: 1 },
        ratio: 1.5,
      };
      const kind = { apiVersion: api, kind: 'Widget' };
      await t.quietly({ method: 'POST', path, body: { ...kind, metadata: { name: 'a' }, spec: full } });
      await t.quietly({ method: 'POST', path, body: { ...kind, metadata: { name: 'b' }, spec: { size: 'three' } } });
      await t.get(path, { headers: TABLE });
      await t.get(`${path}/a`, { headers: TABLE });
    },
  },
  {
    says: 'columns of custom kinds are described in the words of their definition',
    steps: async t => {
      const described = { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large' };
      const { path } = await widgets(t, { additionalPrinterColumns: [described] });
      const { json } = await t.quietly({ method: 'GET', path, headers: TABLE });
      t.note('descriptions', json.columnDefinitions.slice(1).map(descriptionOf));
    },
  },
  {
    says: 'columns of built-in kinds are described',
    difference: 2,
    steps: async t => {
      const { json } = await t.quietly({ method: 'GET', path: await t.in('secrets'), headers: TABLE });
      t.note(
        'has words',
        json.columnDefinitions.every((column: { description: string }) => descriptionOf(column) !== ''),
      );
    },
  },
  {
    says: 'a Table of custom objects without columns has names and ages',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } } });
      await t.get(path, { headers: TABLE });
    },
  },
  {
    says: 'a list of metadata alone, and one object of it',
    steps: async t => {
      const secrets = await secretsIn(t, 'a', 'b');
      await label(t, `${secrets}/a`, { is: 'labelled' });
      await t.get(secrets, { headers: METADATA_LIST });
      await t.get(`${secrets}/a`, { headers: METADATA });
      await t.get(`${secrets}/none`, { headers: METADATA });
    },
  },
  {
    says: 'a list asked for as one, and one object asked for as a list, of metadata',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(secrets, { headers: METADATA });
      await t.get(`${secrets}/a`, { headers: METADATA_LIST });
      await t.get(await t.in('replicasets', '/apis/apps/v1'), { headers: METADATA });
      await t.get('/apis/rbac.authorization.k8s.io/v1/clusterroles', { headers: METADATA });
      const { path } = await widgets(t, {});
      await t.get(path, { headers: METADATA });
    },
  },
  {
    says: 'metadata of custom objects alone',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } } });
      await t.get(path, { headers: METADATA_LIST });
      await t.get(`${path}/a`, { headers: METADATA });
    },
  },
  {
    says: 'a watch of Tables sends the columns once',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      const watch = await t.watch(`${secrets}?watch=1&resourceVersion=${version}`, { headers: TABLE });
      await label(t, `${secrets}/a`, { is: 'changed' });
      await t.quietly({ method: 'DELETE', path: `${secrets}/a` });
      await watch.frames(2);
    },
  },
  {
    says: 'a watch of Tables holds what includeObject asks for',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await versionOf(t, secrets);
      for (const include of ['None', 'Object', 'All']) {
        const path = `${secrets}?watch=1&timeoutSeconds=1&includeObject=${include}`;
        await (await t.watch(path, { headers: TABLE })).toEnd();
      }
    },
  },
  {
    says: 'a watch of metadata alone tells what enters and leaves',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      const version = await versionOf(t, secrets);
      const path = `${secrets}?watch=1&resourceVersion=${version}&labelSelector=is%3Din`;
      const watch = await t.watch(path, { headers: METADATA });
      await label(t, `${secrets}/a`, { is: 'in' });
      await label(t, `${secrets}/a`, { is: 'out' });
      await watch.frames(2);
    },
  },
  {
    says: 'the first form that can be had is taken, a plain one as well',
    steps: async t => {
      const secrets = await secretsIn(t, 'a');
      await t.get(secrets, accepting(`application/json;as=Chair;v=v1;g=meta.k8s.io,${TABLE.accept},application/json`));
      await t.get(secrets, accepting(`application/json;as=Chair;v=v1;g=meta.k8s.io,application/json`));
      await t.get(secrets, accepting(`application/json,${TABLE.accept}`));
    },
  },
  {
    says: 'what is created, changed and deleted is answered in the form that was asked for',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.post(secrets, { metadata: { name: 'a' } }, { headers: METADATA });
      const body = { metadata: { labels: { is: 'changed' } } };
      await t.patch(`${secrets}/a`, 'merge-patch+json', body, { headers: TABLE });
      await t.delete(`${secrets}/a`, undefined, { headers: METADATA });
    },
  },
];
