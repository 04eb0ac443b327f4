// Creating: what is filled in, and what is refused.

import type { Case } from '../frame/case.ts';

export const creating: readonly Case[] = [
  {
    says: 'a create answers 201 with uid, creationTimestamp and resourceVersion',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' }, data: { key: 'value' } });
      await t.get(`${maps}/a`);
    },
  },
  {
    says: 'a create of a name that exists answers 409 AlreadyExists',
    steps: async t => {
      const maps = await t.in('configmaps');
      await t.post(maps, { metadata: { name: 'a' } });
      await t.post(maps, { metadata: { name: 'a' } });
    },
  },
  {
    says: 'generateName makes a name of five more characters',
    steps: async t => {
      const maps = await t.in('configmaps');
      const { json } = await t.post(maps, { metadata: { generateName: 'made-' } });
      t.note('characters', json.metadata.name.length);
    },
  },
];
