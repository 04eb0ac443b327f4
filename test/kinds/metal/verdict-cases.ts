// What upstream's webhooks refuse and what they take: as changes to objects that they take (metal spec, section 8, Admission).

import type { Made } from './values.ts';

export interface VerdictCase {
  readonly what: string;
  readonly kind: string;
  /** Merged into the kind's usual object before it is made. */
  readonly made?: Made;
  /** Merged into it afterwards, when it is there. */
  readonly changed?: Made;
  /** What the refusal says; undefined when it is taken. */
  readonly refused?: string;
  /** The manager's endpoint alone can tell: without it the object is taken. */
  readonly byEndpoint?: true;
}

const IMAGE = { url: 'http://host/image', checksum: 'http://host/sum' };
const STATIC = { id: 'net', link: 'eth0', fromPoolRef: { name: 'pool' } };

/** Objects that upstream takes, by kind, in the stored version. */
export const USUAL: Readonly<Record<string, Made>> = {
  Metal3Cluster: { spec: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } } },
  Metal3ClusterTemplate: {
    spec: { template: { spec: { controlPlaneEndpoint: { host: 'api.example.com', port: 6443 } } } },
  },
  Metal3Machine: { spec: { image: IMAGE } },
  Metal3MachineTemplate: { spec: { template: { spec: { image: IMAGE } } } },
  Metal3DataTemplate: { spec: { clusterName: 'c', metaData: { strings: [{ key: 'a', value: 'b' }] } } },
  Metal3DataClaim: { spec: { template: { name: 'abc' } } },
  Metal3Data: { metadata: { name: 'abc-1' }, spec: { index: 1, template: { name: 'abc' }, claim: { name: 'm-0' } } },
  Metal3Remediation: { spec: { strategy: { type: 'Reboot', retryLimit: 1, timeoutSeconds: 600 } } },
  Metal3RemediationTemplate: { spec: { template: { spec: { strategy: { type: 'Reboot' } } } } },
  IPPool: { spec: { namePrefix: 'p', pools: [{ start: '10.0.0.10', end: '10.0.0.20' }] } },
  IPClaim: { spec: { pool: { name: 'pool' } } },
  IPAddress: { spec: { address: '10.0.0.10', prefix: 24, pool: { name: 'pool' }, claim: { name: 'claim' } } },
};

const refuse = (
  kind: string,
  what: string,
  refused: string,
  how: Pick<VerdictCase, 'made' | 'changed'>,
): VerdictCase => ({
  kind,
  what,
  refused,
  ...how,
});
const take = (kind: string, what: string, how: Pick<VerdictCase, 'made' | 'changed'>): VerdictCase => ({
  kind,
  what,
  ...how,
});

const FOREIGN = "must be empty or the object's own namespace";

const data: readonly VerdictCase[] = [
  refuse(
    'Metal3Data',
    'a name that is not <template>-<index>',
    'metadata.name must be <spec.template.name>-<spec.index>',
    {
      made: { metadata: { name: 'abc-2' } },
    },
  ),
  refuse('Metal3Data', 'a name whose index has a leading zero', 'metadata.name must be', {
    made: { metadata: { name: 'abc-01' } },
  }),
  refuse('Metal3Data', 'another index', 'spec.index cannot be changed', { changed: { spec: { index: 2 } } }),
  refuse('Metal3Data', 'another template', 'spec.template cannot be changed', {
    changed: { spec: { template: { name: 'b' } } },
  }),
  refuse('Metal3Data', 'another namespace of the template', 'spec.template', {
    changed: { spec: { template: { namespace: 'b' } } },
  }),
  refuse('Metal3Data', 'another claim', 'spec.claim cannot be changed', {
    changed: { spec: { claim: { name: 'b' } } },
  }),
  refuse('Metal3Data', 'another namespace of the claim', 'spec.claim', {
    changed: { spec: { claim: { namespace: 'b' } } },
  }),
  refuse('Metal3Data', 'a claim of another namespace', `spec.claim.namespace ${FOREIGN}`, {
    made: { spec: { claim: { namespace: 'b' } } },
  }),
  take('Metal3Data', 'nothing else', { changed: {} }),
  take('Metal3Data', 'the secrets that were rendered', { changed: { spec: { metaData: { name: 'm-0-metadata' } } } }),
  take('Metal3Data', 'index 0', { made: { metadata: { name: 'abc-0' }, spec: { index: 0 } } }),
];

const claim: readonly VerdictCase[] = [
  refuse('Metal3DataClaim', 'no template', 'spec.template.name must be set', { made: { spec: { template: null } } }),
  refuse('Metal3DataClaim', 'a template of another namespace', `spec.template.namespace ${FOREIGN}`, {
    made: { spec: { template: { namespace: 'b' } } },
  }),
  refuse('Metal3DataClaim', 'another template', 'spec.template cannot be changed', {
    changed: { spec: { template: { name: 'b' } } },
  }),
  refuse('Metal3DataClaim', 'another namespace of the template', 'spec.template', {
    changed: { spec: { template: { namespace: 'b' } } },
  }),
  take('Metal3DataClaim', 'the template of its own namespace', {
    made: { spec: { template: { namespace: 'default' } } },
  }),
  take('Metal3DataClaim', 'a finalizer', { changed: { metadata: { finalizers: ['example.com/a'] } } }),
];

