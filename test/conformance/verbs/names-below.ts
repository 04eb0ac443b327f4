// Names in what is sent below an object: which is asked first, the object or the name in the body.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';

const DEPLOYMENT = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { app: 'd' } },
    template: { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
};

export const namesBelow: readonly Case[] = [
  {
    says: 'a binding without a name, or with another, is refused before its Pod is looked for',
    steps: async t => {
      const pods = await podsIn(t);
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      for (const name of ['p', 'none']) {
        await t.post(`${pods}/${name}/binding`, { target: { name: 'n' } });
        await t.post(`${pods}/${name}/binding`, { metadata: { name: 'other' }, target: { name: 'n' } });
        await t.post(`${pods}/${name}/binding`, { metadata: { name, namespace: 'other' }, target: { name: 'n' } });
        await t.post(`${pods}/${name}/binding`, { metadata: { name }, target: {} });
      }
      await t.post(await t.in('bindings'), { target: { name: 'n' } });
      await t.post(await t.in('bindings'), { metadata: { name: 'none' }, target: { name: 'n' } });
    },
  },
  {
    says: 'an eviction without a name, or with another, is refused before its Pod is looked for',
    steps: async t => {
      const pods = await podsIn(t);
      for (const metadata of [undefined, { name: 'other' }, { name: 'none', namespace: 'other' }, { name: 'none' }]) {
        await t.post(`${pods}/none/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata });
      }
    },
  },
  {
    says: 'a Scale without a name is refused before what it scales is looked for',
    steps: async t => {
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.quietly({ method: 'POST', path: deployments, body: DEPLOYMENT });
      for (const name of ['d', 'none']) {
        await t.put(`${deployments}/${name}/scale`, {});
        await t.put(`${deployments}/${name}/scale`, { metadata: { name: 'other' } });
        await t.put(`${deployments}/${name}/scale`, { metadata: { name, namespace: 'other' } });
        await t.put(`${deployments}/${name}/scale`, { metadata: { name }, spec: { replicas: 2 } });
      }
    },
  },
  {
    says: 'a status without a name is refused before its object is looked for',
    steps: async t => {
      const pods = await podsIn(t);
      await t.put(`${pods}/none/status`, {});
      await t.put(`${pods}/none/status`, { metadata: { name: 'other' } });
      await t.put(`${pods}/none`, {});
      await t.patch(`${pods}/none/status`, 'merge-patch+json', { metadata: { name: 'other' } });
    },
  },
  {
    says: 'a name that is not the one of the address is found after the conflict of an apply',
    steps: async t => {
      const maps = await t.in('configmaps');
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { x: '1' } };
      await t.quietly({ method: 'POST', path: maps, body });
      const other = { ...body, metadata: { name: 'zz' }, data: { x: '2' } };
      await t.patch(`${maps}/a?fieldManager=me`, 'apply-patch+yaml', other);
      await t.patch(`${maps}/a?fieldManager=me&force=true`, 'apply-patch+yaml', other);
      await t.patch(`${maps}/none?fieldManager=me`, 'apply-patch+yaml', other);
      await t.patch(`${maps}/a`, 'merge-patch+json', { metadata: { name: 'zz' } });
      await t.patch(`${maps}/a`, 'json-patch+json', [{ op: 'replace', path: '/metadata/name', value: 'zz' }]);
    },
  },
  {
    says: 'a token that is not text is shown byte by byte',
    steps: async t => {
      const maps = await t.in('configmaps');
      for (const token of ['zzz', 'w6k', '_w', 'eyJ2w6k', '8J-YgA']) await t.get(`${maps}?limit=1&continue=${token}`);
    },
  },
];
