// Devices: what is asked for, in classes, claims and templates.

import type { Case } from '../frame/case.ts';
import { inCluster, inNamespace, type Kind, odd, oddChanges, type Row } from './odd-objects.ts';

const api = '/apis/resource.k8s.io/v1';
const exactly = { deviceClassName: 'c' };
const claim: Kind = {
  door: inNamespace('resourceclaims', api),
  sound: { spec: { devices: { requests: [{ name: 'r', exactly }] } } },
};
const template: Kind = {
  door: inNamespace('resourceclaimtemplates', api),
  sound: { spec: { spec: { devices: { requests: [{ name: 'r', exactly }] } } } },
};
const deviceClass: Kind = { door: inCluster('deviceclasses', api), sound: { spec: {} } };

const slice: Kind = {
  door: inCluster('resourceslices', api),
  sound: { spec: { driver: 'example.com', nodeName: 'n', pool: { name: 'p', generation: 1, resourceSliceCount: 1 } } },
};
const expression = (what: string, text: string): Row => [what, {}, { selectors: [{ cel: { expression: text } }] }];

const requests = (what: string, ...list: readonly object[]): Row => [what, {}, { devices: { requests: list } }];
const asked = (what: string, more: object): Row => requests(what, { name: 'r', exactly: { ...exactly, ...more } });
const besides = (what: string, more: object): Row => [
  what,
  {},
  { devices: { requests: [{ name: 'r', exactly }], ...more } },
];
const first = (what: string, ...firstAvailable: readonly object[]): Row =>
  requests(what, { name: 'r', firstAvailable });
const opaque = (driver: string, parameters: unknown): object => ({ opaque: { driver, parameters } });

