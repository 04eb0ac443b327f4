// What the default admission plugins fill in and refuse, beyond the objects' own rules.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import type { Trial } from '../frame/trial.ts';
import type { Ask } from '../frame/wire.ts';

const MERGE = 'merge-patch+json';
const main = (more: object = {}): object => ({ name: 'main', image: 'example.com/main:1', ...more });

/** Admission learns of what it goes by a moment later. */
async function knows(t: Trial, what: Ask, status: number): Promise<void> {
  const deadline = Date.now() + 20_000;
  while ((await t.quietly(what)).status !== status) {
    if (Date.now() > deadline) throw new Error('admission did not learn of it');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

async function labelled(t: Trial, labels: object): Promise<void> {
  await t.in('pods');
  const headers = { 'content-type': `application/${MERGE}` };
  await t.quietly({ method: 'PATCH', path: `/api/v1/namespaces/${t.ns}`, headers, body: { metadata: { labels } } });
  const privileged = aPod('p', { containers: [main({ securityContext: { privileged: true } })] });
  await knows(t, { method: 'POST', path: `${await t.in('pods')}?dryRun=All`, body: privileged }, 403);
}

export const admission: readonly Case[] = [
  {
    says: 'a Pod gets patience with Nodes that are away, and what it says itself stays',
    steps: async t => {
      const pods = await podsIn(t);
      const tolerations = [
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 },
      ];
      const { json } = await t.quietly({ method: 'POST', path: pods, body: aPod('p', { tolerations }) });
      t.note('own', json.spec.tolerations);
      const all = await t.quietly({
        method: 'POST',
        path: pods,
        body: aPod('all', { tolerations: [{ operator: 'Exists' }] }),
      });
      t.note('all', all.json.spec.tolerations);
      const memory = await t.quietly({
        method: 'POST',
        path: pods,
        body: aPod('memory', { containers: [main({ resources: { requests: { memory: '1Mi' } } })] }),
      });
      t.note('memory', memory.json.spec.tolerations);
    },
  },
  {
    says: 'a Pod gets the priority of its class',
    steps: async t => {
      const pods = await podsIn(t);
      const name = t.own('high');
      const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
      t.after(() => t.quietly({ method: 'DELETE', path: `${classes}/${name}` }));
      await t.post(classes, { metadata: { name }, value: 1000, preemptionPolicy: 'Never', description: 'for tests' });
      const told = async (spec: object): Promise<void> => {
        const { json, status } = await t.quietly({ method: 'POST', path: `${pods}?dryRun=All`, body: aPod('p', spec) });
        const { priority, priorityClassName, preemptionPolicy } = json.spec ?? {};
        t.note(
          JSON.stringify(spec).replaceAll(name, 'high'),
          status === 201 ? { priority, priorityClassName, preemptionPolicy } : json,
        );
      };
      const body = aPod('p', { priorityClassName: name });
      await knows(t, { method: 'POST', path: `${pods}?dryRun=All`, body }, 201);
      await told({ priorityClassName: name });
      await told({ priorityClassName: name, priority: 1000 });
      await told({ priorityClassName: name, priority: 7 });
      await told({ priority: 7 });
      await told({ priorityClassName: 'no-such-class' });
      await told({ priorityClassName: 'system-node-critical' });
      await told({ preemptionPolicy: 'Never' });
    },
  },
  {
    says: 'a PriorityClass keeps its value, and the names of the system are taken',
    steps: async t => {
      const classes = '/apis/scheduling.k8s.io/v1/priorityclasses';
      const name = t.own('c');
      t.after(() => t.quietly({ method: 'DELETE', path: `${classes}/${name}` }));
      await t.post(classes, { metadata: { name }, value: 10 });
      await t.patch(`${classes}/${name}`, MERGE, { value: 11 });
      await t.patch(`${classes}/${name}`, MERGE, { description: 'ten', globalDefault: false });
      await t.patch(`${classes}/${name}`, MERGE, { preemptionPolicy: 'Never' });
      await t.post(classes, { metadata: { name: 'system-mine' }, value: 10 });
      await t.post(classes, { metadata: { name: t.own('much') }, value: 1_000_000_001 });
      const { json } = await t.quietly({ method: 'GET', path: `${classes}/system-cluster-critical` });
      t.note('system', { value: json.value, preemptionPolicy: json.preemptionPolicy });
      await t.delete(`${classes}/system-cluster-critical?dryRun=All`);
      await t.patch(`${classes}/system-node-critical?dryRun=All`, MERGE, { value: 5 });
    },
  },
  {
    says: 'a LimitRange fills in what containers ask for, and bounds it',
    steps: async t => {
      const pods = await podsIn(t);
      const ranges = await t.in('limitranges');
      const limits = [
        {
          type: 'Container',
          default: { cpu: '500m' },
          defaultRequest: { cpu: '100m' },
          max: { cpu: '1' },
          min: { cpu: '50m' },
        },
        { type: 'Pod', max: { memory: '1Gi' } },
      ];
      await t.post(ranges, { metadata: { name: 'r' }, spec: { limits } });
      const told = async (resources: object): Promise<void> => {
        const body = aPod('p', { containers: [main({ resources })] });
        const { json, status } = await t.quietly({ method: 'POST', path: `${pods}?dryRun=All`, body });
        const shown = { resources: json.spec?.containers[0].resources, annotations: json.metadata?.annotations };
        t.note(JSON.stringify(resources), status === 201 ? shown : json);
      };
      await told({ limits: { memory: '64Mi' } });
      await told({ limits: { cpu: '2', memory: '64Mi' } });
      await told({ requests: { cpu: '10m' }, limits: { memory: '64Mi' } });
      await told({ limits: { memory: '2Gi' } });
      await told({});
    },
  },
  {
    says: 'a LimitRange that makes no sense is refused',
    steps: async t => {
      const path = await t.in('limitranges');
      const range = (name: string, ...limits: object[]): object => ({ metadata: { name }, spec: { limits } });
      await t.post(path, range('crossed', { type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } }));
      await t.post(path, range('default', { type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } }));
      await t.post(path, range('pod', { type: 'Pod', default: { cpu: '1' } }));
      await t.post(path, range('twice', { type: 'Pod', max: { cpu: '1' } }, { type: 'Pod', max: { cpu: '1' } }));
      await t.post(path, range('claim', { type: 'PersistentVolumeClaim' }));
      await t.post(path, range('filled', { type: 'Container', max: { cpu: '1' } }));
    },
  },
  {
    says: 'a ResourceQuota counts what is made and refuses what is too much',
    difference: 13,
    steps: async t => {
      const maps = await t.in('configmaps');
      const quotas = await t.in('resourcequotas');
      await t.until(await t.in('configmaps/kube-root-ca.crt'), map => map !== undefined);
      const hard = { 'count/configmaps': '2', configmaps: '2' };
      await t.post(quotas, { metadata: { name: 'q' }, spec: { hard } });
      const used = { 'count/configmaps': '1', configmaps: '1' };
      await t.patch(`${quotas}/q/status`, MERGE, { status: { hard, used } });
      await t.post(`${maps}?dryRun=All`, { metadata: { name: 'a' } });
      await t.post(maps, { metadata: { name: 'a' } });
      await t.get(`${quotas}/q`);
      await t.post(maps, { metadata: { name: 'b' } });
    },
  },
  {
    says: 'a ResourceQuota that makes no sense is refused',
    steps: async t => {
      const path = await t.in('resourcequotas');
      await t.post(path, { metadata: { name: 'less' }, spec: { hard: { pods: '-1' } } });
      await t.post(path, { metadata: { name: 'half' }, spec: { hard: { pods: '0.5' } } });
      await t.post(path, { metadata: { name: 'odd' }, spec: { hard: { 'a b': '1' } } });
      await t.post(path, {
        metadata: { name: 'scopes' },
        spec: { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] },
      });
      await t.post(path, { metadata: { name: 'fits' }, spec: { hard: { memory: '1Gi' }, scopes: ['BestEffort'] } });
    },
  },
  {
    says: 'a Namespace that enforces a Pod security standard refuses what breaks it',
    steps: async t => {
      const pods = await podsIn(t);
      await labelled(t, {
        'pod-security.kubernetes.io/enforce': 'baseline',
        'pod-security.kubernetes.io/warn': 'restricted',
      });
      const privileged = { hostNetwork: true, containers: [main({ securityContext: { privileged: true } })] };
      await t.post(pods, aPod('privileged', privileged));
      const body = aPod('host', {
        volumes: [{ name: 'v', hostPath: { path: '/' } }],
        containers: [main({ ports: [{ containerPort: 1, hostPort: 1 }] })],
      });
      await t.post(pods, body);
      await t.post(`${pods}?dryRun=All`, aPod('warned'));
      const securityContext = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
      const strict = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
      await t.post(
        `${pods}?dryRun=All`,
        aPod('good', { securityContext, containers: [main({ securityContext: strict })] }),
      );
    },
  },
  {
    says: 'a Namespace warns of workloads whose Pods would be refused',
    steps: async t => {
      await podsIn(t);
      await labelled(t, {
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/warn': 'restricted',
      });
      const labels = { app: 'web' };
      const template = {
        metadata: { labels },
        spec: { containers: [main({ securityContext: { privileged: true } })] },
      };
      const deployments = await t.in('deployments', '/apis/apps/v1');
      await t.post(`${deployments}?dryRun=All`, {
        metadata: { name: 'd' },
        spec: { selector: { matchLabels: labels }, template },
      });
      const path = `/api/v1/namespaces/${t.ns}?dryRun=All`;
      const pods = await t.in('pods');
      await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      await t.patch(path, MERGE, { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'mostly' } } });
    },
  },
  {
    says: 'a Pod of a RuntimeClass gets what that adds',
    steps: async t => {
      const pods = await podsIn(t);
      const name = t.own('vm');
      const classes = '/apis/node.k8s.io/v1/runtimeclasses';
      t.after(() => t.quietly({ method: 'DELETE', path: `${classes}/${name}` }));
      const scheduling = { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] };
      await t.post(classes, {
        metadata: { name },
        handler: 'vm',
        overhead: { podFixed: { memory: '64Mi' } },
        scheduling,
      });
      const told = async (spec: object): Promise<void> => {
        const { json, status } = await t.quietly({ method: 'POST', path: `${pods}?dryRun=All`, body: aPod('p', spec) });
        const { runtimeClassName, overhead, nodeSelector, tolerations } = json.spec ?? {};
        t.note(
          Object.keys(spec).join(),
          status === 201 ? { runtimeClassName, overhead, nodeSelector, tolerations } : json,
        );
      };
      await told({ runtimeClassName: name });
      await told({ runtimeClassName: name, nodeSelector: { vm: 'no' } });
      await told({ runtimeClassName: name, overhead: { memory: '1Mi' } });
      await told({ runtimeClassName: 'no-such-class' });
      await t.patch(`${classes}/${name}`, MERGE, { handler: 'other' });
    },
  },
  {
    says: 'claims and volumes are protected while something may use them',
    difference: 11,
    steps: async t => {
      const claims = await t.in('persistentvolumeclaims');
      const spec = {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: 'none',
      };
      await t.post(claims, { metadata: { name: 'c' }, spec });
      await t.patch(`${claims}/c`, MERGE, { spec: { resources: { requests: { storage: '2Gi' } } } });
      await t.patch(`${claims}/c`, MERGE, { spec: { accessModes: ['ReadWriteMany'] } });
      await t.post(claims, { metadata: { name: 'empty' }, spec: {} });
      const name = t.own('pv');
      const volumes = '/api/v1/persistentvolumes';
      t.after(async () => {
        await t.quietly({ method: 'DELETE', path: `${volumes}/${name}` });
        const headers = { 'content-type': `application/${MERGE}` };
        await t.quietly({
          method: 'PATCH',
          path: `${volumes}/${name}`,
          headers,
          body: { metadata: { finalizers: null } },
        });
      });
      const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp/x' } };
      await t.post(volumes, { metadata: { name }, spec: volume });
      await t.patch(`${volumes}/${name}`, MERGE, { spec: { hostPath: { path: '/tmp/y' } } });
      await t.delete(`${volumes}/${name}`);
    },
  },
  {
    says: 'nobody asks for the certificate of a master',
    steps: async t => {
      const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
      await t.post(requests, {
        metadata: { name: t.own('csr') },
        spec: { request: MASTERS_REQUEST, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
      });
      await t.post(requests, {
        metadata: { name: t.own('csr') },
        spec: { request: base64('no request'), signerName: 'nobody', usages: ['flying'] },
      });
    },
  },
];

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A PKCS #10 request for a user in system:masters. */
const MASTERS_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIaU1JR0pBZ0VBTUNjeEZ6QVZCZ05WQkFvTURuTjVjM1JsYlRwdFlYTjBaWEp6TVF3d0NnWURWUVFEREFObApkbVV3V1RBVEJnY3Foa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVF4cGU0L1UrL2JZRkdSY0ZNVk9nVzhDL01CCmtaeUFZVWI1TS93bkQrZ3ZPYVRDR3h0L0ZkZExoa1h4RVYvWFRVTnhvWVUvVGxZRGlJd1V3emlzeHMzdG9BQXcKQ2dZSUtvWkl6ajBFQXdJRFNBQXdSUUlnQVpuMGtONkVCanRldTh6VlA3ZmhsUzA2WmE0ZjA1UkgzU1h1eEZOVApYRkVDSVFEdWtEOE16TzNud2dRY1llSlpaTWhoNURkTFkyVnBkZGhoWDV2OTlLRUhmUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
