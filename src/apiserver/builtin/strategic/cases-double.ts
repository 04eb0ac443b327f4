// Strategic merge patches with what they make of a Deployment: held against ours here, and against the real server in
// test/kube.

import type { JsonObject } from '../../parts.ts';

export interface PatchCase {
  readonly says: string;
  /** The Pod template's spec before. */
  readonly live: JsonObject;
  readonly patch: JsonObject;
  /** The Pod template's spec after; absent when the patch is refused. */
  readonly after?: JsonObject;
}

const a = {
  name: 'a',
  image: 'a:1',
  env: [
    { name: 'X', value: '1' },
    { name: 'Y', value: '2' },
  ],
};
const b = { name: 'b', image: 'b:1' };
const c = { name: 'c', image: 'c:1' };

export const patchCases: readonly PatchCase[] = [
  {
    says: 'list items merge by their key, and a new one is appended',
    live: { containers: [a, b] },
    patch: { containers: [{ name: 'b', image: 'b:2' }, c] },
    after: { containers: [a, { ...b, image: 'b:2' }, c] },
  },
  {
    says: 'lists inside list items merge too',
    live: { containers: [a] },
    patch: {
      containers: [
        {
          name: 'a',
          env: [
            { name: 'Y', value: '3' },
            { name: 'Z', value: '4' },
          ],
        },
      ],
    },
    after: {
      containers: [
        {
          ...a,
          env: [
            { name: 'X', value: '1' },
            { name: 'Y', value: '3' },
            { name: 'Z', value: '4' },
          ],
        },
      ],
    },
  },
  {
    says: '$patch: delete takes an item out',
    live: { containers: [a, b] },
    patch: { containers: [{ name: 'a', $patch: 'delete' }] },
    after: { containers: [b] },
  },
  {
    says: '$patch: replace in a list makes the rest of the patch the whole list',
    live: { containers: [a, b] },
    patch: { containers: [c, { $patch: 'replace' }] },
    after: { containers: [c] },
  },
  {
    says: '$patch: replace in an object replaces it',
    live: { containers: [b], nodeSelector: { a: '1', b: '2' } },
    patch: { nodeSelector: { $patch: 'replace', c: '3' } },
    after: { containers: [b], nodeSelector: { c: '3' } },
  },
  {
    says: '$patch: delete in an object empties it',
    live: { containers: [b], nodeSelector: { a: '1' } },
    patch: { nodeSelector: { $patch: 'delete' } },
    after: { containers: [b] },
  },
  {
    says: 'null removes a key, and one that is not there does nothing',
    live: { containers: [b], nodeSelector: { a: '1', b: '2' } },
    patch: { nodeSelector: { a: null, c: null }, hostname: null },
    after: { containers: [b], nodeSelector: { b: '2' } },
  },
  {
    says: 'lists without a merge strategy are replaced',
    live: { containers: [{ ...b, command: ['x', 'y'] }], tolerations: [{ key: 'a', operator: 'Exists' }] },
    patch: { containers: [{ name: 'b', command: ['z'] }], tolerations: [{ key: 'b', operator: 'Exists' }] },
    after: { containers: [{ ...b, command: ['z'] }], tolerations: [{ key: 'b', operator: 'Exists' }] },
  },
  {
    says: '$setElementOrder puts the named items in order, and keeps the others near their place',
    live: { containers: [a, b, c] },
    patch: {
      '$setElementOrder/containers': [{ name: 'c' }, { name: 'a' }],
      containers: [{ name: 'a', image: 'a:2' }],
    },
    after: { containers: [b, c, { ...a, image: 'a:2' }] },
  },
  {
    says: '$setElementOrder alone sorts',
    live: { containers: [a, b, c] },
    patch: { '$setElementOrder/containers': [{ name: 'c' }, { name: 'b' }, { name: 'a' }] },
    after: { containers: [c, b, a] },
  },
  {
    says: '$setElementOrder without all items of the patch is refused',
    live: { containers: [a] },
    patch: { '$setElementOrder/containers': [{ name: 'a' }], containers: [{ name: 'b', image: 'b' }] },
  },
  {
    says: 'a volume keeps only the keys that $retainKeys names',
    live: { containers: [b], volumes: [{ name: 'v', emptyDir: {} }] },
    patch: { volumes: [{ name: 'v', $retainKeys: ['name', 'configMap'], configMap: { name: 'm' } }] },
    after: { containers: [b], volumes: [{ name: 'v', configMap: { name: 'm' } }] },
  },
  {
    says: 'a patch with a key that $retainKeys does not name is refused',
    live: { containers: [b], volumes: [{ name: 'v', emptyDir: {} }] },
    patch: { volumes: [{ name: 'v', $retainKeys: ['name'], configMap: { name: 'm' } }] },
  },
  {
    says: 'a list item without its merge key is refused',
    live: { containers: [a] },
    patch: { containers: [{ image: 'x' }] },
  },
  {
    says: 'an unknown directive is refused',
    live: { containers: [a] },
    patch: { nodeSelector: { $patch: 'explode' }, containers: [{ name: 'a', $patch: 'explode' }] },
  },
  {
    says: 'directives and nulls inside something new are dropped',
    live: { containers: [b] },
    patch: { affinity: { podAffinity: null, nodeAffinity: { $retainKeys: ['x'] } } },
    after: { containers: [b], affinity: { nodeAffinity: {} } },
  },
  {
    says: '$patch: replace in an object that is not there does nothing',
    live: { containers: [b] },
    patch: { nodeSelector: { $patch: 'replace', c: '3' } },
    after: { containers: [b] },
  },
  {
    says: '$patch: delete in an object that is not there',
    live: { containers: [b] },
    patch: { nodeSelector: { $patch: 'delete', c: '3' } },
    after: { containers: [b] },
  },
  {
    says: '$patch: replace deep in an object that is not there',
    live: { containers: [b] },
    patch: { affinity: { podAffinity: { $patch: 'replace' }, nodeAffinity: {} } },
    after: { containers: [b], affinity: { nodeAffinity: {} } },
  },
];
