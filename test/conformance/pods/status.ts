// What a kubelet or a controller may not say in the status of a Pod.

import type { Case } from '../frame/case.ts';
import { aPod, podsIn } from '../frame/prepared.ts';
import { oddChanges } from './odd.ts';

const told = (what: string, status: object, part = '/status'): readonly [string, string, object] => [
  what,
  part,
  { status },
];

const image = 'example.com/main:1';
const running = { running: { startedAt: '2026-01-01T00:00:00Z' } };
const ended = (exitCode: number): object => ({ terminated: { exitCode, reason: 'x' } });
const of = (name: string, state: object, more: object = {}): object => ({
  name,
  image,
  imageID: '',
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const now = (...containerStatuses: object[]): object => ({ containerStatuses });

const sidecar = { name: 'side', image, restartPolicy: 'Always' };
const first = { name: 'first', image };

const others = { action: 'Restart', exitCodes: { operator: 'NotIn', values: [1] } };
const ruled = { action: 'Restart', exitCodes: { operator: 'In', values: [42] } };

export const statuses: readonly Case[] = [
  oddChanges(
    'the addresses in the status of a Pod are addresses, one of a family, and agree with each other',
    {},
    told('none', { podIPs: [{ ip: 'x' }] }),
    told('empty', { podIPs: [{ ip: '' }] }),
    told('padded', { podIP: '10.01.2.3', podIPs: [{ ip: '10.01.2.3' }] }),
    told('one family', { podIPs: [{ ip: '10.1.2.3' }, { ip: '10.1.2.4' }] }),
    told('three', { podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }, { ip: 'fd00::2' }] }),
    told('both', { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }] }),
    told('old alone', { podIP: '10.1.2.3' }),
    told('old one that is none', { podIP: 'x' }),
    told('new alone', { podIPs: [{ ip: '10.1.2.3' }] }),
    told('another', { podIP: '10.1.2.3', podIPs: [{ ip: '10.1.2.4' }] }),
    told('another family first', { podIP: '10.1.2.3', podIPs: [{ ip: 'fd00::1' }, { ip: '10.1.2.3' }] }),
    told('mapped', { podIP: '::ffff:10.1.2.3', podIPs: [{ ip: '::ffff:10.1.2.3' }] }),
  ),
  oddChanges(
    'the addresses of the Node in the status of a Pod are addresses, one of a family',
    {},
    told('none', { hostIP: 'x', hostIPs: [{ ip: 'x' }] }),
    told('empty', { hostIP: '10.1.2.3', hostIPs: [{ ip: '' }] }),
    told('one family', { hostIP: '10.1.2.3', hostIPs: [{ ip: '10.1.2.3' }, { ip: '10.1.2.4' }] }),
    told('three', { hostIP: '10.1.2.3', hostIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }, { ip: 'fd00::2' }] }),
    told('another', { hostIP: '10.1.2.3', hostIPs: [{ ip: '10.1.2.4' }] }),
    told('old alone', { hostIP: '10.1.2.3' }),
    told('old one that is none', { hostIP: 'x' }),
    told('new alone', { hostIPs: [{ ip: '10.1.2.3' }] }),
    told('padded', { hostIP: '10.01.2.3', hostIPs: [{ ip: '10.01.2.3' }] }),
    told('both', { hostIP: '10.1.2.3', hostIPs: [{ ip: '10.1.2.3' }, { ip: 'fd00::1' }] }),
  ),
  oddChanges(
    'a phase is whatever is said, and a class of service stays',
    {},
    told('phase', { phase: 'x' }),
    told('class', { qosClass: 'Guaranteed' }),
    told('no class', { qosClass: null }),
    told('unknown class', { qosClass: 'x' }),
    told('nominated', { nominatedNodeName: 'A_b' }),
    told('nominated soundly', { nominatedNodeName: 'node-1' }),
    told('generation', { observedGeneration: -1 }),
    told('a later generation', { observedGeneration: 7 }),
    told('resize', { resize: 'x' }),
    told('start', { startTime: '2001-01-01T00:00:00Z' }),
    told('message', { message: 'a', reason: 'a b' }),
  ),
  oddChanges(
    'conditions of a Pod have names, and each is said once',
    {},
    told('no name', { conditions: [{ type: '', status: 'True' }] }),
    told('name', { conditions: [{ type: 'a b', status: 'True' }] }),
    told('own name', { conditions: [{ type: 'example.com/x', status: 'True' }] }),
    told('status', { conditions: [{ type: 'Ready', status: 'x' }] }),
    told('no status', { conditions: [{ type: 'Ready' }] }),
    told('generation', { conditions: [{ type: 'Ready', status: 'True', observedGeneration: -1 }] }),
    told('both', { conditions: [{ type: 'a b', status: 'True', observedGeneration: -1 }] }),
  ),
  oddChanges(
    'a container that has ended does not run again in a Pod that never restarts',
    {
      spec: { restartPolicy: 'Never', initContainers: [sidecar, first] },
      status: {
        phase: 'Running',
        containerStatuses: [of('main', ended(1))],
        initContainerStatuses: [of('side', ended(1)), of('first', ended(0))],
      },
    },
    told('waiting', now(of('main', { waiting: { reason: 'x' } }))),
    told('in no state', now(of('main', {}))),
    told('running', now(of('main', running))),
    told('ended otherwise', now(of('main', ended(2)))),
    told('gone', { containerStatuses: [] }),
    told('sidecar', { initContainerStatuses: [of('side', running), of('first', ended(0))] }),
    told('init', { initContainerStatuses: [of('side', ended(1)), of('first', running)] }),
  ),
  oddChanges(
    'a container goes by a policy of its own whether it runs again',
    {
      spec: {
        restartPolicy: 'Never',
        containers: [
          { name: 'always', image, restartPolicy: 'Always' },
          { name: 'failed', image, restartPolicy: 'OnFailure' },
          { name: 'ruled', image, restartPolicy: 'Never', restartPolicyRules: [ruled] },
          { name: 'never', image, restartPolicy: 'Never' },
          { name: 'other', image, restartPolicy: 'Never', restartPolicyRules: [others] },
        ],
      },
      status: {
        containerStatuses: [
          of('always', ended(0)),
          of('failed', ended(0)),
          of('ruled', ended(1)),
          of('never', ended(1)),
          of('other', ended(2)),
        ],
      },
    },
    told('running', now(...['always', 'failed', 'ruled', 'never', 'other'].map(name => of(name, running)))),
  ),
  oddChanges(
    'a container that never runs again stays ended in a Pod that always restarts',
    {
      spec: {
        containers: [
          { name: 'never', image, restartPolicy: 'Never' },
          { name: 'failed', image, restartPolicy: 'OnFailure' },
          { name: 'ruled', image, restartPolicy: 'Never', restartPolicyRules: [ruled] },
        ],
      },
      status: { containerStatuses: [of('never', ended(0)), of('failed', ended(0)), of('ruled', ended(42))] },
    },
    told('running', now(of('never', running), of('failed', running), of('ruled', running))),
  ),
  oddChanges(
    'an init container that has done its work does not run again in a Pod that restarts on failure',
    {
      spec: { restartPolicy: 'OnFailure', initContainers: [first] },
      status: {
        containerStatuses: [of('main', ended(0))],
        initContainerStatuses: [of('first', ended(0))],
      },
    },
    told('running', now(of('main', running))),
    told('ended otherwise', now(of('main', ended(2)))),
    told('init', { initContainerStatuses: [of('first', running)] }),
    told('init that failed', { initContainerStatuses: [of('first', ended(3))] }),
  ),
  oddChanges(
    'a container that failed runs again where the Pod restarts it',
    {
      spec: { restartPolicy: 'OnFailure', initContainers: [first] },
      status: {
        containerStatuses: [of('main', ended(1))],
        initContainerStatuses: [of('first', ended(1))],
      },
    },
    told('running', now(of('main', running))),
    told('init', { initContainerStatuses: [of('first', running)] }),
  ),
  oddChanges(
    'a container that has ended runs again in a Pod that always restarts',
    {
      spec: { initContainers: [first] },
      status: { containerStatuses: [of('main', ended(0))], initContainerStatuses: [of('first', ended(0))] },
    },
    told('running', now(of('main', running))),
    told('init', { initContainerStatuses: [of('first', running)] }),
  ),
  oddChanges(
    'statuses of containers are about containers, in one state each',
    { spec: { initContainers: [first] } },
    told('a stranger', { containerStatuses: [of('x', running)] }),
    told('of another list', { containerStatuses: [of('first', running)] }),
    told('two states', { containerStatuses: [of('main', { ...running, waiting: {} })] }),
    told('twice', now(of('main', running), of('main', running))),
    told('no name', { containerStatuses: [of('', running)] }),
    told('restarts', { containerStatuses: [of('main', running, { restartCount: -1 })] }),
    told('a stranger before', { initContainerStatuses: [of('x', running)] }),
    told('a stranger to look with', { ephemeralContainerStatuses: [of('x', running)] }),
    told('resources', { containerStatuses: [of('main', running, { resources: { requests: { cpu: '-1' } } })] }),
    told('amounts', { containerStatuses: [of('main', running, { allocatedResources: { cpu: '-1' } })] }),
    told('user', { containerStatuses: [of('main', running, { user: { linux: { uid: -1, gid: 0 } } })] }),
    told('group', { containerStatuses: [of('main', running, { user: { linux: { uid: 0, gid: 2 ** 31 } } })] }),
    told('groups', {
      containerStatuses: [of('main', running, { user: { linux: { uid: 0, gid: 0, supplementalGroups: [0, -1] } } })],
    }),
    told('signal', { containerStatuses: [of('main', running, { stopSignal: 'SIGX' })] }),
    told('mounts', { containerStatuses: [of('main', running, { volumeMounts: [{ name: 'x', mountPath: '/' }] })] }),
  ),
  oddChanges(
    'claims of devices in the status of a Pod are those of its spec',
    { spec: { resourceClaims: [{ name: 'a', resourceClaimTemplateName: 't' }] } },
    told('a stranger', { resourceClaimStatuses: [{ name: 'x', resourceClaimName: 'c' }] }),
    told('name', { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'A_b' }] }),
    told('sound', { resourceClaimStatuses: [{ name: 'a', resourceClaimName: 'c' }] }),
    told('twice', {
      resourceClaimStatuses: [
        { name: 'a', resourceClaimName: 'c' },
        { name: 'a', resourceClaimName: 'd' },
      ],
    }),
    told('unnamed', { resourceClaimStatuses: [{ name: 'a' }] }),
    told('extended', { extendedResourceClaimStatus: { resourceClaimName: 'A_b', requestMappings: [] } }),
    told('mappings', {
      extendedResourceClaimStatus: {
        resourceClaimName: 'c',
        requestMappings: [{ containerName: 'x', resourceName: 'a b', requestName: 'A_b' }],
      },
    }),
    told('odd mappings', {
      extendedResourceClaimStatus: {
        resourceClaimName: '',
        requestMappings: [
          { containerName: 'main', resourceName: '', requestName: '' },
          { containerName: 'main', resourceName: 'cpu', requestName: 'r' },
          { containerName: 'main', resourceName: 'example.com/x', requestName: 'r' },
          { containerName: 'main', resourceName: 'example.com/x', requestName: 'r' },
        ],
      },
    }),
  ),
  oddChanges(
    'what is written with the status is the status alone',
    { spec: { nodeName: 'n' } },
    ['spec', '/status', { spec: { nodeName: 'm' }, status: { phase: 'Running' } }],
    ['labels', '/status', { metadata: { labels: { 'a b': 'c d' } } }],
    ['annotations', '/status', { metadata: { annotations: { 'a b': 'c d' } } }],
    ['a mirror', '/status', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'a' } } }],
    told('all at once', {
      conditions: [{ type: 'a b', status: 'True' }],
      nominatedNodeName: 'A_b',
      observedGeneration: -1,
      qosClass: 'x',
      podIPs: [{ ip: 'x' }],
      hostIPs: [{ ip: 'y' }],
      resourceClaimStatuses: [{ name: 'x' }],
      extendedResourceClaimStatus: { resourceClaimName: 'c', requestMappings: [] },
      containerStatuses: [of('main', running, { user: { linux: { uid: -1, gid: 0 } } })],
      initContainerStatuses: [of('x', running, { user: { linux: { uid: -1, gid: 0 } } })],
    }),
    ['owner', '/status', { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'b' }] } }],
    ['finalizers', '/status', { metadata: { finalizers: ['example.com/x'] } }],
  ),
  {
    says: 'what the status of a Pod leaves out of its class and the addresses of its Node',
    steps: async t => {
      const pods = await podsIn(t);
      const { json } = await t.quietly({ method: 'POST', path: pods, body: aPod('p') });
      await t.put(`${pods}/p/status`, { ...json, status: {} });
      await t.patch(`${pods}/p/status`, 'merge-patch+json', { status: { qosClass: null, hostIP: '10.1.2.3' } });
      await t.patch(`${pods}/p/status`, 'merge-patch+json', { status: { podIP: '10.1.2.4', hostIPs: [] } });
      await t.patch(`${pods}/p/status`, 'merge-patch+json', { status: { podIPs: [{ ip: '10.1.2.5' }] } });
      await t.patch(`${pods}/p/status`, 'merge-patch+json', { status: { podIPs: null } });
    },
  },
];
