// Who is let in how fast, and where addresses of Services and volumes belong: odd rules, levels, ranges and attachments.

import type { Case } from '../frame/case.ts';
import { inCluster, type Kind, odd, oddChanges, type Row } from './odd-objects.ts';

const FLOWS = '/apis/flowcontrol.apiserver.k8s.io/v1';
const flow: Kind = {
  door: inCluster('flowschemas', FLOWS),
  sound: { spec: { matchingPrecedence: 500, priorityLevelConfiguration: { name: 'global-default' } } },
};
const level: Kind = {
  door: inCluster('prioritylevelconfigurations', FLOWS),
  sound: { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } } },
};
const networking = '/apis/networking.k8s.io/v1';
const address: Kind = {
  door: inCluster('ipaddresses', networking),
  sound: { metadata: { name: '10.1.2.3' }, spec: { parentRef: { resource: 'services', name: 'a', namespace: 'b' } } },
};
const range: Kind = { door: inCluster('servicecidrs', networking), sound: { spec: { cidrs: ['10.9.0.0/24'] } } };
const storage = '/apis/storage.k8s.io/v1';
const attachment: Kind = {
  door: inCluster('volumeattachments', storage),
  sound: { spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
};

const user = { kind: 'User', user: { name: 'u' } };
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const rule = (what: string, subjects: readonly object[], ...resourceRules: readonly object[]): Row => [
  what,
  {},
  { rules: [{ subjects, resourceRules }] },
];
const paths = (what: string, ...nonResourceURLs: readonly string[]): Row => [
  what,
  {},
  { rules: [{ subjects: [user], nonResourceRules: [{ verbs: ['get'], nonResourceURLs }] }] },
];
const limited = (what: string, more: object): Row => [
  what,
  {},
  { limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' }, ...more } },
];
const queued = (what: string, queuing: object): Row => limited(what, { limitResponse: { type: 'Queue', queuing } });
const inline = (what: string, spec: object | null): Row => [what, {}, { source: { inlineVolumeSpec: spec } }];
const csi = { csi: { driver: 'example.com', volumeHandle: 'h' } };
const volume = { accessModes: ['ReadWriteOnce'], ...csi };

export const flows: readonly Case[] = [
  odd(
    flow,
    'the rules of a FlowSchema say whose requests for what they mean',
    rule('kind', [{ kind: 'x' }], pods),
    rule('no kind', [{}], pods),
    rule('no user', [{ kind: 'User' }], pods),
    rule('empty user', [{ kind: 'User', user: { name: '' } }], pods),
    rule('no group', [{ kind: 'Group', group: { name: '' } }], pods),
    rule('account', [{ kind: 'ServiceAccount', serviceAccount: { name: '', namespace: '' } }], pods),
    rule('account name', [{ kind: 'ServiceAccount', serviceAccount: { name: 'A_b', namespace: 'C_d' } }], pods),
    rule('every account', [{ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: '*' } }], pods),
    rule('another', [{ kind: 'User', user: { name: 'a' }, group: { name: 'b' } }], pods),
    rule('several', [{ kind: 'Group', user: { name: 'a' }, serviceAccount: { name: 'b', namespace: 'c' } }], pods),
    rule('nothing', [user], {}),
    rule('no Namespaces', [user], { ...pods, namespaces: [] }),
    rule('of the cluster', [user], { ...pods, namespaces: [], clusterScope: true }),
    rule('Namespace', [user], { ...pods, namespaces: ['A_b', 'c'] }),
    rule('Namespaces', [user], { ...pods, namespaces: ['A_b', '*'] }),
    rule('verbs', [user], { ...pods, verbs: ['x', 'get'] }),
    rule('all verbs and one', [user], { ...pods, verbs: ['*', 'get'] }),
    rule('groups', [user], { ...pods, apiGroups: ['*', 'a b'] }),
    rule('group', [user], { ...pods, apiGroups: ['A_b'] }),
    rule('resources', [user], { ...pods, resources: ['*', 'a'] }),
    rule('resource', [user], { ...pods, resources: ['A_b', 'pods/', 'pods/status'] }),
    paths('paths', 'x', '/a*', '/*/b', '', '/a//b', '/a b'),
    paths('all paths and one', '*', '/a'),
    paths('sound paths', '/healthz', '/apis/*'),
    [
      'path verbs',
      {},
      { rules: [{ subjects: [user], nonResourceRules: [{ verbs: ['list', 'get'], nonResourceURLs: ['/a'] }] }] },
    ],
    ['no path verbs', {}, { rules: [{ subjects: [user], nonResourceRules: [{ verbs: [], nonResourceURLs: [] }] }] }],
    ['method', {}, { distinguisherMethod: { type: 'x' } }],
    ['no method', {}, { distinguisherMethod: {} }],
    ['level', {}, { priorityLevelConfiguration: { name: 'A_b' } }],
    ['name', { metadata: { name: 'A_b' } }],
  ),
  odd(
    level,
    'a priority level lends, borrows and queues as much as it can',
    limited('shares', { nominalConcurrencyShares: -1 }),
    limited('no shares', { nominalConcurrencyShares: 0 }),
    limited('lends', { lendablePercent: 101 }),
    limited('lends less than nothing', { lendablePercent: -1 }),
    limited('borrows', { borrowingLimitPercent: -1 }),
    limited('borrows much', { borrowingLimitPercent: 1000 }),
    limited('no answer', { limitResponse: {} }),
    limited('answer', { limitResponse: { type: 'x' } }),
    limited('rejects and queues', { limitResponse: { type: 'Reject', queuing: {} } }),
    limited('queues nothing', { limitResponse: { type: 'Queue' } }),
    queued('defaults', {}),
    queued('queues', { queues: -1 }),
    queued('many queues', { queues: 10_000_001 }),
    queued('hand', { handSize: -1 }),
    queued('large hand', { queues: 2, handSize: 3 }),
    queued('entropy', { queues: 1_000_000, handSize: 10 }),
    queued('length', { queueLengthLimit: -1 }),
    ['exempt', {}, { type: 'Exempt', limited: null, exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } }],
    ['both', {}, { exempt: {} }],
    ['no type', {}, { type: '' }],
    ['neither', {}, { limited: null }],
  ),
  oddChanges(
    level,
    'a priority level changes within its rules',
    ['type', '', { spec: { type: 'Exempt' } }],
    ['shares', '', { spec: { limited: { nominalConcurrencyShares: -5 } } }],
    [
      'status',
      '/status',
      {
        status: {
          conditions: [
            { type: '', status: 'x' },
            { type: 'a', status: 'True' },
          ],
        },
      },
    ],
  ),
  odd(
    address,
    'an IPAddress is called by the one form of its address',
    ['padded', { metadata: { name: '010.1.2.3' } }],
    ['upper', { metadata: { name: 'FD00::1' } }],
    ['long', { metadata: { name: 'fd00:0::1' } }],
    ['mapped', { metadata: { name: '::ffff:10.1.2.3' } }],
    ['short', { metadata: { name: '10.1' } }],
    ['newer', { metadata: { name: 'fd00::1' } }],
    ['parent', { spec: { parentRef: { resource: '..', name: 'a/b', namespace: '.' } } }],
    ['no namespace', { spec: { parentRef: { resource: 'a', name: 'b' } } }],
    ['no spec', { spec: null }],
  ),
  oddChanges(
    { ...address, sound: { ...address.sound, metadata: { name: '10.77.2.3' } } },
    'an IPAddress keeps whose it is',
    ['parent', '', { spec: { parentRef: { name: 'other' } } }],
    ['no parent', '', { spec: { parentRef: null } }],
    ['labels', '', { metadata: { labels: { a: 'b' } } }],
  ),
  odd(
    range,
    'a range of addresses of Services is written in its one form',
    ['not masked', {}, { cidrs: ['10.9.0.1/24'] }],
    ['padded', {}, { cidrs: ['10.09.0.0/24'] }],
    ['upper', {}, { cidrs: ['FD00::/64'] }],
    ['long', {}, { cidrs: ['fd00:0::/64'] }],
    ['mapped', {}, { cidrs: ['::ffff:10.9.0.0/120'] }],
    ['address', {}, { cidrs: ['10.9.0.0'] }],
    ['padded mask', {}, { cidrs: ['10.9.0.0/024'] }],
    ['twice', {}, { cidrs: ['10.9.0.0/24', '10.9.0.0/24'] }],
    ['sound', {}, { cidrs: ['10.9.0.0/24', 'fd00::/64'] }],
    ['name', { metadata: { name: 'A_b' } }],
  ),
  oddChanges(
    { ...range, sound: { spec: { cidrs: ['10.78.0.0/28'] } } },
    'a range of addresses of Services grows by a family, and no other way',
    ['another', '', { spec: { cidrs: ['10.79.0.0/28'] } }],
    ['a family more', '', { spec: { cidrs: ['10.78.0.0/28', 'fd78::/120'] } }],
    ['a family before', '', { spec: { cidrs: ['fd78::/120', '10.78.0.0/28'] } }],
    ['one more', '', { spec: { cidrs: ['10.78.0.0/28', '10.79.0.0/28'] } }],
    ['none', '', { spec: { cidrs: null } }],
    ['status', '/status', { status: { conditions: [{ type: 'a b', status: 'x' }] } }],
  ),
  odd(
    attachment,
    'a volume that is attached from its own description is one that can be',
    inline('nothing', {}),
    inline('no source', { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] }),
    inline('csi', volume),
    inline('capacity', { ...volume, capacity: { storage: '1Gi' } }),
    inline('csi alone', csi),
    inline('not csi', { ...volume, csi: null, hostPath: { path: '/a' } }),
    inline('class', { ...volume, storageClassName: 'a' }),
    inline('mode', { ...volume, volumeMode: 'x' }),
    inline('affinity', { ...volume, nodeAffinity: { required: { nodeSelectorTerms: [] } } }),
    inline('claim', { ...volume, claimRef: { name: 'a' } }),
    inline('policy', { ...volume, persistentVolumeReclaimPolicy: 'Delete' }),
    inline('options', { ...volume, mountOptions: ['a'] }),
    inline('no modes', { ...volume, accessModes: [] }),
    inline('attributes', { ...volume, volumeAttributesClassName: 'a' }),
    inline('driver', { ...volume, csi: { driver: 'A_b', volumeHandle: '' } }),
    ['neither', {}, { source: null }],
    ['long attacher', {}, { attacher: 'a'.repeat(64) }],
  ),
  oddChanges(
    attachment,
    'an attachment of a volume stays where it is',
    ['attacher', '', { spec: { attacher: 'other.com' } }],
    ['node', '', { spec: { nodeName: 'm' } }],
    ['source', '', { spec: { source: { persistentVolumeName: 'w' } } }],
    ['metadata', '/status', { status: { attached: true, attachmentMetadata: { a: 'b'.repeat(300_000) } } }],
    ['error', '/status', { status: { attached: false, attachError: { message: 'm', errorCode: -1 } } }],
    ['long error', '/status', { status: { attached: false, detachError: { message: 'm'.repeat(1025) } } }],
    ['status', '', { status: { attached: true } }],
  ),
];
