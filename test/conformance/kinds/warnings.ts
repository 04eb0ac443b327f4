// What is taken and still doubtful: whoever writes it is warned in the words of the real server.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import { inCluster, inNamespace, type Kind, odd, oddChanges, verdict } from './odd-objects.ts';

const image = 'example.com/main:1';
const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'main', image }] } };
const claim: Kind = {
  door: inNamespace('persistentvolumeclaims', '/api/v1'),
  sound: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
};
const volume: Kind = {
  door: inCluster('persistentvolumes', '/api/v1'),
  sound: {
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' } },
  },
};
const storageClass: Kind = {
  door: inCluster('storageclasses', '/apis/storage.k8s.io/v1'),
  sound: { provisioner: 'example.com/p' },
};
const storageCapacity: Kind = {
  door: inNamespace('csistoragecapacities', '/apis/storage.k8s.io/v1'),
  sound: { storageClassName: 'a' },
};
const runtimeClass: Kind = {
  door: inCluster('runtimeclasses', '/apis/node.k8s.io/v1'),
  sound: { handler: 'h' },
};
const node: Kind = { door: inCluster('nodes', '/api/v1'), sound: { spec: {} } };
const job: Kind = {
  door: inNamespace('jobs', '/apis/batch/v1'),
  sound: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
};
const cronJob: Kind = {
  door: inNamespace('cronjobs', '/apis/batch/v1'),
  sound: { spec: { schedule: '@hourly', jobTemplate: job.sound } },
};
const deployment: Kind = {
  door: inNamespace('deployments', '/apis/apps/v1'),
  sound: { spec: { selector: { matchLabels: { a: 'b' } }, template } },
};
const named = (plural: string): Kind => ({ ...deployment, door: inNamespace(plural, '/apis/apps/v1') });
const podTemplate: Kind = { door: inNamespace('podtemplates', '/api/v1'), sound: { template } };
const budget: Kind = {
  door: inNamespace('poddisruptionbudgets', '/apis/policy/v1'),
  sound: { spec: { selector: { matchLabels: { a: 'b' } } } },
};
const service: Kind = { door: inNamespace('services', '/api/v1'), sound: { spec: { ports: [{ port: 80 }] } } };
const endpoints: Kind = { door: inNamespace('endpoints', '/api/v1'), sound: {} };
const slice: Kind = {
  door: inNamespace('endpointslices', '/apis/discovery.k8s.io/v1'),
  sound: { addressType: 'IPv4', endpoints: [] },
};
const networkPolicy: Kind = {
  door: inNamespace('networkpolicies', '/apis/networking.k8s.io/v1'),
  sound: { spec: { podSelector: {} } },
};
const account: Kind = { door: inNamespace('serviceaccounts', '/api/v1'), sound: {} };
const oldTerm = { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] };

type Sources = readonly object[];
const item = (key: string, path: string): object => ({ key, path });
const configMap = (name: string, ...items: readonly object[]): object => ({ configMap: { name, items } });
const secret = (name: string, ...items: readonly object[]): object => ({ secret: { name, items } });
const token = (path: string): object => ({ serviceAccountToken: { path } });
const downward = (path: string): object => ({
  downwardAPI: { items: [{ path, fieldRef: { fieldPath: 'metadata.name' } }] },
});

const projecting = (says: string, ...rows: readonly (readonly [string, Sources])[]): Case => ({
  says,
  steps: async t => {
    const path = `${await podsIn(t)}?dryRun=All`;
    for (const [what, sources] of rows) {
      const volumes = [{ name: 'v', projected: { sources } }];
      t.note(what, verdict(await t.quietly({ method: 'POST', path, body: aPod('p', { volumes }) })));
    }
  },
});

