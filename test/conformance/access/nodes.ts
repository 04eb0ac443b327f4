// What a Node may: its own objects and those of the Pods that are bound to it, and little else.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import type { Impersonated } from '../frame/wire.ts';

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases';

/** A Node of the case's own, and the identity of its kubelet. */
async function aNode(t: Trial, name = 'node'): Promise<{ name: string; as: Impersonated }> {
  const own = t.own(name);
  const status = { conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' }] };
  await t.quietly({ method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: own }, status } });
  // Ready Nodes lose the taint that every Node begins with.
  await untilTaintFree(t, own);
  t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${own}` }));
  return { name: own, as: kubelet(own) };
}

async function untilTaintFree(t: Trial, node: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const { json } = await t.quietly({ method: 'GET', path: `/api/v1/nodes/${node}` });
    if (json.spec.taints === undefined) return;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  throw new Error(`${node} keeps its taints`);
}

const kubelet = (node: string): Impersonated => ({ user: `system:node:${node}`, groups: ['system:nodes'] });

/** A Pod bound to the Node, which mounts the Secret and the ConfigMap named `seen`. */
async function boundPod(t: Trial, nodeName: string): Promise<string> {
  const pods = await podsIn(t);
  for (const plural of ['secrets', 'configmaps']) {
    for (const name of ['seen', 'unseen']) {
      await t.quietly({ method: 'POST', path: await t.in(plural), body: { metadata: { name } } });
    }
  }
  const volumes = [
    { name: 's', secret: { secretName: 'seen' } },
    { name: 'c', configMap: { name: 'seen' } },
  ];
  await t.quietly({ method: 'POST', path: pods, body: aPod('bound', { nodeName, volumes }) });
  await t.quietly({ method: 'POST', path: pods, body: aPod('free') });
  return pods;
}

/** The real server's graph of references is a moment behind. */
async function untilSeen(t: Trial, path: string, as: Impersonated): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if ((await t.quietly({ method: 'GET', path, as })).status === 200) return;
    await new Promise(resolve => setTimeout(resolve, 25));
  }
  throw new Error(`${as.user} never sees ${path}`);
}

export const nodes: readonly Case[] = [
  {
    says: 'a Node reads the secrets and config maps of its Pods by name, and no others',
    steps: async t => {
      const { name, as } = await aNode(t);
      await boundPod(t, name);
      await untilSeen(t, await t.in('secrets/seen'), as);
      for (const plural of ['secrets', 'configmaps']) {
        await t.get(await t.in(`${plural}/seen`), { as });
        await t.get(await t.in(`${plural}/unseen`), { as });
        await t.get(await t.in(plural), { as });
        await t.get(`${await t.in(plural)}?fieldSelector=metadata.name%3Dseen`, { as });
        await t.patch(await t.in(`${plural}/seen`), 'merge-patch+json', {}, { as });
      }
    },
  },
  {
    says: 'a Node lists the Pods that are bound to it, when it says so',
    steps: async t => {
      const { name, as } = await aNode(t);
      const pods = await boundPod(t, name);
      await untilSeen(t, `${pods}/bound`, as);
      await t.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${name}`, { as });
      await t.get('/api/v1/pods?fieldSelector=spec.nodeName%3Delsewhere', { as });
      await t.get(pods, { as });
      await t.get(`${pods}/bound`, { as });
      await t.get(`${pods}/free`, { as });
    },
  },
  {
    says: 'a Node changes its own object, and not another’s',
    steps: async t => {
      const { name, as } = await aNode(t);
      const other = await aNode(t, 'other');
      await t.get(`/api/v1/nodes/${name}`, { as });
      await t.get(`/api/v1/nodes/${other.name}`, { as });
      await t.get('/api/v1/nodes', { as });
      await t.patch(`/api/v1/nodes/${name}/status`, 'merge-patch+json', { status: { phase: 'Running' } }, { as });
      await t.patch(`/api/v1/nodes/${other.name}/status`, 'merge-patch+json', {}, { as });
      await t.patch(`/api/v1/nodes/${name}`, 'merge-patch+json', { metadata: { annotations: { a: 'b' } } }, { as });
      await t.delete(`/api/v1/nodes/${name}`, undefined, { as });
    },
  },
  {
    says: 'a Node sets no labels of the node-restriction prefix, and only those of kubernetes.io that are its own',
    steps: async t => {
      const { name, as } = await aNode(t);
      for (const label of [
        'node-restriction.kubernetes.io/team',
        'kubernetes.io/brand-new',
        'example.com/free',
        'node.kubernetes.io/instance-type',
        'topology.kubernetes.io/zone',
        'kubelet.kubernetes.io/own',
      ]) {
        await t.patch(`/api/v1/nodes/${name}`, 'merge-patch+json', { metadata: { labels: { [label]: 'x' } } }, { as });
      }
    },
  },
  {
    says: 'a Node sets no taints of its own once it is there',
    steps: async t => {
      const { name, as } = await aNode(t);
      const taints = [{ key: 'a', effect: 'NoSchedule' }];
      await t.patch(`/api/v1/nodes/${name}`, 'merge-patch+json', { spec: { taints } }, { as });
      await t.patch(`/api/v1/nodes/${name}`, 'merge-patch+json', { spec: { providerID: 'x://y' } }, { as });
      await t.patch(`/api/v1/nodes/${name}`, 'merge-patch+json', { spec: { unschedulable: true } }, { as });
    },
  },
  {
    says: 'a Node creates itself, and nobody else',
    steps: async t => {
      const own = t.own('new');
      const as = kubelet(own);
      t.after(() => t.quietly({ method: 'DELETE', path: `/api/v1/nodes/${own}` }));
      await t.post('/api/v1/nodes', { metadata: { name: t.own('else') } }, { as });
      await t.post(
        '/api/v1/nodes',
        { metadata: { name: own, labels: { 'node-restriction.kubernetes.io/x': 'y' } } },
        { as },
      );
      await t.post(
        '/api/v1/nodes',
        { metadata: { name: own, ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'u' }] } },
        { as },
      );
      await t.post('/api/v1/nodes', { metadata: { name: own } }, { as });
    },
  },
  {
    says: 'a Node writes the status of its Pods, and of no others',
    steps: async t => {
      const { name, as } = await aNode(t);
      const pods = await boundPod(t, name);
      await untilSeen(t, `${pods}/bound`, as);
      await t.patch(`${pods}/bound/status`, 'merge-patch+json', { status: { phase: 'Running' } }, { as });
      await t.patch(`${pods}/free/status`, 'merge-patch+json', { status: { phase: 'Running' } }, { as });
      await t.patch(`${pods}/bound/status`, 'merge-patch+json', { metadata: { labels: { a: 'b' } } }, { as });
      await t.patch(`${pods}/bound`, 'merge-patch+json', { metadata: { labels: { a: 'b' } } }, { as });
    },
  },
  {
    says: 'a Node deletes its Pods, and evicts them, and no others',
    steps: async t => {
      const { name, as } = await aNode(t);
      const pods = await boundPod(t, name);
      await untilSeen(t, `${pods}/bound`, as);
      await t.delete(`${pods}/free`, { gracePeriodSeconds: 0 }, { as });
      const eviction = (pod: string): object => ({
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: { name: pod },
      });
      await t.post(`${pods}/free/eviction`, eviction('free'), { as });
      await t.delete(`${pods}/bound`, { gracePeriodSeconds: 0 }, { as });
    },
  },
  {
    says: 'a Node creates mirror Pods of its own, and no others',
    steps: async t => {
      const { name, as } = await aNode(t);
      const pods = await podsIn(t);
      const uid = (await t.quietly({ method: 'GET', path: `/api/v1/nodes/${name}` })).json.metadata.uid;
      const owner = { apiVersion: 'v1', kind: 'Node', name, uid, controller: true };
      const annotations = { 'kubernetes.io/config.mirror': 'x' };
      await t.post(pods, aPod('plain', { nodeName: name }), { as });
      await t.post(pods, aPod('mirror', {}, { annotations }), { as });
      await t.post(pods, aPod('mirror', { nodeName: 'elsewhere' }, { annotations }), { as });
      await t.post(pods, aPod('mirror', { nodeName: name }, { annotations }), { as });
      await t.post(pods, aPod('mirror', { nodeName: name }, { annotations, ownerReferences: [owner] }), { as });
    },
  },
  {
    says: 'a Node keeps its own lease',
    steps: async t => {
      const { name, as } = await aNode(t);
      t.after(() => t.quietly({ method: 'DELETE', path: `${LEASES}/${name}` }));
      await t.post(LEASES, { metadata: { name }, spec: { holderIdentity: name } }, { as });
      await t.get(`${LEASES}/${name}`, { as });
      await t.patch(`${LEASES}/${name}`, 'merge-patch+json', { spec: { leaseDurationSeconds: 40 } }, { as });
      await t.post(LEASES, { metadata: { name: t.own('other') } }, { as });
      await t.get(LEASES, { as });
      await t.post(await t.in('leases', '/apis/coordination.k8s.io/v1'), { metadata: { name } }, { as });
    },
  },
  {
    says: 'a Node asks for tokens of the accounts of its Pods, bound to them',
    steps: async t => {
      const { name, as } = await aNode(t);
      const pods = await boundPod(t, name);
      await untilSeen(t, `${pods}/bound`, as);
      const uid = (await t.quietly({ method: 'GET', path: `${pods}/bound` })).json.metadata.uid;
      const path = await t.in('serviceaccounts/default/token');
      const bound = { kind: 'Pod', apiVersion: 'v1', name: 'bound' };
      await t.post(path, { spec: {} }, { as });
      await t.post(path, { spec: { boundObjectRef: { ...bound, uid: 'wrong' } } }, { as });
      await t.post(path, { spec: { boundObjectRef: { ...bound, name: 'free' } } }, { as });
      const { status } = await t.quietly({
        method: 'POST',
        path,
        body: { spec: { boundObjectRef: { ...bound, uid } } },
        as,
      });
      t.note('its own Pod', status);
    },
  },
  {
    says: 'who is in the group of nodes without the name of one may nothing',
    steps: async t => {
      const as = { user: t.own('impostor'), groups: ['system:nodes'] };
      await t.get('/api/v1/nodes', { as });
      await t.get('/api/v1/pods?fieldSelector=spec.nodeName%3Dx', { as });
    },
  },
];
