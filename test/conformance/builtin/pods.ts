// Pods: what of them may change, how they are bound, and the parts that are written by themselves.

import type { Case } from '../frame/case.ts';
import { NODE } from '../frame/kubelet.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import { boundPod } from './logs.ts';

const STRATEGIC = 'strategic-merge-patch+json';
const MERGE = 'merge-patch+json';
const container = (more: object = {}): object => ({ name: 'main', image: 'example.com/main:1', ...more });

export const pods: readonly Case[] = [
  {
    says: 'a Pod is filled in with what its spec leaves out',
    steps: async t => {
      const path = await podsIn(t);
      const probe = { httpGet: { port: 80 } };
      const ports = [{ containerPort: 80 }];
      await t.post(path, aPod('p', { containers: [container({ ports, livenessProbe: probe, env: [{ name: 'A' }] })] }));
      const resources = { limits: { cpu: '1', memory: '1Gi' } };
      await t.post(path, aPod('guaranteed', { hostNetwork: true, containers: [container({ ports, resources })] }));
    },
  },
  {
    says: 'a Pod that makes no sense is refused with every reason',
    steps: async t => {
      const path = await podsIn(t);
      await t.post(path, aPod('none', { containers: [] }));
      const twice = [container({ image: '' }), container({ imagePullPolicy: 'Sometimes' })];
      await t.post(path, aPod('twice', { containers: twice, restartPolicy: 'Maybe', dnsPolicy: 'Guess' }));
      const mounts = [
        container({ volumeMounts: [{ name: 'nowhere', mountPath: 'data' }], ports: [{ containerPort: 0 }] }),
      ];
      await t.post(path, aPod('mounts', { containers: mounts, terminationGracePeriodSeconds: -1 }));
      // One wrong quantity at a time: the real server walks through them in an order of chance.
      const aboveLimit = { requests: { cpu: '2' }, limits: { cpu: '1' } };
      await t.post(path, aPod('above-limit', { containers: [container({ resources: aboveLimit })] }));
      await t.post(path, aPod('negative', { containers: [container({ resources: { requests: { memory: '-1' } } })] }));
    },
  },
  {
    says: 'a Pod may change its images, its deadline and its tolerations, and nothing else of its spec',
    steps: async t => {
      const pod = await boundPod(t);
      await t.patch(pod, STRATEGIC, { spec: { containers: [container({ image: 'example.com/main:2' })] } });
      await t.patch(pod, MERGE, { spec: { activeDeadlineSeconds: 100 } });
      await t.patch(pod, MERGE, { spec: { activeDeadlineSeconds: 200 } });
      await t.patch(pod, STRATEGIC, { spec: { tolerations: [{ key: 'x', operator: 'Exists' }] } });
      await t.patch(pod, MERGE, { spec: { tolerations: [] } });
      await t.patch(pod, STRATEGIC, { spec: { containers: [container({ env: [{ name: 'A', value: 'b' }] })] } });
      await t.patch(pod, STRATEGIC, { spec: { containers: [{ name: 'second', image: 'example.com/x:1' }] } });
      await t.patch(pod, MERGE, { spec: { nodeName: 'elsewhere' } });
      await t.patch(pod, MERGE, { spec: { restartPolicy: 'Never' } });
    },
  },
  {
    says: 'a Pod is bound once',
    steps: async t => {
      const path = await podsIn(t);
      await t.quietly({ method: 'POST', path, body: aPod('p') });
      const binding = (more: object = {}): object => ({
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p', annotations: { from: 'binding' } },
        target: { kind: 'Node', name: NODE },
        ...more,
      });
      await t.post(`${path}/p/binding`, binding({ target: { kind: 'Pod', name: NODE } }));
      await t.post(`${path}/p/binding`, binding({ target: {} }));
      await t.post(`${path}/p/binding`, binding({ metadata: { name: 'p', uid: 'another' } }));
      await t.post(`${path}/p/binding`, binding());
      await t.get(`${path}/p`);
      await t.post(`${path}/p/binding`, binding());
      await t.post(`${path}/p/binding`, binding({ target: { kind: 'Node', name: 'another' } }));
      await t.post(`${path}/absent/binding`, binding({ metadata: { name: 'absent' } }));
      await t.post(path.replace(/pods$/, 'bindings'), binding());
    },
  },
  {
    says: 'a Binding is about the Pod of its path',
    steps: async t => {
      const path = await podsIn(t);
      await t.quietly({ method: 'POST', path, body: aPod('p') });
      const target = { kind: 'Node', name: NODE };
      await t.post(`${path}/p/binding`, { target: { name: NODE } });
      await t.post(`${path}/p/binding`, { metadata: { name: '' }, target });
      await t.post(`${path}/p/binding`, { metadata: { name: 'q' }, target });
      await t.post(`${path}/p/binding`, { metadata: { name: 'p', namespace: 'other' }, target });
      await t.post(`${path}/p/binding`, { kind: 'Pod', metadata: { name: 'p' }, target });
      await t.post(`${path}/p/binding`, { metadata: { name: 'p', labels: { 'a b': 'c' } }, target });
      await t.post(`${path}/p/binding`, { metadata: { name: 'p', labels: { a: 'b' } }, target: { name: NODE } });
      await t.get(`${path}/p`);
      await t.get(`${path}/p/binding`);
    },
  },
  {
    says: 'what is posted below an object is of the kind that belongs there',
    steps: async t => {
      const path = await podsIn(t);
      await t.quietly({ method: 'POST', path, body: aPod('p') });
      const doors = [`${path}/p/binding`, `${path}/p/eviction`, await t.in('serviceaccounts/default/token')];
      const claimed = [
        { apiVersion: 'v1', kind: 'Pod' },
        { kind: 'Pod' },
        { apiVersion: 'v1', kind: 'Foo' },
        { kind: 'Foo' },
        { apiVersion: 'example.com/v1', kind: 'Foo' },
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        { apiVersion: 'v2' },
        { apiVersion: 'policy/v1beta1', kind: 'Eviction' },
        { apiVersion: 'autoscaling/v1', kind: 'Scale' },
      ];
      for (const door of doors) {
        for (const kind of claimed) await t.post(`${door}?dryRun=All`, { ...kind, metadata: { name: 'p' } });
      }
    },
  },
  {
    says: 'a Pod with scheduling gates waits, and gates are only taken away',
    steps: async t => {
      const path = await podsIn(t);
      await t.post(path, aPod('p', { schedulingGates: [{ name: 'example.com/a' }, { name: 'example.com/b' }] }));
      const target = { kind: 'Node', name: NODE };
      await t.post(`${path}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target });
      await t.patch(`${path}/p`, MERGE, { spec: { nodeSelector: { disk: 'fast' } } });
      await t.patch(`${path}/p`, MERGE, { spec: { schedulingGates: [{ name: 'example.com/c' }] } });
      await t.patch(`${path}/p`, MERGE, { spec: { schedulingGates: null } });
      await t.post(path, aPod('bound', { nodeName: NODE, schedulingGates: [{ name: 'example.com/a' }] }));
    },
  },
  {
    says: 'the status of a Pod is written by itself, and its labels not with it',
    steps: async t => {
      const pod = await boundPod(t);
      const condition = { type: 'Ready', status: 'True' };
      const status = { phase: 'Running', podIPs: [{ ip: '10.1.0.1' }], conditions: [condition] };
      await t.patch(`${pod}/status`, MERGE, { metadata: { labels: { a: 'b' } }, spec: { priority: 7 }, status });
      await t.patch(`${pod}/status`, STRATEGIC, { status: { conditions: [{ type: 'Custom', status: 'False' }] } });
      await t.patch(`${pod}/status`, MERGE, { status: { podIPs: [{ ip: 'nonsense' }] } });
      await t.patch(pod, MERGE, { status: { phase: 'Failed' } });
      await t.get(`${pod}/status`);
    },
  },
  {
    says: 'ephemeral containers are added one by one and stay as they are',
    steps: async t => {
      const pod = await boundPod(t);
      const debug = (more: object = {}): object => ({
        spec: { ephemeralContainers: [{ name: 'debugger', image: 'example.com/debug:1', ...more }] },
      });
      await t.patch(`${pod}/ephemeralcontainers`, STRATEGIC, debug({ targetContainerName: 'main', stdin: true }));
      await t.patch(`${pod}/ephemeralcontainers`, STRATEGIC, debug({ image: 'example.com/debug:2' }));
      await t.patch(`${pod}/ephemeralcontainers`, MERGE, { spec: { ephemeralContainers: [] } });
      await t.patch(`${pod}/ephemeralcontainers`, STRATEGIC, {
        spec: { ephemeralContainers: [{ name: 'main', image: 'x', ports: [{ containerPort: 1 }] }] },
      });
      await t.patch(pod, STRATEGIC, debug({ name: 'other' }));
      await t.get(`${pod}/ephemeralcontainers`);
      await t.post(await t.in('pods'), aPod('born', { ephemeralContainers: [{ name: 'debugger', image: 'x' }] }));
    },
  },
  {
    says: 'resize changes the resources of containers and nothing else',
    steps: async t => {
      const resources = { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '200m', memory: '64Mi' } };
      const pod = await boundPod(t, 'p', { containers: [container({ resources })] });
      const to = (more: object): object => ({ spec: { containers: [{ name: 'main', ...more }] } });
      await t.patch(`${pod}/resize`, STRATEGIC, to({ resources: { limits: { cpu: '300m' } } }));
      await t.patch(`${pod}/resize`, STRATEGIC, to({ resources: { requests: { cpu: '400m' } } }));
      await t.patch(`${pod}/resize`, STRATEGIC, to({ resources: { requests: { cpu: '300m', memory: '64Mi' } } }));
      await t.patch(pod, STRATEGIC, to({ resources: { limits: { cpu: '500m' } } }));
      await t.get(`${pod}/resize`);
    },
  },
  {
    says: 'a Pod on a Node is deleted with grace, one on none at once',
    steps: async t => {
      const path = await podsIn(t);
      const pod = await boundPod(t);
      await t.delete(pod);
      await t.delete(pod, { gracePeriodSeconds: 5 });
      await t.delete(pod, { gracePeriodSeconds: 60 });
      await t.delete(pod, { gracePeriodSeconds: 0 });
      await t.get(pod);
      await t.quietly({ method: 'POST', path, body: aPod('free') });
      await t.delete(`${path}/free`);
      await t.get(`${path}/free`);
    },
  },
  {
    says: 'Pods are found by their Node, phase, account and addresses, and by nothing else',
    steps: async t => {
      const path = await podsIn(t);
      await boundPod(t, 'one');
      await t.quietly({ method: 'POST', path, body: aPod('two') });
      for (const selector of [
        `spec.nodeName=${NODE}`,
        'spec.nodeName=',
        'status.phase!=Pending',
        'spec.restartPolicy=Always,metadata.name=two',
        'spec.serviceAccountName=default,spec.schedulerName=default-scheduler,spec.hostNetwork=false',
        'status.podIP=',
        'status.nominatedNodeName=',
        'spec.containers=x',
      ]) {
        const { json } = await t.quietly({
          method: 'GET',
          path: `${path}?fieldSelector=${encodeURIComponent(selector)}`,
        });
        const names = json.items?.map((each: { metadata: { name: string } }) => each.metadata.name);
        t.note(selector, names ?? json);
      }
    },
  },
  {
    says: 'a mirror Pod, and a Pod with a Node of its own choice, are stored as they are',
    steps: async t => {
      const path = await podsIn(t);
      const annotations = { 'kubernetes.io/config.mirror': 'abc' };
      await t.post(path, aPod('mirror', { nodeName: NODE }, { annotations }));
      await t.patch(`${path}/mirror`, MERGE, { metadata: { annotations: { 'kubernetes.io/config.mirror': 'def' } } });
      await t.post(path, aPod('free', {}, { annotations }));
      await t.post(path, aPod('nowhere', { nodeName: 'Not_A_Name' }));
    },
  },
];
