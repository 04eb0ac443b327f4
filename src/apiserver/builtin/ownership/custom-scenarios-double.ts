// Sequences of writes to a custom resource, whose CRD says how lists and maps are owned.

import type { JsonObject } from '../../parts.ts';
import type { Scenario } from './scenario-double.ts';

const labels = { app: 'web' };
const schema: JsonObject = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', default: 3 },
        tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        names: { type: 'array', items: { type: 'string' } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        fixed: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: { type: 'string' } },
        port: { 'x-kubernetes-int-or-string': true },
        disks: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'bus'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: { type: 'string' },
              bus: { type: 'string', default: 'nvme' },
              gib: { type: 'integer' },
            },
          },
        },
      },
    },
    status: { type: 'object', properties: { phase: { type: 'string' } } },
  },
};
const machine = {
  apiVersion: 'example.com/v1',
  kind: 'Machine',
  plural: 'machines',
  definition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'machines.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'machines', kind: 'Machine' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
      ],
    },
  },
};

export const customScenarios: readonly Scenario[] = [
  {
    says: 'custom resources are owned as their CRD says',
    ...machine,
    writes: [
      {
        by: 'ann',
        how: 'apply',
        body: {
          metadata: { labels, finalizers: ['a/a'] },
          spec: {
            tags: ['x', 'y'],
            names: ['a'],
            free: { a: { b: [1], c: 'd' } },
            fixed: { a: 'b' },
            port: 'http',
            disks: [{ name: 'one', gib: 1 }, { name: 'two' }],
          },
        },
      },
      {
        by: 'bob',
        how: 'apply',
        body: {
          spec: {
            tags: ['z', 'y'],
            free: { a: { c: 'd', e: 1 } },
            disks: [{ name: 'three' }, { name: 'one', bus: 'nvme', gib: 1 }],
          },
        },
      },
      { by: 'bob', how: 'apply', body: { spec: { fixed: { c: 'd' }, names: ['b'], port: 80 } } },
      { by: 'eve', how: 'merge', body: { spec: { size: 5, free: { a: null, z: 1 } } } },
      { by: 'ann', how: 'apply', body: { spec: { tags: ['y'], disks: [{ name: 'two', gib: 2 }] } } },
      { by: 'kubelet', how: 'status', body: { metadata: { labels: { no: 'way' } }, status: { phase: 'Up' } } },
      { by: 'kubelet', how: 'apply status', body: { metadata: { labels: { no: 'way' } }, status: { phase: 'Down' } } },
      { by: 'ann', how: 'apply', body: { spec: { colour: 'red' } } },
      { by: 'ann', how: 'apply', body: { spec: { tags: ['a', 'a'] } } },
      { by: 'ann', how: 'apply', body: {} },
    ],
  },
  {
    says: 'what a creator of a custom resource sent is its own, whole objects included',
    ...machine,
    writes: [
      {
        by: 'maker',
        how: 'create',
        body: { metadata: { labels }, spec: { tags: ['x'], free: {}, disks: [{ name: 'a' }] } },
      },
      { by: 'ann', how: 'apply', body: { spec: { size: 4, disks: [{ name: 'a', gib: 3 }] } } },
      { by: 'ann', how: 'force', body: { spec: { size: 4, disks: [{ name: 'a', gib: 3 }] } } },
    ],
  },
  {
    says: 'an object that was emptied goes, and comes back when it is stated',
    ...machine,
    writes: [
      { by: 'ann', how: 'apply', body: { spec: { free: {} } } },
      { by: 'ann', how: 'apply', body: { spec: {} } },
      { by: 'ann', how: 'apply', body: { spec: {} } },
    ],
  },
];