export const warnings: readonly Case[] = [
  projecting(
    'a volume that projects two things onto one path is warned of',
    ['two maps', [configMap('a', item('k', 'x')), configMap('b', item('k', 'x'))]],
    ['a map and a secret', [configMap('a', item('k', 'x')), secret('b', item('k', 'x'))]],
    ['the same map', [configMap('a', item('k', 'x'), item('l', 'x'))]],
    ['a path within another', [configMap('a', item('k', 'x/y')), secret('b', item('k', 'x'))]],
    ['a path around another', [configMap('a', item('k', 'x')), secret('b', item('k', 'x/y'))]],
    ['tokens', [token('t'), token('t')]],
    ['a token and a field', [downward('t'), token('t')]],
    ['fields', [downward('f'), downward('f')]],
    ['whole maps', [configMap('a'), configMap('b')]],
    ['a whole map and a path', [configMap('a'), secret('b', item('k', 'x'))]],
    ['three', [configMap('a', item('k', 'x')), secret('b', item('k', 'x')), token('x')]],
    ['no clash', [configMap('a', item('k', 'x')), secret('b', item('k', 'xy')), token('z')]],
    ['a list of authorities', [configMap('a', item('k', 'x')), { clusterTrustBundle: { name: 'n', path: 'x' } }]],
    ['nothing', [{}]],
  ),
  {
    says: 'volumes that put two things onto one path are warned of, each in the name of its kind',
    steps: async t => {
      const path = `${await podsIn(t)}?dryRun=All`;
      const items = [item('k', 'x'), item('l', 'x')];
      const fields = [
        { path: 'x', fieldRef: { fieldPath: 'metadata.name' } },
        { path: 'x', fieldRef: { fieldPath: 'metadata.uid' } },
      ];
      for (const volume of [
        { configMap: { name: 'a', items } },
        { secret: { secretName: 'a', items } },
        { downwardAPI: { items: fields } },
        { projected: { sources: [] } },
      ]) {
        const volumes = [{ name: 'v', ...volume }];
        const answer = await t.quietly({ method: 'POST', path, body: aPod('p', { volumes }) });
        t.note(Object.keys(volume).join(), verdict(answer));
      }
    },
  },
  odd(
    claim,
    'a claim in an older way of saying things is warned of',
    ['class', { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } } }],
    ['provisioner', { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-provisioner': 'a' } } }],
    ['fraction', {}, { resources: { requests: { storage: '1500m' } } }],
    ['limit', {}, { resources: { requests: { storage: '1' }, limits: { storage: '1500m' } } }],
  ),
  odd(
    volume,
    'a volume in an older way of saying things is warned of',
    ['class', { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } } }],
    ['options', { metadata: { annotations: { 'volume.beta.kubernetes.io/mount-options': 'a' } } }],
    ['recycled', {}, { persistentVolumeReclaimPolicy: 'Recycle' }],
    ['fraction', {}, { capacity: { storage: '1500m' } }],
    ['labels of Nodes', {}, { nodeAffinity: { required: { nodeSelectorTerms: [oldTerm] } } }],
    ['ceph', {}, { hostPath: null, cephfs: { monitors: ['a'] } }],
    ['glusterfs', {}, { hostPath: null, glusterfs: { endpoints: 'a', path: 'b' } }],
    ['flocker', {}, { hostPath: null, flocker: { datasetName: 'a' } }],
    ['photon', {}, { hostPath: null, photonPersistentDisk: { pdID: 'a' } }],
    ['rbd', {}, { hostPath: null, rbd: { monitors: ['a'], image: 'b' } }],
    ['portworx', {}, { hostPath: null, portworxVolume: { volumeID: 'a' } }],
    ['storageos', {}, { hostPath: null, storageos: { volumeName: 'a' } }],
  ),
  odd(
    storageClass,
    'labels of Nodes that have newer names are warned of where storage goes by them',
    [
      'zone',
      {
        allowedTopologies: [
          { matchLabelExpressions: [{ key: 'failure-domain.beta.kubernetes.io/zone', values: ['a'] }] },
        ],
      },
    ],
    [
      'sound',
      { allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: ['a'] }] }] },
    ],
  ),
  odd(
    storageCapacity,
    'labels of Nodes that have newer names are warned of where capacity goes by them',
    ['zone', { nodeTopology: { matchLabels: { 'failure-domain.beta.kubernetes.io/zone': 'a' } } }],
    ['expression', { nodeTopology: { matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Exists' }] } }],
    ['class', { storageClassName: '' }],
    ['odd selector', { nodeTopology: { matchLabels: { 'a b': 'c' } } }],
    ['below zero', { capacity: '-1', maximumVolumeSize: '-1' }],
  ),
  odd(runtimeClass, 'labels of Nodes that have newer names are warned of where runtimes go by them', [
    'arch',
    { scheduling: { nodeSelector: { 'beta.kubernetes.io/arch': 'a' } } },
  ]),
  odd(
    node,
    'what nobody looks at in a Node is warned of',
    ['external', {}, { externalID: 'x' }],
    ['configuration', {}, { configSource: { configMap: { name: 'a', namespace: 'b', kubeletConfigKey: 'c' } } }],
    ['network', {}, { podCIDR: 'FD00::/64' }],
  ),
  odd(
    job,
    'a Job is warned of by its name, and by how much it runs at once',
    ['dots', { metadata: { name: 'a.b' } }],
    ['much', {}, { completionMode: 'Indexed', completions: 200_000, parallelism: 20_000 }],
    [
      'old label',
      {},
      {
        template: {
          spec: { ...template.spec, restartPolicy: 'Never', nodeSelector: { 'beta.kubernetes.io/os': 'a' } },
        },
      },
    ],
  ),
  odd(
    cronJob,
    'a CronJob is warned of by its name and its zone',
    ['zone', {}, { schedule: 'TZ=UTC 0 * * * *' }],
    ['dots', { metadata: { name: 'a.b' } }],
  ),
  odd(
    deployment,
    'a Deployment is warned of by its name and its template',
    ['dots', { metadata: { name: 'a.b' } }],
    [
      'variables',
      {},
      {
        template: { ...template, spec: { containers: [{ name: 'main', image, env: [{ name: 'A' }, { name: 'A' }] }] } },
      },
    ],
  ),
  odd(named('replicasets'), 'a ReplicaSet is warned of by its name', ['dots', { metadata: { name: 'a.b' } }]),
  odd(named('daemonsets'), 'a DaemonSet is warned of by its name', ['dots', { metadata: { name: 'a.b' } }]),
  odd(
    { door: inNamespace('replicationcontrollers', '/api/v1'), sound: { spec: { selector: { a: 'b' }, template } } },
    'a ReplicationController is warned of by its name',
    ['dots', { metadata: { name: 'a.b' } }],
  ),
  odd(
    podTemplate,
    'a PodTemplate is held to what Pods are held to, and warned of alike',
    ['no container', { template: { spec: { containers: [] } } }],
    ['user', { template: { ...template, spec: { ...template.spec, securityContext: { runAsUser: -1 } } } }],
    ['labels', { template: { ...template, metadata: { labels: { 'a b': 'c d' } } } }],
    [
      'old label',
      { template: { ...template, spec: { ...template.spec, nodeSelector: { 'beta.kubernetes.io/os': 'a' } } } },
    ],
    ['nothing', { template: null }],
  ),
  {
    says: 'a PodTemplate is filled in as a Pod is',
    steps: async t => {
      await t.post(`${await t.in('podtemplates')}?dryRun=All`, { metadata: { name: 'p' }, template });
    },
  },
  odd(
    budget,
    'a PodDisruptionBudget that selects nothing is told',
    ['all', {}, { selector: {} }],
    ['none', {}, { selector: null }],
  ),
  odd(
    service,
    'addresses of Services that are not in their one form are warned of',
    ['ranges', {}, { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.1/8'] }],
    ['long range', {}, { type: 'LoadBalancer', loadBalancerSourceRanges: ['FD00::/64'] }],
    ['padded range', {}, { type: 'LoadBalancer', loadBalancerSourceRanges: ['010.0.0.0/8'] }],
    ['outside', {}, { externalIPs: ['010.1.2.3'] }],
    ['outside long', {}, { externalIPs: ['FD00::1'] }],
    ['balancer', {}, { type: 'LoadBalancer', loadBalancerIP: 'FD00::1' }],
    ['without selector', {}, { clusterIP: 'None' }],
    ['external and headless', {}, { clusterIP: 'None', externalIPs: ['1.2.3.4'], sessionAffinity: 'ClientIP' }],
  ),
  odd(
    endpoints,
    'Endpoints are an older way of saying where things are',
    ['none', {}],
    ['long', { subsets: [{ addresses: [{ ip: 'FD00::1' }], ports: [{ port: 1 }] }] }],
    ['padded', { subsets: [{ addresses: [{ ip: '010.1.2.3' }], ports: [{ port: 1 }] }] }],
  ),
  odd(
    slice,
    'addresses in an EndpointSlice are warned of where they are not in their one form',
    ['padded', { endpoints: [{ addresses: ['10.1.2.3'] }] }],
    ['by hand', { metadata: { labels: { 'kubernetes.io/service-name': 's' } } }],
  ),
  odd(
    networkPolicy,
    'networks in a NetworkPolicy are warned of where they are not in their one form',
    ['bits', {}, { ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.1/8' } }] }] }],
    ['long', {}, { egress: [{ to: [{ ipBlock: { cidr: 'FD00::/64', except: ['FD00::1/128'] } }] }] }],
    ['padded', {}, { egress: [{ to: [{ ipBlock: { cidr: '010.0.0.0/8' } }] }] }],
    ['mapped', {}, { egress: [{ to: [{ ipBlock: { cidr: '::ffff:10.0.0.0/104' } }] }] }],
  ),
  odd(
    account,
    'a ServiceAccount that restricts its secrets is warned of',
    ['restricted', { metadata: { annotations: { 'kubernetes.io/enforce-mountable-secrets': 'true' } } }],
    ['secrets', { secrets: [{ name: 'a' }] }],
  ),
  oddChanges(
    claim,
    'a claim that changes is warned of what is new',
    ['labels', '', { metadata: { labels: { a: 'b' } } }],
    ['class', '', { metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'a' } } }],
  ),
];
