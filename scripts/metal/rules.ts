// The rules of upstream's webhooks that a definition can hold itself, as CEL: by kind, version and field (docs/metal-admission.md).

import type { ByPath, JsonSchema } from './schema-of-table.ts';

interface Rule extends JsonSchema {
  readonly rule: string;
  readonly message: string;
  readonly fieldPath?: string;
  readonly reason?: string;
  readonly optionalOldSelf?: true;
}

type Rules = ByPath<readonly Rule[]>;

const REQUIRED = { reason: 'FieldValueRequired' };

/** Held when an object is made. Later it must not stand in the way of whoever takes a finalizer off. */
const onCreate = (rule: string): { readonly rule: string; readonly optionalOldSelf: true } => ({
  rule: `oldSelf.hasValue() || (${rule})`,
  optionalOldSelf: true,
});

const text = (self: string, path: string): string => `${self}.?${path.replaceAll('.', '.?')}.orValue('')`;

const needed = (path: string): Rule => ({
  ...onCreate(`${text('self', path)} != ''`),
  message: `${path} must be set`,
  fieldPath: `.${path}`,
  ...REQUIRED,
});

/** `namespace` is a word of CEL's own. */
const spelled = (member: string): string => (member === 'namespace' ? '__namespace__' : member);

/** Absent and empty are the same to upstream. */
const orEmpty = (self: string, member: string): string =>
  `(has(${self}.${spelled(member)}) ? ${self}.${spelled(member)} : '')`;

/** The reference at `path` keeps these members; the definition's cost limit wants each compared where it stands. */
function fixed(path: string, members: readonly string[]): Rules {
  const [parent = '', name = ''] = path.split('.');
  const message = `${path} cannot be changed`;
  return {
    [parent]: [{ rule: `has(self.${name}) == has(oldSelf.${name})`, message, fieldPath: `.${name}` }],
    [path]: members.map(member => ({ rule: `${orEmpty('self', member)} == ${orEmpty('oldSelf', member)}`, message })),
  };
}

/** Rules of several concerns, path by path. */
function together(...all: readonly Rules[]): Rules {
  const paths = new Set(all.flatMap(rules => Object.keys(rules)));
  return Object.fromEntries([...paths].map(path => [path, all.flatMap(rules => rules[path] ?? [])]));
}

/** `spec` neither comes nor goes. */
const KEPT_SPEC: Rules = {
  '': [{ rule: 'has(self.spec) == has(oldSelf.spec)', message: 'spec cannot be added or removed', fieldPath: '.spec' }],
};

const NAMED = ['name', 'namespace'] as const;
const NAMED_OF_KIND = [...NAMED, 'kind'] as const;

/** A member of the value itself stays as it is. */
const fixedMember = (name: string, at: string): Rule => ({
  rule: `has(self.${name}) == has(oldSelf.${name}) && (!has(self.${name}) || self.${name} == oldSelf.${name})`,
  message: `${at}.${name} cannot be changed`,
  fieldPath: `.${name}`,
});

const fixedValue = (path: string): Rule => ({ rule: 'self == oldSelf', message: `${path} cannot be changed` });

// Metal3DataTemplate

const HAS_DATA = (self: string): string =>
  `has(${self}.spec) && (has(${self}.spec.metaData) || has(${self}.spec.networkData))`;

const POOL_SOURCE: Rule = {
  rule: "(has(self.ipAddressFromIPPool) && self.ipAddressFromIPPool != '') || (has(self.fromPoolRef) && self.fromPoolRef.name != '') || has(self.fromPoolAnnotation)",
  message: 'fromPoolRef, fromPoolAnnotation or ipAddressFromIPPool must name a pool',
  fieldPath: '.fromPoolRef',
  ...REQUIRED,
};

const ONE_INTERFACE: Rule = {
  rule: "(has(self.interface) && self.interface != '') != (has(self.fromBootMAC) && self.fromBootMAC)",
  message: 'interface must be set unless fromBootMAC is true, and not with it',
  fieldPath: '.interface',
};

const dataTemplate: Rules = {
  '': [
    {
      rule: `(has(self.spec) && has(oldSelf.spec)) || !((${HAS_DATA('self')}) || (${HAS_DATA('oldSelf')}))`,
      message: 'spec.metaData and spec.networkData cannot be changed',
      fieldPath: '.spec',
    },
  ],
  spec: [fixedMember('metaData', 'spec'), fixedMember('networkData', 'spec')],
  'spec.networkData.networks.ipv4[]': [POOL_SOURCE],
  'spec.networkData.networks.ipv6[]': [POOL_SOURCE],
  'spec.metaData.fromHostInterfaces[]': [ONE_INTERFACE],
};

