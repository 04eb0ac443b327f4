// Metadata of custom objects, and of whole objects inside them: read by its types, whatever the schema says.

import type { Case } from '../frame/case.ts';
import { type Json, object, serving, version, whole, widget } from './define.ts';

const EMBEDDED = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  'x-kubernetes-preserve-unknown-fields': true,
};
const pod = (metadata: unknown): Json => ({ apiVersion: 'v1', kind: 'Pod', metadata });
const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: 'c' };

const ODD: readonly unknown[] = [
  { name: 1 },
  { labels: { a: 1 } },
  { labels: 'x' },
  { annotations: [] },
  { finalizers: 'x' },
  { finalizers: [1] },
  { ownerReferences: [{ kind: 1 }] },
  { creationTimestamp: 'nope' },
  { deletionGracePeriodSeconds: 'x' },
  { generation: 1.5 },
  { generation: 'x' },
  { nonsense: 1 },
  'x',
  null,
  [],
];

export const innerMetadata: readonly Case[] = [
  {
    says: 'the metadata of an object inside an object is read by its types',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ e: EMBEDDED }))] });
      for (const metadata of ODD) await t.post(`${path}?dryRun=All`, widget(t, { e: pod(metadata) }));
      await t.post(`${path}?dryRun=All`, widget(t, { e: { apiVersion: 1, kind: 'Pod' } }));
    },
  },
  {
    says: 'unknown fields inside an object inside an object are told of last',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ e: EMBEDDED }))] });
      const e = pod({ nonsense: 1 });
      for (const how of ['Strict', 'Warn', 'Ignore'])
        await t.post(`${path}?dryRun=All&fieldValidation=${how}`, widget(t, { e, unknown: 1 }));
      const owned = pod({ nonsense: 1, ownerReferences: [{ ...OWNER, nonsense: 1 }] });
      await t.post(`${path}?dryRun=All&fieldValidation=Strict`, widget(t, { e: owned, unknown: 1 }));
    },
  },
  {
    says: 'the owners of a custom object are read by their types, and their unknown fields go',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ n: whole }))] });
      const odd = [
        [{ ...OWNER, nonsense: 1 }],
        [{ ...OWNER, controller: 'x' }],
        [{ ...OWNER, name: 1 }],
        'x',
        {},
        [1],
        [null],
        [{}],
      ];
      for (const ownerReferences of odd) {
        for (const how of ['Strict', 'Warn']) {
          const made = widget(t, { n: 1 }, { metadata: { name: 'a', ownerReferences } });
          await t.post(`${path}?dryRun=All&fieldValidation=${how}`, made);
        }
      }
    },
  },
  {
    says: 'what the server sets in the metadata of a custom object is read by its types all the same',
    steps: async t => {
      const path = await serving(t, { versions: [version(object({ n: whole }))] });
      const odd: readonly Json[] = [
        { generation: 'x' },
        { generation: 1.5 },
        { generation: 5 },
        { resourceVersion: 5 },
        { uid: 5 },
        { managedFields: 'x' },
        { managedFields: [{ manager: 1 }] },
        { selfLink: '/x' },
      ];
      for (const metadata of odd)
        await t.post(`${path}?dryRun=All`, widget(t, { n: 1 }, { metadata: { name: 'a', ...metadata } }));
      const huge = JSON.stringify(widget(t, { n: 1 })).replace('"name":"a"', '"name":"a","generation":1e20');
      await t.post(`${path}?dryRun=All`, huge);
    },
  },
];
