// Where a Pod may run, near what, and how many of it.

import type { Case } from '../frame/case.ts';
import { main, odd } from './odd.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const nearPods = (...terms: object[]): object => ({ affinity: { podAffinity: { [REQUIRED]: terms } } });
const notNearPods = (...terms: object[]): object => ({ affinity: { podAntiAffinity: { [REQUIRED]: terms } } });
const ratherNearPods = (...terms: object[]): object => ({ affinity: { podAffinity: { [PREFERRED]: terms } } });
const onNodes = (...nodeSelectorTerms: object[]): object => ({
  affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms } } },
});
const ratherOnNodes = (...terms: object[]): object => ({ affinity: { nodeAffinity: { [PREFERRED]: terms } } });
const spread = (...topologySpreadConstraints: object[]): object => ({ topologySpreadConstraints });
const selector = { matchLabels: { app: 'a' } };
const zone = 'topology.kubernetes.io/zone';
const even = { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector };
const tolerate = (...tolerations: object[]): object => ({ tolerations });

export const scheduling: readonly Case[] = [
  odd(
    'Pods to be near have a topology, names and weights',
    ['no topology', nearPods({ labelSelector: selector })],
    ['bad topology', nearPods({ labelSelector: selector, topologyKey: 'a b' })],
    ['bad namespaces', nearPods({ labelSelector: selector, topologyKey: zone, namespaces: ['A_b', 'a'] })],
    ['bad selector', nearPods({ topologyKey: zone, labelSelector: { matchLabels: { a: 'b c' } } })],
    [
      'bad operator',
      notNearPods({
        topologyKey: zone,
        labelSelector: {
          matchExpressions: [
            { key: 'a', operator: 'x' },
            { key: 'a', operator: 'In' },
            { key: 'b c', operator: 'Exists', values: ['v'] },
          ],
        },
      }),
    ],
    [
      'bad namespace selector',
      notNearPods({ topologyKey: zone, labelSelector: selector, namespaceSelector: { matchLabels: { 'a b': 'c' } } }),
    ],
    ['no selector', notNearPods({ topologyKey: zone })],
    ['weights', ratherNearPods(...[0, 101, 1].map(weight => ({ weight, podAffinityTerm: { topologyKey: zone } })))],
    ['no weighted topology', ratherNearPods({ weight: 1, podAffinityTerm: { labelSelector: selector } })],
    [
      'keys',
      nearPods({
        topologyKey: zone,
        labelSelector: selector,
        matchLabelKeys: ['a b', 'app'],
        mismatchLabelKeys: ['app'],
      }),
    ],
    ['keys without a selector', nearPods({ topologyKey: zone, matchLabelKeys: ['a'], mismatchLabelKeys: ['b'] })],
    [
      'keys that are merged',
      nearPods({ topologyKey: zone, labelSelector: {}, matchLabelKeys: ['app'], mismatchLabelKeys: ['tier', 'none'] }),
      { labels: { app: 'a', tier: 'b' } },
    ],
    [
      'key that is selected',
      nearPods({ topologyKey: zone, labelSelector: selector, matchLabelKeys: ['app'] }),
      { labels: { app: 'a' } },
    ],
  ),
  odd(
    'Nodes to be on are told by labels and names',
    ['no terms', onNodes()],
    ['bad field', onNodes({ matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['a'] }] })],
    ['two names', onNodes({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'B_c'] }] })],
    ['operator of a field', onNodes({ matchFields: [{ key: 'metadata.name', operator: 'Exists' }] })],
    ['bad values', onNodes({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b c', 'd'] }] })],
    ['no values', onNodes({ matchExpressions: [{ key: 'a b', operator: 'In' }] })],
    [
      'values too many',
      onNodes({
        matchExpressions: [
          { key: 'a', operator: 'Exists', values: ['b'] },
          { key: 'a', operator: 'Gt', values: ['1', '2'] },
          { key: 'a', operator: 'x' },
        ],
      }),
    ],
    ['old label', onNodes({ matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] })],
    [
      'preferred',
      ratherOnNodes({ weight: 0, preference: { matchExpressions: [{ key: 'a b', operator: 'In', values: ['c d'] }] } }),
    ],
    [
      'preferred values',
      ratherOnNodes({ weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'In', values: ['c d'] }] } }),
    ],
  ),
  odd(
    'what Pods are spread over is sound',
    ['no skew', spread({ ...even, maxSkew: 0 })],
    ['negative skew', spread({ ...even, maxSkew: -1 })],
    ['no topology', spread({ ...even, topologyKey: '' })],
    ['unknown action', spread({ ...even, whenUnsatisfiable: 'x' })],
    ['no action', spread({ ...even, whenUnsatisfiable: '' })],
    ['twice', spread(even, even)],
    ['no domains', spread({ ...even, minDomains: 0 })],
    ['domains of a wish', spread({ ...even, minDomains: 1, whenUnsatisfiable: 'ScheduleAnyway' })],
    ['policies', spread({ ...even, nodeAffinityPolicy: 'x', nodeTaintsPolicy: 'y' })],
    ['bad selector', spread({ ...even, labelSelector: { matchLabels: { 'a b': 'c d' } } })],
    ['no selector', spread({ ...even, labelSelector: undefined })],
    ['keys without a selector', spread({ ...even, labelSelector: undefined, matchLabelKeys: ['a'] })],
    ['bad keys', spread({ ...even, matchLabelKeys: ['a b', 'app'] })],
    ['key that is selected', spread({ ...even, matchLabelKeys: ['app'] }), { labels: { app: 'a' } }],
    ['keys that are merged', spread({ ...even, matchLabelKeys: ['tier'] }), { labels: { app: 'a', tier: 'b' } }],
    ['old label', spread({ ...even, topologyKey: 'failure-domain.beta.kubernetes.io/zone' })],
  ),
  odd(
    'tolerations make sense',
    ['no key', tolerate({ operator: 'Equal', value: 'a' })],
    ['bad key', tolerate({ key: 'a b', operator: 'Exists' })],
    ['value of existence', tolerate({ key: 'a', operator: 'Exists', value: 'b' })],
    ['bad value', tolerate({ key: 'a', value: 'b c' })],
    ['unknown operator', tolerate({ key: 'a', operator: 'x' })],
    ['numbers', tolerate({ key: 'a', operator: 'Lt', value: '5' })],
    ['patience', tolerate({ key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 5 })],
    ['effect', tolerate({ key: 'a', operator: 'Exists', effect: 'x' })],
  ),
  odd(
    'gates have names, each its own',
    ['scheduling', { schedulingGates: [{ name: 'a b' }, { name: '' }] }],
    ['twice', { schedulingGates: [{ name: 'a' }, { name: 'a' }] }],
    ['on a Node', { nodeName: 'n', schedulingGates: [{ name: 'a' }] }],
    ['readiness', { readinessGates: [{ conditionType: 'a b' }, { conditionType: '' }] }],
    ['sound', { schedulingGates: [{ name: 'a/b' }], readinessGates: [{ conditionType: 'a/b' }] }],
  ),
  odd(
    'fields of features that are off are dropped',
    ['group', { schedulingGroup: { podGroupName: 'g' } }],
    ['empty group', { schedulingGroup: {} }],
    [
      'restart of all',
      main({
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [1] } }],
      }),
    ],
    ['signals', { os: { name: 'linux' }, ...main({ lifecycle: { stopSignal: 'SIGUSR1' } }) }],
    [
      'file keys',
      {
        volumes: [{ name: 'v', emptyDir: {} }],
        ...main({ env: [{ name: 'A', valueFrom: { fileKeyRef: { volumeName: 'v', path: 'p', key: 'K' } } }] }),
      },
    ],
    [
      'bundles and certificates',
      {
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [
                { clusterTrustBundle: { name: 'b', path: 'p' } },
                { podCertificate: { signerName: 'example.com/s', keyType: 'ED25519', credentialBundlePath: 'q' } },
                { secret: { name: 's' } },
              ],
            },
          },
        ],
      },
    ],
    ['workload', { workloadRef: { name: 'w', podGroup: 'g' } }],
  ),
];
