// Where a Pod is, as its labels say: what its Node is labelled with is written on the Pod when it is bound.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';

async function nodeWith(t: Trial, labels: object): Promise<string> {
  const name = t.own('node');
  t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${name}` }));
  await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name, labels } } });
  return name;
}

const bound = (name: string, metadata: object = {}): object => ({
  metadata: { name: 'p', ...metadata },
  target: { apiVersion: 'v1', kind: 'Node', name },
});

async function labelsOf(t: Trial, pods: string, name = 'p'): Promise<void> {
  const { json } = await t.quietly({ method: 'GET', path: `${pods}/${name}` });
  t.note(`labels of ${name}`, json.metadata?.labels ?? null);
}

export const topology: readonly Case[] = [
  {
    says: 'a Pod that is bound gets the zone and the region of its Node, and no other labels',
    steps: async t => {
      const pods = await podsIn(t);
      const node = await nodeWith(t, { [ZONE]: 'z', [REGION]: 'r', other: 'x', 'topology.kubernetes.io/rack': 'k' });
      await t.quietly({ method: 'POST', path: pods, body: aPod('p', {}, { labels: { mine: 'a' } }) });
      await t.post(`${pods}/p/binding`, bound(node));
      await labelsOf(t, pods);
    },
  },
  {
    says: 'a label of where a Pod is that it already bears is replaced when it is bound',
    steps: async t => {
      const pods = await podsIn(t);
      const node = await nodeWith(t, { [ZONE]: 'z' });
      await t.quietly({
        method: 'POST',
        path: pods,
        body: aPod('p', {}, { labels: { [ZONE]: 'mine', [REGION]: 'mine' } }),
      });
      await t.post(
        `${pods}/p/binding`,
        bound(node, { labels: { [REGION]: 'said', other: 'said' }, annotations: { a: 'b' } }),
      );
      await labelsOf(t, pods);
    },
  },
  {
    says: 'a Pod that is made on a Node gets where that is, and none is told of a Node that is not there',
    steps: async t => {
      const pods = await podsIn(t);
      const node = await nodeWith(t, { [ZONE]: 'z', [REGION]: 'r' });
      await t.quietly({ method: 'POST', path: pods, body: aPod('p', { nodeName: node }) });
      await labelsOf(t, pods);
      await t.quietly({ method: 'POST', path: pods, body: aPod('q') });
      await t.post(`${pods}/q/binding`, { ...bound(t.own('none')), metadata: { name: 'q' } });
      await labelsOf(t, pods, 'q');
    },
  },
];