// Metal3DataClaim, Metal3Data

const dataClaim = together({ '': [needed('spec.template.name')] }, KEPT_SPEC, fixed('spec.template', NAMED));

/** What follows the template's name is read as a number: a number made a text would exceed the definition's cost limit. */
const REST = 'self.metadata.name.substring(size(self.spec.template.name) + 1)';

const NAME_OF_DATA: Rule = {
  ...onCreate(
    [
      'has(self.spec) && has(self.spec.template) && has(self.spec.template.name)',
      "self.metadata.name.startsWith(self.spec.template.name + '-')",
      `${REST}.matches('^(0|[1-9][0-9]{0,17})$')`,
      `int(${REST}) == (has(self.spec.index) ? self.spec.index : 0)`,
    ].join(' && '),
  ),
  message: 'metadata.name must be <spec.template.name>-<spec.index>',
};

const KEPT_INDEX: Rule = {
  rule: '(has(self.index) ? self.index : 0) == (has(oldSelf.index) ? oldSelf.index : 0)',
  message: 'spec.index cannot be changed',
  fieldPath: '.index',
};

const data = together(
  { '': [NAME_OF_DATA], spec: [KEPT_INDEX] },
  KEPT_SPEC,
  fixed('spec.template', NAMED),
  fixed('spec.claim', NAMED),
);

const olderData = together(data, {
  'spec.index': [{ rule: 'self >= 0', message: 'spec.index must not be negative' }],
});

const INDEX_SET: Rule = {
  ...onCreate('has(self.spec) && has(self.spec.index)'),
  message: 'spec.index must be set',
  fieldPath: '.spec.index',
  ...REQUIRED,
};

const newerData = together({ '': [INDEX_SET] }, data);

// Metal3Cluster, Metal3ClusterTemplate

const ONE_PROVIDER: Rule = {
  rule: '!has(self.noCloudProvider) || !has(self.cloudProviderEnabled) || self.noCloudProvider != self.cloudProviderEnabled',
  message: 'cloudProviderEnabled contradicts noCloudProvider',
  fieldPath: '.cloudProviderEnabled',
};

const cluster: Rules = { '': [needed('spec.controlPlaneEndpoint.host')] };
const olderCluster: Rules = { ...cluster, spec: [ONE_PROVIDER] };

const WHOLE_ENDPOINT: Rule = {
  rule: "self.?controlPlaneEndpoint.?host.orValue('') != '' && self.?controlPlaneEndpoint.?port.orValue(0) > 0",
  message: 'controlPlaneEndpoint.host and controlPlaneEndpoint.port must be set',
  fieldPath: '.controlPlaneEndpoint',
  ...REQUIRED,
};

const clusterTemplate: Rules = { 'spec.template.spec': [WHOLE_ENDPOINT] };
const olderClusterTemplate: Rules = { 'spec.template.spec': [WHOLE_ENDPOINT, ONE_PROVIDER] };

// Metal3Machine, Metal3MachineTemplate

const DEPLOYED = "(has(self.customDeploy) && self.customDeploy.method != '')";
const URL = "has(self.image) && self.image.url != ''";
const CHECKSUM = "self.?image.?checksum.orValue('')";
const FETCHED = "self.image.checksum.startsWith('http://') || self.image.checksum.startsWith('https://')";
const FROM_REGISTRY = "self.image.url.startsWith('oci://')";

/** What an image must have, unless a deploy method of its own takes its place; `format` is the version's name for it. */
function imageRules(format: string): readonly Rule[] {
  const live = `(has(self.image.${format}) && self.image.${format} == 'live-iso')`;
  const unless = (rule: string): string => `${DEPLOYED} || !(${URL}) || ${rule}`;
  return [
    {
      rule: `${DEPLOYED} || (${URL})`,
      message: 'image.url or customDeploy.method must be set',
      fieldPath: '.image',
      ...REQUIRED,
    },
    { rule: unless('isURL(self.image.url)'), message: 'image.url is not a URL', fieldPath: '.image.url' },
    {
      rule: unless(`${live} || ${FROM_REGISTRY} || ${CHECKSUM} != ''`),
      message: 'image.checksum must be set, unless the image is a live ISO or comes from an OCI registry',
      fieldPath: '.image.checksum',
      ...REQUIRED,
    },
    {
      rule: unless(`!${FROM_REGISTRY} || ${CHECKSUM} == ''`),
      message: 'image.checksum is not allowed for an image from an OCI registry',
      fieldPath: '.image.checksum',
    },
    {
      rule: unless(`${live} || !has(self.image.checksum) || !(${FETCHED}) || isURL(self.image.checksum)`),
      message: 'image.checksum is not a URL',
      fieldPath: '.image.checksum',
    },
  ];
}

