// What is odd in changes of a Pod that is there, and in what every kind that makes Pods is given.

import type { Case } from '../frame/case.ts';
import { MAKERS, main, oddChanges, oddTemplatesOf } from './odd.ts';

const annotated = (annotations: object): object => ({ metadata: { annotations } });
const looking = (...ephemeralContainers: object[]): object => ({ spec: { ephemeralContainers } });
const eye = { name: 'eye', image: 'example.com/eye:1' };
const sized = (requests: object, limits: object = {}): object => ({
  spec: { containers: [{ name: 'main', resources: { requests, limits } }] },
});

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const onNodes = (...nodeSelectorTerms: object[]): object => ({ nodeAffinity: { [REQUIRED]: { nodeSelectorTerms } } });
const nearOthers = { [REQUIRED]: [{ topologyKey: 'a', labelSelector: {} }] };

export const changes: readonly Case[] = [
  oddChanges(
    'what a kubelet goes by in the annotations of a Pod stays',
    { metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'unconfined', other: 'a' } } },
    ['AppArmor', '', annotated({ 'container.apparmor.security.beta.kubernetes.io/main': 'runtime/default' })],
    ['AppArmor gone', '', annotated({ 'container.apparmor.security.beta.kubernetes.io/main': null })],
    ['a mirror', '', annotated({ 'kubernetes.io/config.mirror': 'a' })],
    ['another', '', annotated({ other: null, more: 'b' })],
    ['an old one', '', annotated({ 'scheduler.alpha.kubernetes.io/critical-pod': '' })],
  ),
  oddChanges(
    'odd images, tolerations and fields of features that are off are told when they are added',
    {},
    ['padded image', '', { spec: main({ image: ' a' }) }],
    ['no image', '', { spec: main({ image: '' }) }],
    ['group', '', { spec: { schedulingGroup: { podGroupName: 'g' } } }],
    ['signal', '', { spec: main({ lifecycle: { stopSignal: 'SIGTERM' } }) }],
    ['toleration', '', { spec: { tolerations: [{ key: 'a b', operator: 'Exists' }] } }],
    ['deadline', '', { spec: { activeDeadlineSeconds: 0 } }],
    ['selector', '', { spec: { nodeSelector: { 'a b': 'c' } } }],
  ),
  oddChanges(
    'containers to look with are sound',
    { spec: { volumes: [{ name: 'v', emptyDir: {} }] } },
    ['nothing', '/ephemeralcontainers', looking({ name: 'eye' })],
    ['a name that is taken', '/ephemeralcontainers', looking({ ...eye, name: 'main' })],
    ['a target that is not there', '/ephemeralcontainers', looking({ ...eye, targetContainerName: 'x' })],
    [
      'what it cannot have',
      '/ephemeralcontainers',
      looking({
        ...eye,
        ports: [{ containerPort: 1 }],
        resources: { requests: { cpu: '1' } },
        lifecycle: {},
        livenessProbe: { exec: { command: ['a'] } },
      }),
    ],
    [
      'a part of a volume',
      '/ephemeralcontainers',
      looking({ ...eye, volumeMounts: [{ name: 'v', mountPath: '/a', subPath: 'b' }] }),
    ],
    ['no volume', '/ephemeralcontainers', looking({ ...eye, volumeMounts: [{ name: 'x', mountPath: '/a' }] })],
    ['root', '/ephemeralcontainers', looking({ ...eye, securityContext: { runAsUser: -1 }, env: [{ name: 'a=b' }] })],
    ['sound', '/ephemeralcontainers', looking({ ...eye, targetContainerName: 'main' })],
  ),
  oddChanges(
    'what a container is resized to is sound',
    { spec: main({ resources: { requests: { cpu: '1' }, limits: { cpu: '2' } } }) },
    ['above its limit', '/resize', sized({ cpu: '3' })],
    ['below zero', '/resize', sized({ cpu: '-1' })],
    ['a device', '/resize', sized({}, { 'example.com/gpu': '1' })],
    ['sound', '/resize', sized({ cpu: '2' })],
  ),
  oddChanges(
    'a Pod that gates hold back may be sent to fewer Nodes, not to others',
    {
      spec: {
        schedulingGates: [{ name: 'example.com/a' }],
        nodeSelector: { a: 'b' },
        affinity: onNodes({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }),
      },
    },
    ['fewer', '', { spec: { nodeSelector: { c: 'd' } } }],
    ['others', '', { spec: { nodeSelector: { a: 'c' } } }],
    ['any', '', { spec: { nodeSelector: null } }],
    [
      'one more wish',
      '',
      {
        spec: {
          affinity: onNodes({
            matchExpressions: [
              { key: 'a', operator: 'Exists' },
              { key: 'b', operator: 'Exists' },
            ],
          }),
        },
      },
    ],
    ['another wish', '', { spec: { affinity: onNodes({ matchExpressions: [{ key: 'b', operator: 'Exists' }] }) } }],
    [
      'one more term',
      '',
      { spec: { affinity: onNodes({ matchExpressions: [{ key: 'a', operator: 'Exists' }] }, {}) } },
    ],
    ['no terms', '', { spec: { affinity: null } }],
    ['near others', '', { spec: { affinity: { podAffinity: nearOthers } } }],
    ['on a Node', '', { spec: { nodeName: 'n' } }],
    ['another gate', '', { spec: { schedulingGates: [{ name: 'example.com/b' }] } }],
    ['a name', '', { spec: { hostname: 'a' } }],
  ),
  oddTemplatesOf(
    MAKERS,
    'whoever makes Pods is held to what Pods are held to',
    ['user', { securityContext: { runAsUser: -1 } }],
    ['deletion cost', {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } }],
    [
      'features that are off',
      { schedulingGroup: { podGroupName: 'g' }, ...main({ lifecycle: { stopSignal: 'SIGTERM' } }) },
    ],
    ['warnings', { imagePullSecrets: [{}] }],
  ),
];
