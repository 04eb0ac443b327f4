// Which format is taken and which is refused: Accept (406) and Content-Type (415).

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';
import { PROTOBUF, YAML } from './prepared.ts';

export const negotiating: readonly Case[] = [
  {
    says: 'what can be had of what is accepted is answered',
    steps: async t => {
      const path = await t.in('secrets/none');
      for (const accept of [
        '*/*',
        '',
        'application/*',
        'application/json',
        'APPLICATION/JSON',
        'application/json; charset=utf-8',
        'text/html,application/json',
        'text/html,*/*;q=0.8',
        `${YAML},application/json`,
        'application/json;q=0.5,application/yaml;q=0.9',
        'application/json;q=0',
        'application/json;pretty=1',
        'application/x-yaml',
        'text/yaml',
      ]) {
        const { status, headers } = await t.quietly({ method: 'GET', path, headers: { accept } });
        t.note(accept, [status, headers['content-type']]);
      }
    },
  },
  {
    says: 'a list in what cannot be had is refused with what can',
    steps: async t => {
      const secrets = await t.in('secrets');
      for (const accept of ['text/html', 'application/xml', 'image/*', 'nonsense', 'application/json2', 'text/*']) {
        await t.get(secrets, { headers: { accept } });
      }
    },
  },
  {
    says: 'custom objects in what cannot be had are refused with what can',
    steps: async t => {
      const { path } = await widgets(t, {});
      await t.get(path, { headers: { accept: 'text/html' } });
      await t.get(path, { headers: { accept: PROTOBUF } });
    },
  },
  {
    says: 'a create in what cannot be had back is refused before it is carried out',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } }, { headers: { accept: 'text/html' } });
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a body in an unknown format is refused with those that are known',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const type of [
        'text/plain',
        'application/xml',
        'application/x-www-form-urlencoded',
        'nonsense',
        'text/json',
      ]) {
        await t.post(maps, '{"metadata":{"name":"a"}}', { headers: { 'content-type': type } });
      }
    },
  },
  {
    says: 'a body of JSON is known by parameters, and by nothing at all',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const type of [
        'application/json; charset=utf-8',
        'application/json;charset=ISO-8859-1',
        'APPLICATION/JSON',
        '',
      ]) {
        const body = '{"metadata":{"generateName":"a-"}}';
        const { status, json } = await t.quietly({
          method: 'POST',
          path: maps,
          body,
          headers: { 'content-type': type },
        });
        t.note(type, [status, json.message ?? 'created']);
      }
    },
  },
  {
    says: 'custom objects in an unknown format are refused',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      const body = JSON.stringify({ apiVersion: api, kind: 'Widget', metadata: { name: 'a' } });
      await t.post(path, body, { headers: { 'content-type': 'text/plain' } });
    },
  },
  {
    says: 'a patch in an unknown format is refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      for (const type of ['json', 'yaml', 'x-patch', 'merge-patch+yaml', 'merge-patch+json; charset=utf-8']) {
        await t.patch(`${maps}/a`, type, {});
      }
    },
  },
  {
    says: 'a strategic patch of custom objects is of an unknown format',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      await t.quietly({ method: 'POST', path, body: { apiVersion: api, kind: 'Widget', metadata: { name: 'a' } } });
      await t.patch(`${path}/a`, 'strategic-merge-patch+json', { spec: { size: 1 } });
    },
  },
  {
    says: 'options of a deletion in an unknown format are refused',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({ method: 'POST', path: maps, body: { metadata: { name: 'a' } } });
      await t.delete(`${maps}/a`, '{}', { headers: { 'content-type': 'text/plain' } });
    },
  },
  {
    says: 'JSON that is none is refused in the words of its decoder',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const body of ['{', '{"metadata":{"name":"a"}', 'null', '[]', '"a"', '{}{}', '{"metadata":"a"}']) {
        await t.post(maps, body, { headers: { 'content-type': 'application/json' } });
      }
    },
  },
  {
    says: 'signs that HTML could read come back, and JSON is a line',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.quietly({
        method: 'POST',
        path: maps,
        body: { metadata: { name: 'a' }, data: { key: '<a>&\u2028\u2029 \u007f' } },
      });
      const { body } = await t.quietly({ method: 'GET', path: `${maps}/a` });
      t.note('read', JSON.parse(body.toString()).data);
      t.note('ends with', body.toString().slice(-2));
    },
  },
];