export const deviceKinds: readonly Case[] = [
  odd(
    claim,
    'a ResourceClaim asks for devices by names of its own',
    requests('nothing asked for', {}),
    requests('name', { name: 'A_b', exactly }),
    requests('twice', { name: 'r', exactly }, { name: 'r', exactly }),
    requests('neither', { name: 'r' }),
    requests('both', { name: 'r', exactly, firstAvailable: [{ name: 's', deviceClassName: 'c' }] }),
    requests('many', ...Array.from({ length: 33 }, (_, index) => ({ name: `r${index}`, exactly }))),
    asked('no class', { deviceClassName: '' }),
    asked('class', { deviceClassName: 'A_b' }),
    asked('mode', { allocationMode: 'x' }),
    asked('all and a count', { allocationMode: 'All', count: 2 }),
    asked('count', { count: -1 }),
    asked('no count', { allocationMode: 'ExactCount', count: 0 }),
    asked('selectors', { selectors: [{}] }),
    asked('many selectors', { selectors: Array.from({ length: 33 }, () => ({ cel: { expression: 'true' } })) }),
    asked('capacity', { capacity: { requests: { 'a b': '1' } } }),
    ['none', {}, { devices: {} }],
    ['no spec', { spec: {} }],
  ),
  odd(
    claim,
    'a ResourceClaim is content with the first of several',
    first('none of them'),
    first('no name', { deviceClassName: 'c' }),
    first('no class', { name: 's' }),
    first('twice', { name: 's', deviceClassName: 'c' }, { name: 's', deviceClassName: 'c' }),
    first('many', ...Array.from({ length: 9 }, (_, index) => ({ name: `s${index}`, deviceClassName: 'c' }))),
    first('mode', { name: 's', deviceClassName: 'c', allocationMode: 'x' }),
    first('sound', { name: 's', deviceClassName: 'c' }, { name: 't', deviceClassName: 'd', count: 2 }),
  ),
  odd(
    claim,
    'constraints and configuration of a ResourceClaim are about its requests',
    besides('no attribute', { constraints: [{ requests: ['r'] }] }),
    besides('unknown request', { constraints: [{ requests: ['x'], matchAttribute: 'a/b' }] }),
    besides('request twice', { constraints: [{ requests: ['r', 'r'], matchAttribute: 'a/b' }] }),
    besides('attribute', { constraints: [{ matchAttribute: 'b' }] }),
    besides('odd attribute', { constraints: [{ matchAttribute: 'A_b/c-d' }] }),
    besides('many', { constraints: Array.from({ length: 33 }, () => ({ matchAttribute: 'a/b' })) }),
    besides('no configuration', { config: [{}] }),
    besides('driver', { config: [opaque('A_b', {})] }),
    besides('no driver', { config: [opaque('', {})] }),
    besides('no parameters', { config: [{ opaque: { driver: 'example.com' } }] }),
    besides('parameters', { config: [opaque('example.com', 'text')] }),
    besides('unknown of a configuration', { config: [{ requests: ['x'], ...opaque('example.com', {}) }] }),
    besides('sound', {
      config: [{ requests: ['r'], ...opaque('example.com', { a: 1 }) }],
      constraints: [{ matchAttribute: 'a.b/c' }],
    }),
  ),
  odd(
    template,
    'a ResourceClaimTemplate is held to what claims are held to',
    ['class', {}, { spec: { devices: { requests: [{ name: 'r', exactly: {} }] } } }],
    ['nothing', { spec: {} }],
  ),
  odd(
    deviceClass,
    'a DeviceClass selects devices and configures them',
    ['selector', {}, { selectors: [{}] }],
    ['many', {}, { selectors: Array.from({ length: 33 }, () => ({ cel: { expression: 'true' } })) }],
    ['configuration', {}, { config: [{}] }],
    ['driver', {}, { config: [opaque('A_b', {})] }],
    ['extended', {}, { extendedResourceName: 'a b' }],
    ['own name', {}, { extendedResourceName: 'cpu' }],
    [
      'sound',
      {},
      { selectors: [{ cel: { expression: 'device.driver == "a"' } }], extendedResourceName: 'example.com/x' },
    ],
    ['name', { metadata: { name: 'A_b' } }],
  ),
  odd(
    deviceClass,
    'an expression that selects devices is of CEL and says yes or no',
    expression('number', '1'),
    expression('long', `true || ${'a'.repeat(10_240)}`),
    expression('unknown variable', 'object.x'),
    expression('unknown field', 'device.nope == "a"'),
    expression('unknown function', 'device.driver.nope()'),
    expression('attributes', 'device.attributes["a.b"].c == "x"'),
    expression('capacity', 'device.capacity["a.b"].c.isGreaterThan(quantity("1Gi"))'),
    expression('multiple', 'device.allowMultipleAllocations == true'),
    expression('any', 'device.attributes["a.b"].c'),
    expression('costly', 'device.attributes.all(k, device.attributes.all(l, device.attributes.all(m, true)))'),
  ),
  {
    ...odd(
      deviceClass,
      'an expression that selects devices and is none is refused',
      expression('unfinished', '1+'),
      expression('nothing', ''),
      expression('blank', ' '),
    ),
    difference: 3,
  },
  odd(
    slice,
    'a ResourceSlice tells of devices of one driver, in a pool',
    ['sound', {}],
    ['no spec', { spec: {} }],
    ['no driver', {}, { driver: '' }],
    ['driver', {}, { driver: 'A_b' }],
    ['no node', {}, { nodeName: undefined }],
    ['node and all', {}, { allNodes: true }],
    ['odd node', {}, { nodeName: 'A_b' }],
    ['no pool', {}, { pool: {} }],
    ['pool', {}, { pool: { name: 'A_b', generation: -1, resourceSliceCount: 0 } }],
    ['device', {}, { devices: [{ name: 'A_b' }] }],
    ['no device name', {}, { devices: [{}] }],
    ['device twice', {}, { devices: [{ name: 'd' }, { name: 'd' }] }],
    ['many devices', {}, { devices: Array.from({ length: 129 }, (_, index) => ({ name: `d${index}` })) }],
    ['attribute', {}, { devices: [{ name: 'd', attributes: { 'a b': { int: 1 }, none: {} } }] }],
    ['two values', {}, { devices: [{ name: 'd', attributes: { a: { int: 1, bool: true } } }] }],
    ['version', {}, { devices: [{ name: 'd', attributes: { a: { version: 'x' } } }] }],
    ['long text', {}, { devices: [{ name: 'd', attributes: { a: { string: 'x'.repeat(65) } } }] }],
    ['capacity', {}, { devices: [{ name: 'd', capacity: { 'a b': { value: '1' } } }] }],
  ),
  oddChanges(
    claim,
    'a ResourceClaim stays as it was asked for',
    ['other request', '', { spec: { devices: { requests: [{ name: 's', exactly }] } } }],
    ['status by itself', '', { status: { reservedFor: [{ name: 'p', resource: 'pods', uid: 'u' }] } }],
    [
      'reserved without an allocation',
      '/status',
      { status: { reservedFor: [{ name: 'p', resource: 'pods', uid: 'u' }] } },
    ],
    ['labels', '', { metadata: { labels: { a: 'b' } } }],
  ),
  oddChanges(
    template,
    'a ResourceClaimTemplate stays as it is',
    ['other request', '', { spec: { spec: { devices: { requests: [{ name: 's', exactly }] } } } }],
    ['labels', '', { metadata: { labels: { a: 'b' } } }],
  ),
];
