// What containers and Pods may ask of Nodes.

import type { Case } from '../frame/case.ts';
import { init, main, odd, oddTemplates } from './odd.ts';

const ask = (requests: object, limits: object = {}): object => main({ resources: { requests, limits } });
const limit = (limits: object): object => main({ resources: { limits } });
const whole = (resources: object, more: object = {}): object => ({ resources, ...main(more) });
const claims = (...resourceClaims: object[]): object => ({ resourceClaims });

export const resources: readonly Case[] = [
  odd(
    'resources of containers are known, whole and within their limits',
    ['unknown', limit({ gpu: '1' })],
    ['of a quota', limit({ pods: '1' })],
    ['bad name', limit({ 'a b': '1' })],
    ['of Kubernetes', limit({ 'kubernetes.io/x': '1' })],
    ['of a quota with a domain', limit({ 'requests.example.com/gpu': '1' })],
    ['below zero', limit({ cpu: '-1' })],
    ['above its limit', ask({ cpu: '2' }, { cpu: '1' })],
    ['fraction of a device', limit({ 'example.com/gpu': '1.5' })],
    ['devices asked for only', ask({ 'example.com/gpu': '1' })],
    ['devices differ', ask({ 'example.com/gpu': '1' }, { 'example.com/gpu': '2' })],
    ['devices', limit({ 'example.com/gpu': '2' })],
    ['huge pages alone', limit({ 'hugepages-2Mi': '2Mi' })],
    ['odd huge pages', limit({ cpu: '1', 'hugepages-2Mi': '3Mi' })],
    ['huge pages of a bad size', limit({ cpu: '1', 'hugepages-x': '2Mi' })],
    ['huge pages differ', ask({ cpu: '1', 'hugepages-2Mi': '2Mi' }, { 'hugepages-2Mi': '4Mi' })],
    ['huge pages', limit({ memory: '1Mi', 'hugepages-2Mi': '2Mi' })],
    ['fractions of bytes', ask({ memory: '100m' }, { memory: '1500m' })],
    [
      'more fractions',
      { ...init({ resources: { limits: { 'ephemeral-storage': '0.5' } } }), overhead: { memory: '1.5' } },
    ],
  ),
  odd(
    'a Pod that has resources as a whole asks for those that it can have',
    ['unknown', whole({ limits: { 'example.com/gpu': '1' } })],
    ['of no kind', whole({ limits: { gpu: '1' } })],
    ['claims', whole({ claims: [{ name: 'a' }] })],
    ['of Windows', { ...whole({ limits: { cpu: '1' } }), os: { name: 'windows' } }],
    ['above its limit', whole({ requests: { cpu: '2' }, limits: { cpu: '1' } })],
    ['less than its containers', whole({ requests: { cpu: '1' } }, { resources: { requests: { cpu: '2' } } })],
    [
      'limit below a container',
      whole({ limits: { cpu: '1' } }, { resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } }),
    ],
    [
      'less than init containers',
      { ...whole({ requests: { cpu: '1' } }), ...init({ resources: { requests: { cpu: '3' } } }) },
    ],
    ['limit only', whole({ limits: { cpu: '1', memory: '1Mi' } })],
    ['requests only', whole({ requests: { cpu: '1' } })],
    ['limit only, beside a container', whole({ limits: { cpu: '2' } }, { resources: { requests: { cpu: '1' } } })],
  ),
  odd(
    'overhead is of a runtime class',
    ['without one', { overhead: { cpu: '1' } }],
    ['unknown', { overhead: { gpu: '1' } }],
  ),
  odd(
    'claims of a Pod have names and a source',
    ['nothing', claims({})],
    ['no source', claims({ name: 'a' })],
    ['two sources', claims({ name: 'a', resourceClaimName: 'b', resourceClaimTemplateName: 'c' })],
    ['bad names', claims({ name: 'A_b', resourceClaimName: 'C_d' })],
    ['twice', claims({ name: 'a', resourceClaimName: 'b' }, { name: 'a', resourceClaimName: 'b' })],
    ['unknown to the Pod', main({ resources: { claims: [{ name: 'a' }, {}] } })],
    [
      'of another name',
      { ...claims({ name: 'a', resourceClaimName: 'b' }), ...main({ resources: { claims: [{ name: 'b' }] } }) },
    ],
    [
      'twice in a container',
      {
        ...claims({ name: 'a', resourceClaimName: 'b' }),
        ...main({ resources: { claims: [{ name: 'a', request: 'r' }, { name: 'a' }, { name: 'a' }] } }),
      },
    ],
    [
      'bad request',
      {
        ...claims({ name: 'a', resourceClaimName: 'b' }),
        ...main({ resources: { claims: [{ name: 'a', request: 'R_' }] } }),
      },
    ],
    [
      'sound',
      { ...claims({ name: 'a', resourceClaimName: 'b' }), ...main({ resources: { claims: [{ name: 'a' }] } }) },
    ],
  ),
  oddTemplates(
    'templates are held to what Pods are held to, with a few exceptions',
    ['user', { securityContext: { runAsUser: -1 } }],
    ['padded image', main({ image: ' a ' })],
    ['host network without host ports', { hostNetwork: true, ...main({ ports: [{ containerPort: 80 }] }) }],
    ['host network with others', { hostNetwork: true, ...main({ ports: [{ containerPort: 80, hostPort: 81 }] }) }],
    ['labels', {}, { labels: { app: 'a', 'a b': 'c d' } }],
    ['annotations', {}, { annotations: { 'a b': 'c' } }],
    ['deletion cost', {}, { annotations: { 'controller.kubernetes.io/pod-deletion-cost': 'x' } }],
    ['AppArmor', {}, { annotations: { 'container.apparmor.security.beta.kubernetes.io/main': 'localhost/a' } }],
    [
      'AppArmor of nobody',
      {},
      { annotations: { 'container.apparmor.security.beta.kubernetes.io/other': 'unconfined' } },
    ],
    ['debug containers', { ephemeralContainers: [{ name: 'e', image: 'i' }] }],
    ['gates on a Node', { nodeName: 'n', schedulingGates: [{ name: 'a' }] }],
    ['no containers', { containers: [] }],
    ['overhead', { overhead: { gpu: '1' } }],
    ['fractions of bytes', ask({ memory: '100m' })],
    [
      'spread without a selector',
      { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' }] },
    ],
    ['system', { os: { name: 'bsd' } }],
  ),
];
