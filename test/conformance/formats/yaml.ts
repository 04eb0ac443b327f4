// YAML in and out.

import { parse } from 'yaml';
import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { acceptYaml, YAML } from './prepared.ts';

const sendYaml = { headers: { 'content-type': YAML } };

export const yaml: readonly Case[] = [
  {
    says: 'an object, a list and a refusal in YAML',
    steps: async t => {
      const secrets = await t.in('secrets');
      await t.get(secrets, acceptYaml);
      await t.quietly({ method: 'POST', path: secrets, body: { metadata: { name: 'a' }, data: { key: 'AAEC' } } });
      await t.quietly({ method: 'GET', path: `${secrets}/a` }).then(({ json }) => t.note('object', json));
      await t.get(`${secrets}/none`, acceptYaml);
    },
  },
  {
    says: 'texts that YAML could read as something else come back as texts',
    steps: async t => {
      const texts = [
        'yes',
        'null',
        '1',
        '1.5',
        'true',
        '~',
        '0x10',
        '2026-01-02',
        'a: b',
        '- a',
        ' space',
        "it's",
        '#',
        '',
      ];
      const data = Object.fromEntries(
        [
          ...texts,
          'two\nlines',
          'end\n',
          'ä€',
          '"',
          '0o7',
          '1e3',
          'NaN',
          '=',
          '!a',
          '&a',
          '*a',
          '%',
          '@',
          '`',
          '|',
          '>',
        ].map((text, index) => [`k${index}`, text]),
      );
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' }, data } });
      const { body } = await t.quietly({ method: 'GET', path: `${maps}/a`, ...acceptYaml });
      t.note('read back', parse(body.toString(), { version: '1.1' }).data);
    },
  },
  {
    says: 'an object is created and changed from YAML',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, 'metadata:\n  name: a\ndata:\n  key: value\n  "on": "1"\n', sendYaml);
      await t.put(
        `${maps}/a`,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {key: changed}\n',
        sendYaml,
      );
    },
  },
  {
    says: 'anchors and merge keys are resolved',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(
        maps,
        'metadata:\n  name: a\n  labels: &l {app: x}\n  annotations:\n    <<: *l\n    more: y\n',
        sendYaml,
      );
    },
  },
  {
    says: 'of several documents the first is read',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, 'metadata: {name: a}\n---\nmetadata: {name: b}\n', sendYaml);
      await t.post(maps, '---\nmetadata: {name: c}\n', sendYaml);
      await t.post(maps, '# only words\n---\nmetadata: {name: d}\n', sendYaml);
    },
  },
  {
    says: 'scalars of YAML are of the type that they read as',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, 'metadata: {name: a}\ndata: {key: 1}\n', sendYaml);
      await t.post(maps, 'metadata: {name: a}\ndata: {key: yes}\n', sendYaml);
      await t.post(maps, 'metadata: {name: a}\nimmutable: "true"\n', sendYaml);
    },
  },
  {
    says: 'JSON is YAML too',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, '{"metadata":{"name":"a"},"data":{"key":"value"}}', sendYaml);
    },
  },
  {
    says: 'YAML that holds no object is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const text of ['', 'a', '- a\n- b\n', '~', '42']) await t.post(maps, text, sendYaml);
    },
  },
  {
    says: 'custom objects in YAML, in and out',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.post(
        path,
        `apiVersion: ${api}\nkind: Widget\nmetadata: {name: a}\nspec: {size: 3, ratio: 0.5, on: true}\n`,
        sendYaml,
      );
      const { body } = await t.quietly({ method: 'GET', path: `${path}/a`, ...acceptYaml });
      t.note(
        'spec',
        body
          .toString()
          .split('\n')
          .filter(line => !line.startsWith(' ') || /size|ratio|on:/.test(line))
          .join('\n')
          .replaceAll(api, 'the group'),
      );
    },
  },
  {
    says: 'options of a deletion in YAML are obeyed',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      await t.delete(`${maps}/a`, 'preconditions: {uid: not-its-uid}\n', sendYaml);
      await t.delete(`${maps}/a`, 'apiVersion: v1\nkind: DeleteOptions\npropagationPolicy: Background\n', sendYaml);
    },
  },
  {
    says: 'Tables and metadata alone in YAML',
    steps: async t => {
      const leases = await t.in('leases', '/apis/coordination.k8s.io/v1');
      await t.get(leases, { headers: { accept: `${YAML};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io` } });
      const { status, headers, body } = await t.quietly({
        method: 'GET',
        path: leases,
        headers: { accept: `${YAML};as=Table;v=v1;g=meta.k8s.io` },
      });
      t.note('table', [status, headers['content-type'], body.toString().split('\n')[0]]);
    },
  },
];