const networks = (name: string, network: Made): Made => ({
  spec: { networkData: { networks: { [name]: [network] } } },
});
const interfaces = (item: Made): Made => ({ spec: { metaData: { fromHostInterfaces: [{ key: 'a', ...item }] } } });
const { fromPoolRef: _, ...SOURCELESS } = STATIC;

const template: readonly VerdictCase[] = [
  ...['ipv4', 'ipv6'].map(name =>
    refuse('Metal3DataTemplate', `a static ${name} network without a source of addresses`, 'fromPoolRef', {
      made: networks(name, SOURCELESS),
    }),
  ),
  take('Metal3DataTemplate', 'a static network with a pool', { made: networks('ipv4', STATIC) }),
  take('Metal3DataTemplate', 'a static network with an annotation that names its pool', {
    made: networks('ipv4', { ...SOURCELESS, fromPoolAnnotation: { object: 'machine', annotation: 'a' } }),
  }),
  refuse('Metal3DataTemplate', 'neither an interface nor the boot MAC', 'interface', { made: interfaces({}) }),
  refuse('Metal3DataTemplate', 'an interface and the boot MAC', 'interface', {
    made: interfaces({ interface: 'eth0', fromBootMAC: true }),
  }),
  take('Metal3DataTemplate', 'an interface', { made: interfaces({ interface: 'eth0', fromBootMAC: false }) }),
  take('Metal3DataTemplate', 'the boot MAC', { made: interfaces({ fromBootMAC: true }) }),
  refuse('Metal3DataTemplate', 'other metadata', 'spec.metaData cannot be changed', {
    changed: { spec: { metaData: { strings: [{ key: 'a', value: 'c' }] } } },
  }),
  refuse('Metal3DataTemplate', 'no metadata any more', 'spec.metaData cannot be changed', {
    changed: { spec: { metaData: null } },
  }),
  refuse('Metal3DataTemplate', 'network data where there was none', 'spec.networkData cannot be changed', {
    changed: networks('ipv4', STATIC),
  }),
  refuse('Metal3DataTemplate', 'other network data', 'spec.networkData cannot be changed', {
    made: networks('ipv4', STATIC),
    changed: networks('ipv4', { ...STATIC, link: 'eth1' }),
  }),
  take('Metal3DataTemplate', 'a label', { changed: { metadata: { labels: { a: 'b' } } } }),
];

const machineSpec = (spec: Made): Made => ({ spec });
const templateSpec = (spec: Made): Made => ({ spec: { template: { spec } } });
const machines = (
  [
    ['Metal3Machine', machineSpec],
    ['Metal3MachineTemplate', templateSpec],
  ] as const
).flatMap(([kind, of]): readonly VerdictCase[] => [
  refuse(kind, 'neither an image nor a deploy method', 'image.url or customDeploy.method must be set', {
    made: of({ image: null }),
  }),
  refuse(kind, 'an address that is none', 'image.url', { made: of({ image: { url: 'no address' } }) }),
  refuse(kind, 'an image without a checksum', 'image.checksum must be set', {
    made: of({ image: { checksum: null } }),
  }),
  refuse(kind, 'a checksum whose address is none', 'image.checksum', {
    made: of({ image: { checksum: 'http://a b' } }),
  }),
  refuse(kind, 'a checksum of an image from a registry', 'image.checksum is not allowed', {
    made: of({ image: { url: 'oci://a/b' } }),
  }),
  refuse(kind, 'user data of another namespace', FOREIGN, { made: of({ userData: { name: 'a', namespace: 'b' } }) }),
  refuse(kind, 'a data template of another namespace', FOREIGN, {
    made: of({ dataTemplate: { name: 'a', namespace: 'b' } }),
  }),
  take(kind, 'a live ISO without a checksum', { made: of({ image: { checksum: null, diskFormat: 'live-iso' } }) }),
  take(kind, 'an image from a registry', { made: of({ image: { url: 'oci://a/b', checksum: null } }) }),
  take(kind, 'a deploy method instead of an image', { made: of({ image: null, customDeploy: { method: 'a' } }) }),
]);

const clusters: readonly VerdictCase[] = [
  refuse('Metal3Cluster', 'no address of the control plane', 'spec.controlPlaneEndpoint.host must be set', {
    made: { spec: { controlPlaneEndpoint: null } },
  }),
  refuse('Metal3ClusterTemplate', 'no address of the control plane', 'controlPlaneEndpoint.host', {
    made: { spec: { template: { spec: { controlPlaneEndpoint: null } } } },
  }),
  take('Metal3Cluster', 'a finalizer', { changed: { metadata: { finalizers: ['example.com/a'] } } }),
];

