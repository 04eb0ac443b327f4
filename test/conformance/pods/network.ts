// What a Pod is called, and how it finds others.

import type { Case } from '../frame/case.ts';
import { main, odd } from './odd.ts';

const long = 'a'.repeat(64);

export const network: readonly Case[] = [
  odd(
    'name servers, searches and options of a Pod are sound',
    ['none alone', { dnsPolicy: 'None' }],
    ['none without servers', { dnsPolicy: 'None', dnsConfig: { searches: ['a'] } }],
    ['unknown policy', { dnsPolicy: 'x' }],
    ['bad address', { dnsConfig: { nameservers: ['a', '1.1.1.1'] } }],
    ['old form of address', { dnsConfig: { nameservers: ['01.1.1.1', '::ffff:1.1.1.1', 'fd00:0::1'] } }],
    ['four servers', { dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'] } }],
    ['bad searches', { dnsConfig: { searches: ['.', 'a_b.c.', 'A', 'a..b', ''] } }],
    ['33 searches', { dnsConfig: { searches: Array.from({ length: 33 }, () => 'a') } }],
    ['long searches', { dnsConfig: { searches: Array.from({ length: 32 }, () => long) } }],
    [
      'an address in another form',
      { dnsConfig: { nameservers: ['FD00:0::1', '1.1.1.1'] }, hostAliases: [{ ip: 'FD00::1' }] },
    ],
    ['nameless option', { dnsConfig: { options: [{ name: 'a' }, { value: 'b' }] } }],
    ['sound', { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'], options: [{ name: 'ndots', value: '2' }] } }],
  ),
  odd(
    'other names of hosts have addresses',
    ['bad', { hostAliases: [{ ip: 'x', hostnames: ['A_b', 'a'] }] }],
    ['no address', { hostAliases: [{ ip: '', hostnames: ['a'] }] }],
    [
      'twice',
      {
        hostAliases: [
          { ip: '1.1.1.1', hostnames: ['a'] },
          { ip: '1.1.1.1', hostnames: ['b'] },
        ],
      },
    ],
    ['old form', { hostAliases: [{ ip: '010.1.1.1', hostnames: ['a'] }, { ip: 'FD00::1' }] }],
  ),
  odd(
    'names that a Pod gives itself are names',
    ['host', { hostname: 'A.b', subdomain: 'c.d' }],
    ['long host', { hostname: long }],
    ['instead', { hostnameOverride: 'A_b' }],
    ['instead, long', { hostnameOverride: 'a'.repeat(65) }],
    ['instead and whole', { hostnameOverride: 'a', setHostnameAsFQDN: true, hostNetwork: true }],
    ['instead, sound', { hostnameOverride: 'a.b' }],
    ['node', { nodeName: 'A_b' }],
    ['priority', { priorityClassName: 'A_b' }],
    ['runtime', { runtimeClassName: 'A_b' }],
    ['scheduler', { schedulerName: 'A_b' }],
    ['pull secrets', { imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}] }],
    ['deadline', { activeDeadlineSeconds: 0 }],
    ['patience', { terminationGracePeriodSeconds: -5 }],
    ['policy', { restartPolicy: 'x', preemptionPolicy: 'y' }],
    ['a name with dots', {}, { name: 'a.b' }],
    ['a long name', {}, { name: 'a'.repeat(64) }],
    ['node labels', { nodeSelector: { 'a b': 'c' } }],
    ['values of node labels', { nodeSelector: { a: 'c d' } }],
    ['old node labels', { nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }],
  ),
  odd(
    'ports that containers share are told',
    ['the same twice', main({ ports: [{ containerPort: 80 }, { containerPort: 80 }] })],
    ['on the host and not', main({ ports: [{ containerPort: 80 }, { containerPort: 80, hostPort: 80 }] })],
    [
      'ambiguous',
      main({
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 80, hostPort: 80, hostIP: '1.1.1.1' },
        ],
      }),
    ],
    [
      'the same name',
      main({
        ports: [
          { containerPort: 80, name: 'a' },
          { containerPort: 81, name: 'a' },
        ],
      }),
    ],
    [
      'the same name elsewhere',
      {
        initContainers: [{ name: 'i', image: 'i', ports: [{ containerPort: 1, name: 'a' }] }],
        ...main({ ports: [{ containerPort: 80, name: 'a' }] }),
      },
    ],
  ),
];
