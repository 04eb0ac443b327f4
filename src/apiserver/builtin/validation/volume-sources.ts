// What each kind of volume cannot do without, for the kinds that are found elsewhere: disks, shares, drivers.

import type { JsonObject } from '../../parts.ts';
import { invalid, notSupported, required, tooLong } from '../../schema/field-errors.ts';
import { countAt } from '../counts.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { NONE } from './fields.ts';
import { descendingErrors, stayingErrors } from './paths.ts';
import { type Errors, labelErrors, subdomainErrors } from './texts.ts';

export type SourceCheck = (path: string, source: JsonObject) => Errors;

const MAX_UNIT = 255;
const MAX_DRIVER = 63;

/** A kind of which only some texts must be there. */
export const needing =
  (...keys: readonly string[]): SourceCheck =>
  (path, source) =>
    keys.flatMap(key => (textAt(source, key) === '' ? [required(`${path}.${key}`)] : NONE));

const HOST_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
] as const;

export function hostPathErrors(at: string, source: JsonObject): Errors {
  const [path, type] = [textAt(source, 'path'), textAt(source, 'type')];
  if (path === '') return [required(`${at}.path`)];
  return [
    ...stayingErrors(`${at}.path`, path),
    ...(HOST_TYPES.some(known => known === type) ? NONE : [notSupported(`${at}.type`, type, HOST_TYPES)]),
  ];
}

export const gitRepoErrors: SourceCheck = (path, source) => [
  ...needing('repository')(path, source),
  ...descendingErrors(`${path}.directory`, textAt(source, 'directory')),
];

export const nfsErrors: SourceCheck = (path, source) => {
  const folder = textAt(source, 'path');
  return [
    ...needing('server', 'path')(path, source),
    ...(folder.startsWith('/') ? NONE : [invalid(`${path}.path`, folder, 'must be an absolute path')]),
  ];
};

/** A disk with partitions. */
export const diskErrors =
  (key: string): SourceCheck =>
  (path, source) => {
    const partition = countAt(source, 'partition');
    const isFine = partition >= 0 && partition <= MAX_UNIT;
    return [
      ...needing(key)(path, source),
      ...(isFine ? NONE : [invalid(`${path}.partition`, partition, `must be between 1 and ${MAX_UNIT}, inclusive`)]),
    ];
  };

const unitErrors = (path: string, unit: number): Errors =>
  unit >= 0 && unit <= MAX_UNIT ? NONE : [invalid(path, unit, `must be between 0 and ${MAX_UNIT}, inclusive`)];

const PREFIX = /^(iqn|eui|naa)/;
const ISCSI_NAME =
  /^iqn.*iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$|^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$|^eui.[A-Za-z0-9]{16}$|^naa.[A-Za-z0-9]{32}$/;

function iscsiNameErrors(path: string, name: string): Errors {
  if (!PREFIX.test(name)) return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
  return ISCSI_NAME.test(name) ? NONE : [invalid(path, name, 'must be valid format')];
}

export const iscsiErrors: SourceCheck = (path, source) => {
  const [name, { initiatorName }] = [textAt(source, 'iqn'), source];
  const isSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...needing('targetPortal')(path, source),
    ...(name === '' ? [required(`${path}.iqn`)] : iscsiNameErrors(`${path}.iqn`, name)),
    ...unitErrors(`${path}.lun`, countAt(source, 'lun')),
    ...(isSecret && !isObject(source.secretRef) ? [required(`${path}.secretRef`)] : NONE),
    ...(typeof initiatorName === 'string' ? iscsiNameErrors(`${path}.initiatorname`, initiatorName) : NONE),
  ];
};

export const fibreChannelErrors: SourceCheck = (path, source) => {
  const [at, names, ids] = [`${path}.targetWWNs`, listAt(source, 'targetWWNs'), listAt(source, 'wwids')];
  const { lun } = source;
  const none = names.length === 0 && ids.length === 0;
  const both = names.length > 0 && ids.length > 0;
  const needed = typeof lun === 'number' ? unitErrors(`${path}.lun`, lun) : undefined;
  return [
    ...(none ? [required(at, 'must specify either targetWWNs or wwids, but not both')] : NONE),
    ...(both ? [invalid(at, names, 'targetWWNs and wwids can not be specified simultaneously')] : NONE),
    ...(names.length === 0
      ? NONE
      : (needed ?? [required(`${path}.lun`, 'lun is required if targetWWNs is specified')])),
  ];
};

const secretNameErrors = (path: string, source: JsonObject): Errors =>
  isObject(source.secretRef) ? needing('name')(`${path}.secretRef`, source.secretRef) : NONE;

