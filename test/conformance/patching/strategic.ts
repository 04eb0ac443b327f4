// Strategic merge patches: lists by key, directives, and where they are not known.

import type { Case } from '../frame/case.ts';

const CONTAINERS = [
  {
    name: 'a',
    image: 'one',
    env: [
      { name: 'X', value: '1' },
      { name: 'Y', value: '2' },
    ],
    ports: [{ containerPort: 80 }],
  },
  { name: 'b', image: 'two', args: ['p', 'q'] },
];
const DEPLOYMENT = {
  metadata: { name: 'a' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: CONTAINERS, nodeSelector: { zone: 'x' } } },
  },
};

interface Row {
  readonly says: string;
  /** Of the template's Pod spec; or, with `whole`, of the Deployment. */
  readonly patches: readonly unknown[];
  readonly whole?: true;
}

const ROWS: readonly Row[] = [
  { says: 'containers merge by name', patches: [{ containers: [{ name: 'b', image: 'three' }] }] },
  { says: 'a container of a new name comes first', patches: [{ containers: [{ name: 'c', image: 'new' }] }] },
  { says: 'a container without its key is refused', patches: [{ containers: [{ image: 'new' }] }] },
  {
    says: 'a container is deleted by its key',
    patches: [
      { containers: [{ $patch: 'delete', name: 'b' }] },
      { containers: [{ $patch: 'delete', name: 'absent' }] },
    ],
  },
  {
    says: '$patch replace takes the list as it is given',
    patches: [{ containers: [{ $patch: 'replace' }, { name: 'only', image: 'left' }] }],
  },
  { says: '$patch replace in a map takes the map', patches: [{ nodeSelector: { $patch: 'replace', disk: 'ssd' } }] },
  { says: '$patch delete of a map removes it', patches: [{ nodeSelector: { $patch: 'delete' } }] },
  {
    says: '$retainKeys drops the keys that it does not list',
    patches: [{ nodeSelector: { $retainKeys: ['disk'], disk: 'ssd' } }],
  },
  {
    says: '$setElementOrder sorts a list that merges',
    patches: [
      {
        $setElementOrder: undefined,
        '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }],
        containers: [{ name: 'a', image: 'z' }],
      },
    ],
  },
  {
    says: '$setElementOrder that lacks an element of the patch is refused',
    patches: [{ '$setElementOrder/containers': [{ name: 'b' }], containers: [{ name: 'a', image: 'z' }] }],
  },
  { says: 'an unknown $patch directive is refused', patches: [{ containers: [{ $patch: 'spoil', name: 'a' }] }] },
  {
    says: 'environment variables merge by name within a container',
    patches: [
      {
        containers: [
          {
            name: 'a',
            env: [
              { name: 'Y', value: '9' },
              { name: 'Z', value: '3' },
            ],
          },
        ],
      },
    ],
  },
  {
    says: 'ports merge by containerPort',
    patches: [{ containers: [{ name: 'a', ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }] }] }],
  },
  { says: 'args are replaced, not merged', patches: [{ containers: [{ name: 'b', args: ['r'] }] }] },
  { says: 'null removes a field under a merged element', patches: [{ containers: [{ name: 'b', args: null }] }] },
  {
    says: 'tolerations are replaced, as they have no key',
    patches: [{ tolerations: [{ key: 'a', operator: 'Exists' }] }, { tolerations: [{ key: 'b', operator: 'Exists' }] }],
  },
  {
    says: 'volumes merge by name',
    patches: [
      { volumes: [{ name: 'v', emptyDir: {} }] },
      { volumes: [{ name: 'w', emptyDir: {} }] },
      { volumes: [{ name: 'v', $patch: 'delete' }] },
    ],
  },
  {
    says: 'imagePullSecrets merge by name',
    patches: [{ imagePullSecrets: [{ name: 'a' }] }, { imagePullSecrets: [{ name: 'b' }] }],
  },
  {
    says: 'a strategic patch of the wrong type is refused',
    patches: [{ containers: 'none' }, { nodeSelector: ['x'] }, { containers: [5] }],
  },
  {
    says: 'a strategic patch of replicas changes the generation',
    whole: true,
    patches: [{ spec: { replicas: 3 } }, { spec: { replicas: 3 } }, { metadata: { annotations: { a: 'b' } } }],
  },
  {
    says: 'a strategic patch cannot change the selector',
    whole: true,
    patches: [{ spec: { selector: { matchLabels: { app: 'b' } } } }],
  },
  {
    says: 'the strategy of a Deployment retains its keys',
    whole: true,
    patches: [
      { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } },
      { spec: { strategy: { type: 'RollingUpdate' } } },
    ],
  },
  {
    says: 'finalizers merge as a set, and $deleteFromPrimitiveList takes out',
    whole: true,
    patches: [
      { metadata: { finalizers: ['example.com/a', 'example.com/b'] } },
      { metadata: { finalizers: ['example.com/c'] } },
      {
        metadata: {
          '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
          '$setElementOrder/finalizers': ['example.com/c', 'example.com/b'],
        },
      },
      { metadata: { finalizers: null } },
    ],
  },
  {
    says: 'ownerReferences merge by uid',
    whole: true,
    patches: [
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Unknown', name: 'x', uid: 'u-1' }] } },
      { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Unknown', name: 'y', uid: 'u-2' }] } },
      { metadata: { ownerReferences: [{ $patch: 'delete', uid: 'u-1' }] } },
    ],
  },
  { says: 'a strategic patch that is no object is refused', whole: true, patches: ['[]', '"x"', '{'] },
];

