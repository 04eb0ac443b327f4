// Eviction and the budgets that hold it up, whose status a controller keeps.

import type { Case } from '../frame/case.ts';
import { NODE } from '../frame/kubelet.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';

const POLICY = '/apis/policy/v1';
const eviction = (name: string, more: object = {}): object => ({
  apiVersion: 'policy/v1',
  kind: 'Eviction',
  metadata: { name },
  ...more,
});

/** Ready Pods with the label `app: web`. */
async function readyPods(t: Trial, ...names: readonly string[]): Promise<string> {
  const path = await podsIn(t);
  for (const name of names) {
    await t.quietly({ method: 'POST', path, body: aPod(name, { nodeName: NODE }, { labels: { app: 'web' } }) });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    const headers = { 'content-type': 'application/merge-patch+json' };
    await t.quietly({ method: 'PATCH', path: `${path}/${name}/status`, headers, body: { status } });
  }
  return path;
}

async function budget(t: Trial, name: string, spec: object): Promise<string> {
  const path = await t.in('poddisruptionbudgets', POLICY);
  const body = { metadata: { name }, spec: { selector: { matchLabels: { app: 'web' } }, ...spec } };
  await t.quietly({ method: 'POST', path, body });
  return `${path}/${name}`;
}

/** The status once so many Pods are left. Who owns the time in its condition depends on the second. */
async function counted(t: Trial, path: string, expected: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { json } = await t.quietly({ method: 'GET', path });
    const { status } = json;
    if (status.expectedPods === expected && status.disruptedPods === undefined) {
      t.note('counted', status);
      return;
    }
    if (Date.now() > deadline) throw new Error('the budget was not counted anew');
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

export const disruption: readonly Case[] = [
  {
    says: 'an eviction without a budget deletes the Pod, and says so on it',
    steps: async t => {
      const pods = await readyPods(t, 'a');
      await t.post(`${pods}/a/eviction`, eviction('a', { deleteOptions: { dryRun: ['All'] } }));
      await t.post(`${pods}/a/eviction`, eviction('b'));
      await t.post(`${pods}/a/eviction`, eviction('a'));
      await t.get(`${pods}/a`);
      await t.post(`${pods}/a/eviction`, eviction('a', { deleteOptions: { gracePeriodSeconds: 0 } }));
      await t.get(`${pods}/a`);
      await t.post(`${pods}/absent/eviction`, eviction('absent'));
    },
  },
  {
    says: 'an eviction that leaves too few Pods is put off until the budget allows it',
    steps: async t => {
      const pods = await readyPods(t, 'a', 'b');
      const path = await budget(t, 'web', { minAvailable: 2 });
      await t.until(path, pdb => pdb?.status?.currentHealthy === 2);
      await t.post(`${pods}/a/eviction`, eviction('a'));
      await readyPods(t, 'c');
      await t.until(path, pdb => pdb?.status?.disruptionsAllowed === 1);
      await t.post(`${pods}/a/eviction`, eviction('a', { deleteOptions: { gracePeriodSeconds: 0 } }));
      await counted(t, path, 2);
    },
  },
  {
    says: 'an eviction of a Pod with two budgets is an error',
    steps: async t => {
      const pods = await readyPods(t, 'a');
      for (const name of ['one', 'two']) {
        const path = await budget(t, name, { minAvailable: 0 });
        await t.until(path, pdb => pdb?.status?.currentHealthy === 1);
      }
      await t.post(`${pods}/a/eviction`, eviction('a'));
    },
  },
  {
    says: 'an eviction of a Pod that has ended asks no budget',
    steps: async t => {
      const pods = await readyPods(t, 'a');
      const path = await budget(t, 'web', { minAvailable: 1 });
      await t.until(path, pdb => pdb?.status?.currentHealthy === 1);
      const headers = { 'content-type': 'application/merge-patch+json' };
      await t.quietly({ method: 'PATCH', path: `${pods}/a/status`, headers, body: { status: { phase: 'Succeeded' } } });
      await t.post(`${pods}/a/eviction`, eviction('a'));
      await t.get(`${pods}/a`);
    },
  },
  {
    says: 'a budget for Pods without a controller counts only absolute numbers that must stay',
    steps: async t => {
      await readyPods(t, 'a', 'b', 'c');
      const absolute = await budget(t, 'absolute', { minAvailable: 1 });
      await t.until(absolute, pdb => pdb?.status?.expectedPods === 3);
      const relative = await budget(t, 'relative', { maxUnavailable: '50%' });
      await t.until(relative, pdb => (pdb?.status?.conditions ?? []).length > 0);
    },
  },
  {
    says: 'a budget counts against the replicas that the owner of the Pods wants',
    steps: async t => {
      const pods = await podsIn(t);
      const sets = await t.in('replicasets', '/apis/apps/v1');
      const labels = { app: 'web' };
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/x:1' }] } };
      const spec = { replicas: 4, selector: { matchLabels: labels }, template };
      const { json } = await t.quietly({ method: 'POST', path: sets, body: { metadata: { name: 'set' }, spec } });
      const owner = {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        name: 'set',
        uid: json.metadata.uid,
        controller: true,
      };
      for (const name of ['a', 'b', 'c']) {
        const body = aPod(name, { nodeName: NODE }, { labels, ownerReferences: [owner] });
        await t.quietly({ method: 'POST', path: pods, body });
        const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
        const headers = { 'content-type': 'application/merge-patch+json' };
        await t.quietly({ method: 'PATCH', path: `${pods}/${name}/status`, headers, body: { status } });
      }
      const path = await budget(t, 'web', { maxUnavailable: '50%' });
      await t.until(path, pdb => pdb?.status?.disruptionsAllowed === 1);
    },
  },
  {
    says: 'a budget that makes no sense is refused',
    steps: async t => {
      const path = await t.in('poddisruptionbudgets', POLICY);
      const selector = { matchLabels: { app: 'web' } };
      await t.post(path, { metadata: { name: 'both' }, spec: { selector, minAvailable: 1, maxUnavailable: 1 } });
      await t.post(path, { metadata: { name: 'much' }, spec: { selector, minAvailable: '101%' } });
      await t.post(path, { metadata: { name: 'less' }, spec: { selector, maxUnavailable: -1 } });
      await t.post(path, { metadata: { name: 'words' }, spec: { selector, maxUnavailable: 'some' } });
      const unhealthyPodEvictionPolicy = 'Sometimes';
      await t.post(path, {
        metadata: { name: 'policy' },
        spec: { selector, minAvailable: 1, unhealthyPodEvictionPolicy },
      });
      await t.post(path, { metadata: { name: 'empty' }, spec: { minAvailable: 1 } });
    },
  },
];