const remediation: readonly VerdictCase[] = [
  refuse('Metal3Remediation', 'another strategy', 'strategy.type', { made: { spec: { strategy: { type: 'Pray' } } } }),
  refuse('Metal3Remediation', 'no strategy', 'strategy.type', { made: { spec: { strategy: null } } }),
  refuse('Metal3Remediation', 'a time-out below 100 s', 'timeout', {
    made: { spec: { strategy: { timeoutSeconds: 99 } } },
  }),
  refuse('Metal3RemediationTemplate', 'a time-out below 100 s', 'timeout', {
    made: { spec: { template: { spec: { strategy: { timeoutSeconds: 99 } } } } },
  }),
  take('Metal3Remediation', 'a time-out of 100 s', { made: { spec: { strategy: { timeoutSeconds: 100 } } } }),
];

const addresses: readonly VerdictCase[] = [
  refuse('IPClaim', 'no pool', 'spec.pool.name must be set', { made: { spec: { pool: { name: null } } } }),
  refuse('IPClaim', 'a pool of another namespace', `spec.pool.namespace ${FOREIGN}`, {
    made: { spec: { pool: { namespace: 'b' } } },
  }),
  refuse('IPClaim', 'another pool', 'spec.pool cannot be changed', { changed: { spec: { pool: { name: 'b' } } } }),
  refuse('IPAddress', 'no pool', 'spec.pool.name must be set', { made: { spec: { pool: { name: null } } } }),
  refuse('IPAddress', 'no claim', 'spec.claim.name must be set', { made: { spec: { claim: { name: null } } } }),
  refuse('IPAddress', 'another address', 'spec.address cannot be changed', {
    changed: { spec: { address: '10.0.0.11' } },
  }),
  refuse('IPAddress', 'another prefix', 'spec.prefix cannot be changed', { changed: { spec: { prefix: 25 } } }),
  refuse('IPAddress', 'another pool', 'spec.pool cannot be changed', { changed: { spec: { pool: { name: 'b' } } } }),
  refuse('IPAddress', 'another claim', 'spec.claim cannot be changed', { changed: { spec: { claim: { name: 'b' } } } }),
  take('IPAddress', 'a finalizer', { changed: { metadata: { finalizers: ['example.com/a'] } } }),
];

const IN_POOL = { c1: '10.0.0.10' };

const told = (what: string, refused: string, how: Pick<VerdictCase, 'made'>): VerdictCase => ({
  ...refuse('IPPool', what, refused, how),
  byEndpoint: true,
});

const endpoint: readonly VerdictCase[] = [
  told('a reversed range', 'spec.pools[0].end', {
    made: { spec: { pools: [{ start: '10.0.0.20', end: '10.0.0.10' }] } },
  }),
  told('a pre-allocation outside its ranges', 'spec.preAllocations', {
    made: { spec: { preAllocations: { c1: '10.0.1.1' } } },
  }),
  told('an address that is pre-allocated twice', 'spec.preAllocations[c2]', {
    made: { spec: { preAllocations: { ...IN_POOL, c2: '10.0.0.10' } } },
  }),
  told('one IPv6 address in two spellings', 'spec.preAllocations[c2]', {
    made: { spec: { pools: [{ subnet: 'fd00::/64' }], preAllocations: { c1: 'fd00::5', c2: 'fd00:0:0:0::5' } } },
  }),
  told('chance over a range without an end', 'allocationStrategy', {
    made: { spec: { allocationStrategy: 'random', pools: [{ start: '10.0.0.10' }] } },
  }),
  told('an entry without any bound', 'spec.pools[0]', { made: { spec: { pools: [{ prefix: 24 }] } } }),
];

const pools: readonly VerdictCase[] = [
  refuse('IPPool', 'another prefix of names', 'spec.namePrefix cannot be changed', {
    changed: { spec: { namePrefix: 'q' } },
  }),
  refuse('IPPool', 'another strategy', 'spec.allocationStrategy cannot be changed', {
    changed: { spec: { allocationStrategy: 'random' } },
  }),
  refuse('IPPool', 'a text that is no address', 'spec.gateway', { made: { spec: { gateway: 'router' } } }),
  refuse('IPPool', 'a prefix that no address can have', 'spec.prefix', { made: { spec: { prefix: 129 } } }),
  ...endpoint,
  take('IPPool', 'a prefix too long for its IPv4 addresses', { made: { spec: { prefix: 99 } } }),
  take('IPPool', 'ranges that give out no address', {
    made: { spec: { pools: [{ start: '10.0.0.9', end: 'fd00::1' }, { end: '10.0.0.9' }, { subnet: '10.0.0.1/32' }] } },
  }),
  take('IPPool', 'one more range', { changed: { spec: { pools: [{ start: '10.0.0.10', end: '10.0.0.30' }] } } }),
];

export const VERDICTS: readonly VerdictCase[] = [
  ...data,
  ...claim,
  ...template,
  ...machines,
  ...clusters,
  ...remediation,
  ...addresses,
  ...pools,
];
