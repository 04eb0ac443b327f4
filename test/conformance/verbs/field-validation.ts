// Fields that a kind does not have, or that are written twice: refused, warned about, or dropped in silence.

import type { Case } from '../frame/case.ts';
import { widgets } from '../frame/prepared.ts';

const twice = '{"metadata":{"name":"a","name":"b"},"data":{"k":"1","k":"2"},"data":{"k":"3"}}';
const odd = { metadata: { name: 'a', colour: 'red' }, data: { k: 'v' }, stuff: { a: 1 } };

const pruning = {
  subresources: { status: {} },
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer' },
            parts: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
          },
        },
        status: { type: 'object', properties: { is: { type: 'string' } } },
      },
    },
  },
};

const template = {
  metadata: { labels: { app: 'a' }, colour: 'red' },
  spec: {
    containers: [
      { name: 'c', image: 'i', imagePullSecret: 'x' },
      { name: 'd', image: 'i', ports: [{ containerPort: 80, port: 80 }], resources: { limit: {} } },
    ],
  },
};
const deployment = {
  metadata: { name: 'a' },
  spec: { replica: 3, selector: { matchLabels: { app: 'a' }, matchLabel: {} }, template },
};

export const fieldValidation: readonly Case[] = [
  {
    says: 'unknown fields are dropped with a warning each by default',
    steps: async t => {
      await t.post(await t.in('configmaps'), odd);
    },
  },
  {
    says: 'Strict refuses unknown fields with all their places',
    steps: async t => {
      await t.post(await t.in('configmaps?fieldValidation=Strict'), odd);
      await t.post(await t.in('deployments?fieldValidation=Strict', '/apis/apps/v1'), deployment);
    },
  },
  {
    says: 'Ignore drops unknown fields in silence',
    steps: async t => {
      await t.post(await t.in('configmaps?fieldValidation=Ignore'), odd);
    },
  },
  {
    says: 'Warn names the place of unknown fields in lists and nested objects',
    steps: async t => {
      await t.post(await t.in('deployments?fieldValidation=Warn', '/apis/apps/v1'), deployment);
    },
  },
  {
    says: 'a field written twice is warned about, and the last one stands',
    steps: async t => {
      await t.post(await t.in('configmaps'), twice);
    },
  },
  {
    says: 'Strict refuses fields that are written twice, Ignore takes the last',
    steps: async t => {
      await t.post(await t.in('configmaps?fieldValidation=Strict'), twice);
      await t.post(await t.in('configmaps?fieldValidation=Ignore'), twice);
    },
  },
  {
    says: 'another fieldValidation is refused, an empty one is the default',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(`${maps}?fieldValidation=strict`, odd);
      await t.post(`${maps}?fieldValidation=`, odd);
      await t.put(`${maps}/a?fieldValidation=None`, odd);
      await t.patch(`${maps}/a?fieldValidation=None`, 'merge-patch+json', {});
    },
  },
  {
    says: 'a field in another case than its own is unknown to Strict',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(`${maps}?fieldValidation=Strict`, { metadata: { name: 'a' }, Data: { k: 'v' } });
      await t.post(maps, { Metadata: { Name: 'b' }, metadata: { name: 'a' }, DATA: { k: 'v' } });
    },
  },
  {
    says: 'an update warns about unknown fields too, and Strict refuses them',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      await t.put(`${maps}/a`, odd);
      await t.put(`${maps}/a?fieldValidation=Strict`, odd);
    },
  },
  {
    says: 'a patch warns about unknown fields too, and Strict refuses them as the fault of the patch',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      for (const how of ['merge-patch+json', 'strategic-merge-patch+json']) {
        await t.patch(`${maps}/a`, how, { stuff: 1 });
        await t.patch(`${maps}/a?fieldValidation=Ignore`, how, { stuff: 1 });
      }
      const add = [{ op: 'add', path: '/stuff', value: 1 }];
      await t.patch(`${maps}/a`, 'json-patch+json', add);
      await t.patch(`${maps}/a?fieldValidation=Strict&dryRun=All`, 'json-patch+json', add);
    },
  },
  {
    says: 'an apply refuses unknown fields whatever fieldValidation says',
    steps: async t => {
      const path = await t.in('configmaps/a?fieldManager=me');
      const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, stuff: 1 };
      await t.patch(path, 'apply-patch+yaml', applied);
      await t.patch(`${path}&fieldValidation=Strict`, 'apply-patch+yaml', applied);
    },
  },
  {
    says: 'unknown fields of a custom object are pruned with warnings',
    steps: async t => {
      const { path, api } = await widgets(t, pruning);
      const spec = { size: 1, colour: 'red', parts: [{ id: 'a' }, { id: 'b', weight: 1 }] };
      const body = { apiVersion: api, kind: 'Widget', metadata: { name: 'a', colour: 'red' }, spec, extra: {} };
      await t.post(path, body);
      await t.post(`${path}?fieldValidation=Strict`, body);
      await t.post(`${path}?fieldValidation=Ignore`, { ...body, metadata: { name: 'b' } });
    },
  },
  {
    says: 'an update and a patch of a custom object are told of unknown fields',
    steps: async t => {
      const { path, api } = await widgets(t, pruning);
      const { json } = await t.post(path, { apiVersion: api, kind: 'Widget', metadata: { name: 'a' }, spec: {} });
      const { json: second } = await t.put(`${path}/a`, { ...json, spec: { size: 1, colour: 'red' } });
      await t.put(`${path}/a?fieldValidation=Strict`, { ...second, spec: { colour: 'red' } });
      await t.patch(`${path}/a`, 'merge-patch+json', { spec: { colour: 'red', size: 2 } });
      await t.patch(`${path}/a?fieldValidation=Strict`, 'merge-patch+json', { spec: { colour: 'red' } });
      await t.patch(`${path}/a/status`, 'merge-patch+json', { status: { was: 'x' } });
    },
  },
  {
    says: 'fields that a custom object has twice are told like those of built-in kinds',
    steps: async t => {
      const { path, api } = await widgets(t, pruning);
      const text = `{"apiVersion":"${api}","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}`;
      await t.post(path, text);
      await t.post(`${path}?fieldValidation=Strict`, text);
    },
  },
  {
    says: 'fields that YAML says twice are told with their line',
    steps: async t => {
      const yaml = 'metadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\nstuff: 1\n';
      const headers = { 'content-type': 'application/yaml' };
      const maps = await t.in('configmaps');
      await t.post(`${maps}?fieldValidation=Strict`, yaml, { headers });
      await t.post(maps, yaml, { headers });
    },
  },
  {
    says: 'every answer about a deprecated kind carries a warning',
    steps: async t => {
      const path = await t.in('endpoints');
      await t.get(path);
      await t.get(`${path}/none`);
      await t.post(path, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'what is doubtful in the template of a workload is warned about',
    steps: async t => {
      const sets = await t.in('replicasets?dryRun=All', '/apis/apps/v1');
      const containers = [
        {
          name: 'c',
          image: 'i',
          env: [
            { name: 'A', value: '1' },
            { name: 'A', value: '2' },
          ],
          ports: [{ containerPort: 80 }, { containerPort: 80 }],
        },
      ];
      const doubtful = {
        metadata: { labels: { app: 'a' } },
        spec: { containers, nodeSelector: { 'beta.kubernetes.io/os': 'linux' }, serviceAccount: 'x' },
      };
      await t.post(sets, {
        metadata: { name: 'a' },
        spec: { selector: { matchLabels: { app: 'a' } }, template: doubtful },
      });
    },
  },
];