const rowCases = ROWS.map(
  ({ says, patches, whole }): Case => ({
    says,
    steps: async t => {
      const path = await t.in('deployments', '/apis/apps/v1');
      await t.quietly({ method: 'POST', path, body: DEPLOYMENT });
      for (const patch of patches) {
        const body = whole === true ? patch : { spec: { template: { spec: patch } } };
        await t.patch(`${path}/a`, 'strategic-merge-patch+json', body);
      }
    },
  }),
);

export const strategicPatches: readonly Case[] = [
  ...rowCases,
  {
    says: 'conditions of a Pod merge by type',
    steps: async t => {
      await t.until(`${await t.in('serviceaccounts')}/default`, account => account !== undefined);
      const pods = await t.in('pods');
      const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      await t.quietly({ method: 'POST', path: pods, body: pod });
      for (const conditions of [
        [
          { type: 'Ready', status: 'False', reason: 'One' },
          { type: 'Mine', status: 'True' },
        ],
        [{ type: 'Ready', status: 'True' }],
        [{ $patch: 'delete', type: 'Mine' }],
      ]) {
        await t.patch(`${pods}/a/status`, 'strategic-merge-patch+json', { status: { conditions } });
      }
    },
  },
  {
    says: 'ports of a Service merge by port',
    steps: async t => {
      const services = await t.in('services');
      const body = {
        metadata: { name: 'a' },
        spec: {
          clusterIP: 'None',
          ports: [
            { name: 'x', port: 80 },
            { name: 'y', port: 81 },
          ],
        },
      };
      await t.quietly({ method: 'POST', path: services, body });
      await t.patch(`${services}/a`, 'strategic-merge-patch+json', { spec: { ports: [{ port: 81, targetPort: 9 }] } });
      await t.patch(`${services}/a`, 'strategic-merge-patch+json', {
        spec: { ports: [{ $patch: 'delete', port: 80 }] },
      });
    },
  },
  {
    says: 'secrets and image pull secrets of a ServiceAccount merge by name',
    steps: async t => {
      const accounts = await t.in('serviceaccounts');
      await t.quietly({ method: 'POST', path: accounts, body: { metadata: { name: 'a' }, secrets: [{ name: 's' }] } });
      await t.patch(`${accounts}/a`, 'strategic-merge-patch+json', {
        secrets: [{ name: 'r' }],
        imagePullSecrets: [{ name: 'p' }],
      });
      await t.patch(`${accounts}/a`, 'strategic-merge-patch+json', { secrets: [{ $patch: 'delete', name: 's' }] });
    },
  },
];
