// Server-side apply: who owns a field, who may take it, and what leaves when nobody names it any more.

import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

type Json = Readonly<Record<string, unknown>>;

/** One write, and by whom. */
interface Write {
  readonly by?: string;
  readonly how?: 'apply' | 'force' | 'merge' | 'update' | 'create' | 'apply-status';
  readonly body: Json;
  readonly query?: string;
}

interface Row {
  readonly says: string;
  readonly of?: 'configmaps' | 'deployments' | 'services' | 'pods';
  readonly writes: readonly Write[];
}

const APIS = { configmaps: '/api/v1', services: '/api/v1', pods: '/api/v1', deployments: '/apis/apps/v1' } as const;
const KINDS = { configmaps: 'ConfigMap', services: 'Service', pods: 'Pod', deployments: 'Deployment' } as const;

const data = (values: Json, by = 'one', how: Write['how'] = 'apply'): Write => ({ by, how, body: { data: values } });
const POD_SPEC = { containers: [{ name: 'c', image: 'i' }] };
const deployment = (spec: Json, by = 'one', how: Write['how'] = 'apply'): Write => ({ by, how, body: { spec } });
const DEPLOYMENT = {
  replicas: 1,
  selector: { matchLabels: { app: 'a' } },
  template: { metadata: { labels: { app: 'a' } }, spec: POD_SPEC },
};
const containers = (list: readonly Json[], by = 'one', how: Write['how'] = 'apply'): Write =>
  deployment({ ...DEPLOYMENT, template: { ...DEPLOYMENT.template, spec: { containers: list } } }, by, how);

