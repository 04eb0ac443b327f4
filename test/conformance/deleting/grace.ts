// The time that a Pod gets to end: asked for, its own, and none when nothing runs.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Told, Trial } from '../frame/trial.ts';
import { made, merged } from './made.ts';

/** A Pod bound to a Node that nobody has made: nothing ends it but the case. */
async function boundPod(t: Trial, name: string, spec: object = {}, metadata: object = {}): Promise<string> {
  const pods = await podsIn(t);
  t.after(() => t.quietly({ method: 'DELETE', path: `${pods}/${name}?gracePeriodSeconds=0` }));
  t.after(() => merged(t, `${pods}/${name}`, { metadata: { finalizers: null } }));
  await made(t, pods, aPod(name, { nodeName: await aNode(t), ...spec }, metadata));
  return `${pods}/${name}`;
}

async function aNode(t: Trial): Promise<string> {
  const name = t.own('node');
  t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${name}` }));
  await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name } } });
  return name;
}

/** How many seconds lie between the deletion's mark and its time, as the two answers tell. */
const secondsOf = (t: Trial, pod: Told['json'], askedAtMs: number): void => {
  const left = Math.round((Date.parse(pod.metadata.deletionTimestamp) - askedAtMs) / 1000);
  const grace = pod.metadata.deletionGracePeriodSeconds;
  t.note('deletionTimestamp is grace seconds ahead', Math.abs(left - grace) <= 3);
};

export const grace: readonly Case[] = [
  {
    says: 'a Pod on no Node is gone at once, whatever grace is asked for',
    steps: async t => {
      const pods = await podsIn(t);
      await made(t, pods, aPod('a'));
      await t.delete(`${pods}/a`);
      await t.get(`${pods}/a`);
      await made(t, pods, aPod('b'));
      await t.delete(`${pods}/b`, { gracePeriodSeconds: 100 });
      await t.get(`${pods}/b`);
    },
  },
  {
    says: 'a watch sees a Pod on no Node marked before it goes',
    steps: async t => {
      const pods = await podsIn(t);
      const { metadata } = await made(t, pods, aPod('a'));
      const watch = await t.watch(`${pods}?watch=1&resourceVersion=${metadata.resourceVersion}`);
      await t.quietly({ method: 'DELETE', path: `${pods}/a` });
      await watch.frames(2);
      watch.close();
    },
  },
  {
    says: 'a bound Pod gets thirty seconds by default, and stays',
    steps: async t => {
      const path = await boundPod(t, 'a');
      const asked = Date.now();
      const { json } = await t.delete(path);
      secondsOf(t, json, asked);
      await t.get(path);
    },
  },
  {
    says: 'a bound Pod gets the time that it asks for itself',
    steps: async t => {
      const path = await boundPod(t, 'a', { terminationGracePeriodSeconds: 300 });
      const asked = Date.now();
      secondsOf(t, (await t.delete(path)).json, asked);
    },
  },
  {
    says: 'a bound Pod gets the time that the delete asks for',
    steps: async t => {
      const path = await boundPod(t, 'a', { terminationGracePeriodSeconds: 300 });
      const asked = Date.now();
      secondsOf(t, (await t.delete(`${path}?gracePeriodSeconds=7`)).json, asked);
    },
  },
  {
    says: 'a negative grace of a bound Pod counts as one second',
    steps: async t => {
      const path = await boundPod(t, 'a');
      await t.delete(path, { gracePeriodSeconds: -5 });
      await t.get(path);
    },
  },
  {
    says: 'a grace of zero takes a bound Pod away at once',
    steps: async t => {
      const path = await boundPod(t, 'a');
      await t.delete(path, { gracePeriodSeconds: 0 });
      await t.get(path);
    },
  },
  {
    says: 'a second delete shortens the grace and never lengthens it',
    steps: async t => {
      const path = await boundPod(t, 'a');
      await t.delete(path, { gracePeriodSeconds: 60 });
      await t.delete(path, { gracePeriodSeconds: 300 });
      const asked = Date.now();
      secondsOf(t, (await t.delete(path, { gracePeriodSeconds: 20 })).json, asked);
      await t.delete(path);
      await t.delete(path, { gracePeriodSeconds: 0 });
      await t.get(path);
    },
  },
  {
    says: 'a delete that changes nothing keeps the resourceVersion',
    steps: async t => {
      const path = await boundPod(t, 'a');
      const first = await t.delete(path);
      const second = await t.delete(path);
      t.note('the version is kept', first.json.metadata.resourceVersion === second.json.metadata.resourceVersion);
    },
  },
  {
    says: 'a Pod that has ended is gone at once though it is bound',
    steps: async t => {
      const path = await boundPod(t, 'a');
      await merged(t, `${path}/status`, { status: { phase: 'Succeeded' } });
      await t.delete(path);
      await t.get(path);
    },
  },
  {
    says: 'a held Pod stays after a grace of zero until its finalizer is gone',
    steps: async t => {
      const path = await boundPod(t, 'a', {}, { finalizers: ['example.com/a'] });
      await t.delete(path, { gracePeriodSeconds: 0 });
      await t.get(path);
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.get(path);
    },
  },
  {
    says: 'a held Pod with grace left stays when its finalizer goes',
    steps: async t => {
      const path = await boundPod(t, 'a', {}, { finalizers: ['example.com/a'] });
      await t.delete(path);
      await t.patch(path, 'merge-patch+json', { metadata: { finalizers: null } });
      await t.get(path);
      await t.delete(path, { gracePeriodSeconds: 0 });
      await t.get(path);
    },
  },
  {
    says: 'a held Pod on no Node is marked with a grace of zero',
    steps: async t => {
      const pods = await podsIn(t);
      t.after(() => merged(t, `${pods}/a`, { metadata: { finalizers: null } }));
      await made(t, pods, aPod('a', {}, { finalizers: ['example.com/a'] }));
      await t.delete(`${pods}/a`);
      await t.delete(`${pods}/a`, { gracePeriodSeconds: 10 });
    },
  },
  {
    says: 'the generation of a Pod grows when it is marked',
    steps: async t => {
      const path = await boundPod(t, 'a');
      const before = await t.get(path);
      const { json } = await t.delete(path);
      t.note('grown by', json.metadata.generation - before.json.metadata.generation);
    },
  },
  {
    says: 'a Pod that is being deleted takes its last status and no new binding',
    steps: async t => {
      const path = await boundPod(t, 'a');
      await t.quietly({ method: 'DELETE', path });
      await t.patch(`${path}/status`, 'merge-patch+json', { status: { phase: 'Running' } });
      const target = { apiVersion: 'v1', kind: 'Node', name: 'other' };
      await t.post(`${path}/binding`, { metadata: { name: 'a' }, target });
    },
  },
  {
    says: 'a Pod that is being deleted is bound to no Node any more',
    steps: async t => {
      const pods = await podsIn(t);
      t.after(() => merged(t, `${pods}/a`, { metadata: { finalizers: null } }));
      await made(t, pods, aPod('a', {}, { finalizers: ['example.com/a'] }));
      await t.delete(`${pods}/a`);
      const target = { apiVersion: 'v1', kind: 'Node', name: 'n' };
      await t.post(`${pods}/a/binding`, { metadata: { name: 'a' }, target });
    },
  },
  {
    says: 'a bound Pod that wants no time is gone at once',
    steps: async t => {
      const path = await boundPod(t, 'a', { terminationGracePeriodSeconds: 0 });
      await t.delete(path);
      await t.get(path);
    },
  },
  {
    says: 'a bound Pod that wants less than no time gets one second',
    steps: async t => {
      const path = await boundPod(t, 'a', { terminationGracePeriodSeconds: -3 });
      await t.delete(path);
    },
  },
  {
    says: 'a second delete of a bound Pod holds to its preconditions',
    steps: async t => {
      const path = await boundPod(t, 'a');
      const { json } = await t.quietly({ method: 'DELETE', path });
      await t.delete(path, { gracePeriodSeconds: 0, preconditions: { resourceVersion: '1' } });
      const { resourceVersion, uid } = json.metadata;
      await t.delete(path, { gracePeriodSeconds: 0, preconditions: { resourceVersion, uid } });
      await t.get(path);
    },
  },
  {
    says: 'an eviction gives a bound Pod its grace, or what it asks for',
    steps: async t => {
      const path = await boundPod(t, 'a');
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
      await t.post(`${path}/eviction`, eviction);
      await t.post(`${path}/eviction`, { ...eviction, deleteOptions: { gracePeriodSeconds: 3 } });
      await t.get(path);
      await t.post(`${path}/eviction`, { ...eviction, deleteOptions: { gracePeriodSeconds: 0 } });
      await t.get(path);
    },
  },
  {
    says: 'a dry delete of a bound Pod answers it marked and leaves it',
    steps: async t => {
      const path = await boundPod(t, 'a');
      await t.delete(`${path}?dryRun=All`);
      await t.delete(`${path}?dryRun=All&gracePeriodSeconds=0`);
      await t.get(path);
    },
  },
];
