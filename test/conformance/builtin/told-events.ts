// What controllers tell of objects in Events, and the labels that they keep on Nodes.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from '../frame/case.ts';
import type { Trial } from '../frame/trial.ts';

const NODES = '/api/v1/nodes';

/** The Event of this reason, without what says when and how often. */
async function told(t: Trial, namespace: string, about: string, reason: string): Promise<void> {
  const fields = encodeURIComponent(`involvedObject.name=${about},reason=${reason}`);
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=${fields}`;
  for (let left = 600; left > 0; left -= 1) {
    const { json } = await t.quietly({ method: 'GET', path });
    const [event] = json.items;
    if (event !== undefined) {
      const { involvedObject, message, source, type, reportingComponent, reportingInstance } = event;
      const { resourceVersion, ...object } = involvedObject;
      t.note(reason, { object, at: typeof resourceVersion, message, source, type });
      t.note('reported by', [reportingComponent, reportingInstance]);
      return;
    }
    await sleep(50);
  }
  throw new Error(`no Event says ${reason} of ${about}`);
}

async function node(t: Trial, labels: object): Promise<string> {
  const name = t.own('n');
  t.after(() => t.quietly({ method: 'DELETE', path: `${NODES}/${name}` }));
  await t.quietly({ method: 'POST', path: NODES, body: { metadata: { name, labels } } });
  return name;
}

type Labels = Readonly<Record<string, string>>;

async function labelsOnce(t: Trial, name: string, settled: (labels: Labels) => boolean): Promise<void> {
  for (let left = 600; left > 0; left -= 1) {
    const { json } = await t.quietly({ method: 'GET', path: `${NODES}/${name}` });
    const labels: Labels = json.metadata.labels ?? {};
    if (settled(labels)) return t.note('labels', labels);
    await sleep(50);
  }
  throw new Error(`the labels of ${name} did not settle`);
}

export const toldEvents: readonly Case[] = [
  {
    says: 'a budget that selects no Pod has an Event that says so',
    steps: async t => {
      const path = await t.in('poddisruptionbudgets', '/apis/policy/v1');
      const spec = { minAvailable: 1, selector: { matchLabels: { app: 'none' } } };
      await t.quietly({ method: 'POST', path, body: { metadata: { name: 'idle' }, spec } });
      await told(t, t.ns, 'idle', 'NoPods');
    },
  },
  {
    says: 'a Node that comes has an Event that says so, and so has one that goes',
    steps: async t => {
      const name = await node(t, {});
      await told(t, 'default', name, 'RegisteredNode');
      await t.quietly({ method: 'DELETE', path: `${NODES}/${name}` });
      await told(t, 'default', name, 'RemovingNode');
    },
  },
  {
    says: 'a Node that says its system says it under the older labels, too',
    steps: async t => {
      const name = await node(t, { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64' });
      await labelsOnce(t, name, labels => labels['beta.kubernetes.io/arch'] !== undefined);
      const labels = { 'kubernetes.io/os': 'darwin', 'beta.kubernetes.io/arch': 'amd64' };
      const headers = { 'content-type': 'application/merge-patch+json' };
      await t.quietly({ method: 'PATCH', path: `${NODES}/${name}`, headers, body: { metadata: { labels } } });
      await labelsOnce(
        t,
        name,
        now => now['beta.kubernetes.io/os'] === 'darwin' && now['beta.kubernetes.io/arch'] === 'arm64',
      );
    },
  },
  {
    says: 'an older label alone is left as it is',
    steps: async t => {
      const name = await node(t, { 'beta.kubernetes.io/os': 'other', 'kubernetes.io/arch': 'arm64' });
      await labelsOnce(t, name, labels => labels['beta.kubernetes.io/arch'] !== undefined);
    },
  },
];
