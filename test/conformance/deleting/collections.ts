// Deleting many at once.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn, widgets } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import { heldMap, made } from './made.ts';

/** Four ConfigMaps, of which b and c are blue; all bear `ours`, which the root certificate's does not. */
async function someMaps(t: Trial): Promise<string> {
  const maps = await t.in('configmaps');
  for (const name of ['a', 'b', 'c', 'd']) {
    const colour = name === 'b' || name === 'c' ? 'blue' : 'red';
    await made(t, maps, { metadata: { name, labels: { colour, ours: 'yes' } } });
  }
  return maps;
}

const names = async (t: Trial, path: string): Promise<void> => {
  const { json } = await t.quietly({ method: 'GET', path: `${path}?labelSelector=ours` });
  t.note(
    'left',
    json.items.map((item: { metadata: { name: string } }) => item.metadata.name),
  );
};

export const collections: readonly Case[] = [
  {
    says: 'deletecollection deletes what a label selector selects and answers the list of it',
    steps: async t => {
      const maps = await someMaps(t);
      await t.delete(`${maps}?labelSelector=colour%3Dblue`);
      await names(t, maps);
    },
  },
  {
    says: 'deletecollection deletes what a field selector selects',
    steps: async t => {
      const maps = await someMaps(t);
      await t.delete(`${maps}?fieldSelector=metadata.name%3Dd`);
      await names(t, maps);
      await t.delete(`${maps}?fieldSelector=data.key%3Dd`);
      await t.delete(`${maps}?labelSelector=a%3D%3D%3Db`);
    },
  },
  {
    says: 'deletecollection of nothing answers an empty list',
    steps: async t => {
      const maps = await someMaps(t);
      await t.delete(`${maps}?labelSelector=colour%3Dgreen`);
      await names(t, maps);
    },
  },
  {
    says: 'deletecollection marks what is held and deletes the rest',
    steps: async t => {
      const maps = await someMaps(t);
      await heldMap(t, 'held', { labels: { ours: 'yes' } });
      await t.delete(`${maps}?labelSelector=ours`);
      await names(t, maps);
      await t.get(`${maps}/held`);
    },
  },
  {
    says: 'deletecollection takes its options from the body',
    steps: async t => {
      const maps = await someMaps(t);
      await t.delete(`${maps}?labelSelector=ours`, { propagationPolicy: 'Everything' });
      await t.delete(`${maps}?labelSelector=ours`, { dryRun: ['All'] });
      await t.delete(`${maps}?labelSelector=ours&dryRun=All`);
      await names(t, maps);
      await t.delete(`${maps}?labelSelector=ours`, { preconditions: { uid: '11111111-2222-3333-4444-555555555555' } });
      await names(t, maps);
    },
  },
  {
    says: 'deletecollection with a limit deletes a page',
    steps: async t => {
      const maps = await someMaps(t);
      const { json } = await t.delete(`${maps}?labelSelector=ours&limit=2`);
      t.note('answered', json.items?.length);
      await names(t, maps);
    },
  },
  {
    says: 'deletecollection gives bound Pods their grace and takes the others away',
    steps: async t => {
      const pods = await podsIn(t);
      const node = t.own('node');
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${node}` }));
      await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: node } } });
      t.after(() => t.quietly({ method: 'DELETE', path: `${pods}/bound?gracePeriodSeconds=0` }));
      await made(t, pods, aPod('bound', { nodeName: node }, { labels: { ours: 'yes' } }));
      await made(t, pods, aPod('free', {}, { labels: { ours: 'yes' } }));
      await t.delete(`${pods}?gracePeriodSeconds=9`);
      await names(t, pods);
      await t.get(`${pods}/bound`);
    },
  },
  {
    says: 'deletecollection of custom objects answers their list',
    steps: async t => {
      const { path, api } = await widgets(t, {});
      for (const name of ['a', 'b']) await made(t, path, { apiVersion: api, kind: 'Widget', metadata: { name } });
      await t.delete(path);
      await t.get(path);
    },
  },
  {
    says: 'deletecollection in the foreground marks what has no dependents too',
    steps: async t => {
      const maps = await someMaps(t);
      await heldMap(t, 'held', { labels: { ours: 'yes', is: 'held' } });
      await t.delete(`${maps}?labelSelector=is%3Dheld&propagationPolicy=Foreground&dryRun=All`);
      await t.delete(`${maps}?labelSelector=is%3Dheld&propagationPolicy=Orphan&dryRun=All`);
    },
  },
  {
    says: 'some kinds of the cluster cannot be deleted as a collection, others can',
    steps: async t => {
      await t.delete('/api/v1/namespaces?labelSelector=none%3Dsuch');
      await t.delete('/api/v1/nodes?labelSelector=none%3Dsuch');
      await t.delete('/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=none%3Dsuch');
      await t.delete(await t.in('services?labelSelector=none%3Dsuch'));
    },
  },
  {
    says: 'deletecollection answers only metadata when that is asked for',
    steps: async t => {
      const maps = await someMaps(t);
      const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
      await t.delete(`${maps}?labelSelector=colour%3Dblue`, undefined, { headers: { accept } });
    },
  },
  {
    says: 'deletecollection of Pods in the foreground marks those that are bound and their finalizers',
    steps: async t => {
      const pods = await podsIn(t);
      await made(t, pods, aPod('free', {}, { labels: { ours: 'yes' } }));
      await t.delete(`${pods}?labelSelector=ours`, { propagationPolicy: 'Foreground', gracePeriodSeconds: 5 });
      await t.until(`${pods}/free`, pod => pod === undefined);
    },
  },
  {
    says: 'deletecollection of Jobs warns once that Pods are left behind',
    steps: async t => {
      const jobs = await t.in('jobs', '/apis/batch/v1');
      const spec = { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } };
      for (const name of ['a', 'b']) await made(t, jobs, { metadata: { name }, spec });
      const told = await t.quietly({ method: 'DELETE', path: jobs });
      t.note('warning', told.headers.warning);
      const again = await t.quietly({ method: 'DELETE', path: `${jobs}?propagationPolicy=Background` });
      t.note('warning', again.headers.warning);
    },
  },
];