const ROWS: readonly Row[] = [
  {
    says: 'what an update owns too stays when the one who applied it leaves it out',
    writes: [data({ z: '3' }, 'editor', 'create'), data({ z: '3', y: '1' }), data({ y: '1' })],
  },
  {
    says: 'finalizers and labels that an update owns too stay when an apply leaves them out',
    writes: [
      { by: 'editor', how: 'create', body: { metadata: { finalizers: ['example.com/a'], labels: { l: '1' } } } },
      { by: 'one', body: { metadata: { finalizers: ['example.com/a', 'example.com/b'], labels: { l: '1', m: '2' } } } },
      { by: 'one', body: { metadata: { labels: { m: '2' } } } },
    ],
  },
  {
    says: 'ports that an update owns too stay when an apply leaves them out',
    of: 'services',
    writes: [
      { by: 'editor', how: 'create', body: { spec: { clusterIP: 'None', ports: [{ name: 'a', port: 80 }] } } },
      {
        by: 'one',
        body: {
          spec: {
            ports: [
              { name: 'a', port: 80 },
              { name: 'b', port: 81 },
            ],
          },
        },
      },
      { by: 'one', body: { spec: { ports: [{ name: 'b', port: 81 }] } } },
    ],
  },
  {
    says: 'an apply that creates takes no notice of the version that it names',
    writes: [{ by: 'one', body: { metadata: { resourceVersion: '5' }, data: { a: '1' } } }],
  },
  { says: 'an apply creates what is not there, with 201, and says who owns what', writes: [data({ a: '1' })] },
  { says: 'an apply of the same again changes nothing', writes: [data({ a: '1' }), data({ a: '1' })] },
  { says: 'a field that its only owner leaves out is removed', writes: [data({ a: '1', b: '2' }), data({ a: '1' })] },
  {
    says: 'a field that two share stays until both leave it out',
    writes: [data({ a: '1', b: '2' }), data({ b: '2' }, 'two'), data({ a: '1' }), data({ c: '3' }, 'two')],
  },
  {
    says: 'another value for an owned field conflicts, and names the owner',
    writes: [data({ a: '1' }), data({ a: '2' }, 'two')],
  },
  {
    says: 'several conflicts are all named',
    writes: [
      data({ a: '1', b: '1', c: '1' }),
      data({ a: '2', b: '2' }, 'two'),
      data({ a: '2', b: '2', c: '1' }, 'three'),
    ],
  },
  {
    says: 'conflicts with two owners name both',
    writes: [data({ a: '1' }), data({ b: '1' }, 'two'), data({ a: '2', b: '2' }, 'three')],
  },
  {
    says: 'a forced apply takes the field over',
    writes: [data({ a: '1' }), data({ a: '2' }, 'two', 'force'), data({ a: '1' })],
  },
  { says: 'equal values are shared without conflict', writes: [data({ a: '1' }), data({ a: '1' }, 'two')] },
  {
    says: 'a field that was written by an update is owned by Update, and conflicts',
    writes: [data({ a: '1' }, 'editor', 'create'), data({ a: '2' }), data({ a: '2' }, 'one', 'force')],
  },
  {
    says: 'a merge patch moves ownership of what it changes',
    writes: [data({ a: '1', b: '1' }), data({ a: '2' }, 'two', 'merge'), data({ a: '1', b: '1' }), data({ b: '1' })],
  },
  {
    says: 'an update by the same name is another owner than its apply',
    writes: [data({ a: '1' }), data({ a: '2' }, 'one', 'merge'), data({ a: '3' })],
  },
  { says: 'an apply without a field manager is refused', writes: [{ body: { data: { a: '1' } }, query: '' }] },
  {
    says: 'an apply under dryRun changes nothing',
    writes: [data({ a: '1' }), { ...data({ a: '2' }), query: 'dryRun=All' }],
  },
  {
    says: 'an apply with managedFields in it is refused',
    writes: [
      {
        by: 'one',
        body: {
          metadata: {
            managedFields: [
              { manager: 'x', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: {} },
            ],
          },
        },
      },
    ],
  },
  {
    says: 'an apply with a resourceVersion that is not current conflicts',
    writes: [data({ a: '1' }), { by: 'one', body: { metadata: { resourceVersion: '1' }, data: { a: '2' } } }],
  },
  {
    says: 'an apply with a uid creates nothing',
    writes: [{ by: 'one', body: { metadata: { uid: '11111111-1111-1111-1111-111111111111' } } }],
  },
  { says: 'an apply of a null value keeps it as one that is owned', writes: [data({ a: '1', b: null })] },
  {
    says: 'emptying managedFields by an update resets them',
    writes: [
      data({ a: '1' }),
      { by: 'two', how: 'merge', body: { metadata: { managedFields: [{}] } } },
      data({ a: '2' }, 'three'),
    ],
  },
  { says: 'an empty apply owns nothing', writes: [data({ a: '1' }), { by: 'two', body: {} }] },
  { says: 'a field manager of over 128 letters is refused', writes: [data({ a: '1' }, 'm'.repeat(129))] },
  { says: 'a field manager that is not printable is refused', writes: [data({ a: '1' }, '%07')] },
  {
    says: 'an apply with unknown fields is refused',
    writes: [
      { by: 'one', body: { spec: { brand: 'new' } } },
      { by: 'one', body: { brand: 1 }, query: 'fieldValidation=Ignore' },
    ],
  },
  {
    says: 'labels and annotations are owned one by one',
    writes: [
      { by: 'one', body: { metadata: { labels: { a: '1', b: '1' } } } },
      { by: 'two', body: { metadata: { labels: { b: '2' }, annotations: { c: '3' } } } },
      { by: 'one', body: { metadata: { labels: { a: '1' } } } },
    ],
  },
  {
    says: 'finalizers are a set that owners share',
    writes: [
      { by: 'one', body: { metadata: { finalizers: ['example.com/a'] } } },
      { by: 'two', body: { metadata: { finalizers: ['example.com/b'] } } },
      { by: 'one', body: { metadata: {} } },
      { by: 'two', body: {} },
    ],
  },
  {
    says: 'owner references are a list by uid',
    writes: [
      { by: 'one', body: { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u-1' }] } } },
      { by: 'two', body: { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'y', uid: 'u-2' }] } } },
    ],
  },
  {
    says: 'containers are a list by name',
    of: 'deployments',
    writes: [
      containers([{ name: 'c', image: 'i' }]),
      containers([{ name: 'd', image: 'j' }], 'two'),
      containers([{ name: 'e', image: 'k' }]),
    ],
  },
  {
    says: 'a container cannot be named twice',
    of: 'deployments',
    writes: [
      containers([
        { name: 'c', image: 'i' },
        { name: 'c', image: 'j' },
      ]),
    ],
  },
  {
    says: 'the order of a list by key is the order of the one who applies',
    of: 'deployments',
    writes: [
      containers([
        { name: 'c', image: 'i' },
        { name: 'd', image: 'i' },
      ]),
      containers([
        { name: 'd', image: 'i' },
        { name: 'c', image: 'i' },
      ]),
    ],
  },
  {
    says: 'ports are a list by port and protocol, whose default is filled in',
    of: 'deployments',
    writes: [
      containers([{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }]),
      containers(
        [
          {
            name: 'c',
            image: 'i',
            ports: [
              { containerPort: 80, protocol: 'TCP', name: 'web' },
              { containerPort: 80, protocol: 'UDP' },
            ],
          },
        ],
        'two',
      ),
    ],
  },
  {
    says: 'args are atomic: two owners conflict',
    of: 'deployments',
    writes: [
      containers([{ name: 'c', image: 'i', args: ['a'] }]),
      containers([{ name: 'c', image: 'i', args: ['a', 'b'] }], 'two'),
    ],
  },
  {
    says: 'replicas handed to a scaler are left out by the one who applied them',
    of: 'deployments',
    writes: [
      deployment(DEPLOYMENT),
      deployment({ replicas: 5 }, 'scaler', 'merge'),
      deployment({ ...DEPLOYMENT, replicas: undefined }),
      deployment(DEPLOYMENT),
    ],
  },
  {
    says: 'a selector is atomic',
    of: 'deployments',
    writes: [
      deployment(DEPLOYMENT),
      { by: 'two', body: { spec: { ...DEPLOYMENT, selector: { matchLabels: { app: 'a', more: 'b' } } } } },
    ],
  },
  {
    says: 'an apply that does not make a valid object creates nothing',
    of: 'deployments',
    writes: [deployment({ replicas: 1 })],
  },
  {
    says: 'status is applied on its own path, and owned there',
    of: 'deployments',
    writes: [
      deployment(DEPLOYMENT),
      { by: 'controller', how: 'apply-status', body: { status: { observedGeneration: 1, replicas: 1 } } },
      { by: 'one', body: { spec: DEPLOYMENT, status: { replicas: 9 } } },
    ],
  },
  {
    says: 'conditions of a status are a list by type',
    of: 'deployments',
    writes: [
      deployment(DEPLOYMENT),
      { by: 'a', how: 'apply-status', body: { status: { conditions: [{ type: 'Available', status: 'True' }] } } },
      { by: 'b', how: 'apply-status', body: { status: { conditions: [{ type: 'Progressing', status: 'False' }] } } },
      { by: 'a', how: 'apply-status', body: { status: {} } },
    ],
  },
  {
    says: 'ports of a Service are a list by port and protocol',
    of: 'services',
    writes: [
      { by: 'one', body: { spec: { clusterIP: 'None', ports: [{ port: 80 }] } } },
      { by: 'two', body: { spec: { ports: [{ port: 81, name: 'b' }] } } },
    ],
  },
  {
    says: 'the status of a Deployment cannot be created by an apply',
    of: 'deployments',
    writes: [{ by: 'one', how: 'apply-status', body: { status: { replicas: 1 } } }],
  },
  {
    says: 'numbers and text of equal look conflict by type',
    of: 'deployments',
    writes: [{ by: 'one', body: { spec: { ...DEPLOYMENT, replicas: 'two' } } }],
  },
];

async function perform(t: Trial, of: keyof typeof APIS, { by, how = 'apply', body, query }: Write): Promise<void> {
  const collection = await t.in(of, APIS[of]);
  const apiVersion = APIS[of].replace(/^\/apis?\//, '');
  const whole = { apiVersion, kind: KINDS[of], ...body, metadata: { name: 'a', ...(body.metadata as Json) } };
  const asked = [by === undefined ? '' : `fieldManager=${by}`, how === 'force' ? 'force=true' : '', query ?? '']
    .filter(part => part !== '')
    .join('&');
  const path = `${collection}/a${how === 'apply-status' ? '/status' : ''}?${asked}`;
  if (how === 'create') await t.post(`${collection}?${asked}`, whole);
  else if (how === 'update') await t.put(path, whole);
  else if (how === 'merge') await t.patch(path, 'merge-patch+json', body);
  else await t.patch(path, 'apply-patch+yaml', whole);
}

export const applies: readonly Case[] = ROWS.map(
  ({ says, of = 'configmaps', writes }): Case => ({
    says,
    steps: async t => {
      for (const write of writes) await perform(t, of, write);
    },
  }),
);