const SPEC: Rule = {
  ...onCreate('has(self.spec)'),
  message: 'spec.image.url or spec.customDeploy.method must be set',
  fieldPath: '.spec',
  ...REQUIRED,
};

const machine = (format: string): Rules => ({ '': [SPEC], spec: imageRules(format) });
const machineTemplate = (format: string): Rules => ({ 'spec.template.spec': imageRules(format) });

// Metal3Remediation, Metal3RemediationTemplate

const DURATION = "self.matches('^([0-9]+([.][0-9]*)?(ns|us|µs|ms|s|m|h))+$')";

const TIMEOUT: Rule = {
  rule: `${DURATION} && duration(self) >= duration('100s')`,
  message: 'timeout must be a duration of at least 100s',
};

const REBOOT = (path: string): Rule => ({
  ...onCreate(`${text('self', path)} == 'Reboot'`),
  message: `${path} must be Reboot`,
  fieldPath: `.${path}`,
});

const remediation: Rules = { '': [REBOOT('spec.strategy.type')] };
const olderRemediation: Rules = {
  ...remediation,
  'spec.strategy.timeout': [TIMEOUT],
  'spec.strategy.retryLimit': [{ rule: 'self >= 1', message: 'retryLimit must be at least 1' }],
};
const olderRemediationTemplate: Rules = {
  'spec.template.spec.strategy.timeout': [TIMEOUT],
  'spec.template.spec.strategy.type': [
    { rule: "self == 'Reboot' || self == ''", message: 'spec.template.spec.strategy.type must be Reboot' },
  ],
};

// The address manager's kinds

const ipClaim = together({ '': [needed('spec.pool.name')] }, KEPT_SPEC, fixed('spec.pool', NAMED_OF_KIND));

const ipAddress = together(
  {
    '': [needed('spec.pool.name'), needed('spec.claim.name')],
    spec: ['address', 'prefix', 'gateway', 'dnsServers'].map(name => fixedMember(name, 'spec')),
  },
  KEPT_SPEC,
  fixed('spec.pool', NAMED_OF_KIND),
  fixed('spec.claim', NAMED_OF_KIND),
);

const ipPool: Rules = {
  'spec.namePrefix': [fixedValue('spec.namePrefix')],
  'spec.allocationStrategy': [fixedValue('spec.allocationStrategy')],
};

const RULES: Readonly<Record<string, Rules>> = {
  'Metal3DataTemplate v1beta1': dataTemplate,
  'Metal3DataTemplate v1beta2': dataTemplate,
  'Metal3DataClaim v1beta1': dataClaim,
  'Metal3DataClaim v1beta2': dataClaim,
  'Metal3Data v1beta1': olderData,
  'Metal3Data v1beta2': newerData,
  'Metal3Cluster v1beta1': olderCluster,
  'Metal3Cluster v1beta2': cluster,
  'Metal3ClusterTemplate v1beta1': olderClusterTemplate,
  'Metal3ClusterTemplate v1beta2': clusterTemplate,
  'Metal3Machine v1beta1': machine('format'),
  'Metal3Machine v1beta2': machine('diskFormat'),
  'Metal3MachineTemplate v1beta1': machineTemplate('format'),
  'Metal3MachineTemplate v1beta2': machineTemplate('diskFormat'),
  'Metal3Remediation v1beta1': olderRemediation,
  'Metal3Remediation v1beta2': remediation,
  'Metal3RemediationTemplate v1beta1': olderRemediationTemplate,
  'IPClaim v1alpha1': ipClaim,
  'IPAddress v1alpha1': ipAddress,
  'IPPool v1alpha1': ipPool,
};

export const rulesOf = (kind: string, version: string): Rules => RULES[`${kind} ${version}`] ?? {};

/** Defaults that upstream's webhooks set, by kind and version: the definition sets them itself. */
const DEFAULTS: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  'Metal3Cluster v1beta2': { 'spec.controlPlaneEndpoint.port': 6443 },
  'Metal3RemediationTemplate v1beta2': { 'spec.template.spec.strategy.type': 'Reboot' },
};

export const defaultsOf = (kind: string, version: string): Readonly<Record<string, string | number>> =>
  DEFAULTS[`${kind} ${version}`] ?? {};