export const cinderErrors: SourceCheck = (path, source) => [
  ...needing('volumeID')(path, source),
  ...secretNameErrors(path, source),
];

export const cephErrors: SourceCheck = (path, source) =>
  listAt(source, 'monitors').length === 0 ? [required(`${path}.monitors`)] : NONE;

export const rbdErrors: SourceCheck = (path, source) => [
  ...cephErrors(path, source),
  ...needing('image')(path, source),
];

const RESERVED = /\.(kubernetes|k8s)\.io$/;

export const flexErrors: SourceCheck = (path, source) => [
  ...needing('driver')(path, source),
  ...Object.keys(objectAt(source, 'options')).flatMap(key => {
    const space = key.includes('/') ? key.slice(0, key.indexOf('/')) : key;
    const isReserved = RESERVED.test(`.${space.toLowerCase()}`);
    const why = 'kubernetes.io and k8s.io namespaces are reserved';
    return isReserved ? [invalid(`${path}.options[${key}]`, key, why)] : NONE;
  }),
];

const MAX_TENANT = 64;

export const quobyteErrors: SourceCheck = (path, source) => [
  ...registryErrors(path, textAt(source, 'registry'), textAt(source, 'tenant')),
  ...needing('volume')(path, source),
];

function registryErrors(path: string, registry: string, tenant: string): Errors {
  const why = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') return [required(`${path}.registry`, why)];
  if (tenant.length > MAX_TENANT) {
    return [required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters')];
  }
  const wrong = registry.split(',').filter(pair => !/^([^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair));
  return wrong.map(() => invalid(`${path}.registry`, registry, why));
}

export const flockerErrors: SourceCheck = (path, source) => {
  const [name, uuid] = [textAt(source, 'datasetName'), textAt(source, 'datasetUUID')];
  const both = 'datasetName and datasetUUID can not be specified simultaneously';
  return [
    ...(name === '' && uuid === '' ? [required(path, 'one of datasetName and datasetUUID is required')] : NONE),
    ...(name !== '' && uuid !== '' ? [invalid(path, 'resource', both)] : NONE),
    ...(name.includes('/') ? [invalid(`${path}.datasetName`, name, "must not contain '/'")] : NONE),
  ];
};

const CACHING = ['None', 'ReadOnly', 'ReadWrite'];
const AZURE_KINDS = ['Dedicated', 'Managed', 'Shared'];
const MANAGED = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export const azureDiskErrors: SourceCheck = (path, source) => {
  const [caching, kind, uri] = [textAt(source, 'cachingMode'), textAt(source, 'kind'), textAt(source, 'diskURI')];
  const [form, begins] = kind === 'Managed' ? [MANAGED, '/subscriptions/'] : [BLOB, 'https://'];
  return [
    ...needing('diskName', 'diskURI')(path, source),
    ...(CACHING.includes(caching) ? NONE : [notSupported(`${path}.cachingMode`, caching, CACHING)]),
    ...(AZURE_KINDS.includes(kind) ? NONE : [notSupported(`${path}.kind`, kind, AZURE_KINDS)]),
    ...(uri.startsWith(begins) ? NONE : [notSupported(`${path}.diskURI`, uri, [form])]),
  ];
};

export const storageOsErrors: SourceCheck = (path, source) => {
  const [name, space] = [textAt(source, 'volumeName'), textAt(source, 'volumeNamespace')];
  return [
    ...(name === '' ? [required(`${path}.volumeName`)] : labelErrors(`${path}.volumeName`, name)),
    ...(space === '' ? NONE : labelErrors(`${path}.volumeNamespace`, space)),
    ...secretNameErrors(path, source),
  ];
};

/** Upper case is let pass, and told of as it was written. */
export function driverErrors(path: string, driver: string): Errors {
  if (driver === '') return [required(path)];
  return [
    ...(driver.length > MAX_DRIVER ? [tooLong(path, MAX_DRIVER)] : NONE),
    ...(subdomainErrors(path, driver.toLowerCase()).length === 0 ? NONE : subdomainErrors(path, driver)),
  ];
}

export const csiErrors: SourceCheck = (path, source) => {
  const { nodePublishSecretRef: secret } = source;
  const name = isObject(secret) ? textAt(secret, 'name') : undefined;
  return [
    ...driverErrors(`${path}.driver`, textAt(source, 'driver')),
    ...(name === '' ? [required(`${path}.nodePublishSecretRef.name`)] : NONE),
    ...(name === undefined || name === '' ? NONE : subdomainErrors(`${path}.name`, name)),
  ];
};
