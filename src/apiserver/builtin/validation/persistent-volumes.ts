// What PersistentVolumes must be: how much there is, where it lies, and who may use it.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, sameJson, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { nodeSelectorErrors } from './affinity.ts';
import { accessModeErrors, volumeModeErrors } from './claims.ts';
import { type Errors, subdomainErrors } from './texts.ts';
import { hostPathErrors, nfsErrors } from './volume-sources.ts';

const RECLAIM = ['Delete', 'Recycle', 'Retain'];

/** Whatever else a volume's spec holds says where it is. */
const NOT_SOURCES = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]);

export function volumeErrors(volume: JsonObject, old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  const spec = objectAt(volume, 'spec');
  const className = textAt(spec, 'storageClassName');
  return [
    ...(listAt(spec, 'accessModes').length === 0 ? [required('spec.accessModes')] : []),
    ...accessModeErrors('spec.accessModes', spec),
    ...capacityErrors(spec),
    ...reclaimErrors(spec),
    ...sourceErrors('spec', spec),
    ...affinityErrors(spec),
    ...(className === '' ? [] : subdomainErrors('spec.storageClassName', className)),
    ...volumeModeErrors('spec.volumeMode', spec),
    ...(old === undefined ? [] : changeErrors(spec, objectAt(old, 'spec'))),
    ...optionErrors(volume, spec),
  ];
}

const OPTIONS = 'volume.beta.kubernetes.io/mount-options';
/** Those whose options could be said in an annotation before there was a field. */
const WITH_OPTIONS = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'gcePersistentDisk',
  'glusterfs',
  'iscsi',
  'nfs',
  'quobyte',
  'rbd',
  'vsphereVolume',
];

function optionErrors(volume: JsonObject, spec: JsonObject): Errors {
  const isSaid = objectAt(objectAt(volume, 'metadata'), 'annotations')[OPTIONS] !== undefined;
  if (!isSaid || WITH_OPTIONS.some(key => isObject(spec[key]))) return [];
  return [forbidden(`metadata.annotations.${OPTIONS}`, 'may not specify mount options for this volume type')];
}

const INLINE = 'in the context of inline volumes';

/** One that is described where it is attached: what nobody claims, and only a driver knows. */
export function inlineVolumeErrors(path: string, spec: JsonObject): Errors {
  const { volumeMode = 'Filesystem', persistentVolumeReclaimPolicy: policy = 'Retain' } = spec;
  const not = (key: string): Errors => {
    const has = isObject(spec[key]) || (spec[key] ?? '') !== '';
    return has ? [forbidden(`${path}.${key}`, `may not be specified ${INLINE}`)] : [];
  };
  const otherMode = `may not specify volumeMode other than Filesystem ${INLINE}`;
  return [
    ...not('claimRef'),
    ...not('capacity'),
    ...(isObject(spec.csi) ? [] : [required(`${path}.csi`, `has to be specified ${INLINE}`)]),
    ...(listAt(spec, 'accessModes').length === 0 ? [required(`${path}.accessModes`)] : []),
    ...accessModeErrors(`${path}.accessModes`, spec),
    ...(policy === 'Retain'
      ? []
      : [forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${INLINE}`)]),
    ...not('nodeAffinity'),
    ...sourceErrors(path, spec),
    ...not('storageClassName'),
    ...(volumeMode === 'Filesystem' ? [] : [forbidden(`${path}.volumeMode`, otherMode)]),
  ];
}

function capacityErrors(spec: JsonObject): Errors {
  const path = 'spec.capacity';
  const { capacity = null } = spec;
  const names = Object.keys(isObject(capacity) ? capacity : {});
  const isStorageAlone = names.length === 1 && names[0] === 'storage';
  const amounts = isObject(capacity) ? Object.entries(capacity) : [];
  const unknown = notSupported(path, names.length === 0 ? null : capacity, ['storage']);
  return [
    ...(names.length === 0 ? [required(path)] : []),
    ...(isStorageAlone ? [] : [unknown]),
    ...(isStorageAlone ? amounts : []).flatMap(([name, amount]) =>
      (nanoOf(String(amount)) ?? 0n) > 0n ? [] : [invalid(`${path}[${name}]`, amount, 'must be greater than zero')],
    ),
  ];
}

function reclaimErrors(spec: JsonObject): Errors {
  const policy = textAt(spec, 'persistentVolumeReclaimPolicy');
  const path = 'spec.persistentVolumeReclaimPolicy';
  if (policy !== '' && !RECLAIM.includes(policy)) return [notSupported(path, policy, RECLAIM)];
  const isRoot = policy === 'Recycle' && textAt(objectAt(spec, 'hostPath'), 'path') === '/';
  return isRoot ? [forbidden(path, "may not be 'recycle' for a hostPath mount of '/'")] : [];
}

/** The kinds of place that are named, in the order of their names. */
const sourcesOf = (spec: JsonObject): readonly string[] =>
  Object.keys(spec)
    .filter(key => !NOT_SOURCES.has(key) && isObject(spec[key]))
    .sort();

const SOURCES: Readonly<Record<string, (path: string, source: JsonObject) => Errors>> = {
  hostPath: hostPathErrors,
  nfs: nfsErrors,
  csi: csiErrors,
  local: (path, source) => (textAt(source, 'path') === '' ? [required(`${path}.path`)] : []),
};

function sourceErrors(path: string, spec: JsonObject): Errors {
  const [first, ...more] = sourcesOf(spec);
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return [
    ...(SOURCES[first]?.(`${path}.${first}`, objectAt(spec, first)) ?? []),
    ...more.map(key => forbidden(`${path}.${key}`, 'may not specify more than 1 volume type')),
  ];
}

function csiErrors(at: string, source: JsonObject): Errors {
  const driver = textAt(source, 'driver');
  return [
    ...(driver === '' ? [required(`${at}.driver`)] : []),
    // Upper case is let pass, and told of as it was written.
    ...(driver === '' || subdomainErrors('', driver.toLowerCase()).length === 0
      ? []
      : subdomainErrors(`${at}.driver`, driver)),
    ...(textAt(source, 'volumeHandle') === '' ? [required(`${at}.volumeHandle`)] : []),
  ];
}

/** A local volume is on some Node, which it must say. */
function affinityErrors({ nodeAffinity = null, local = null }: JsonObject): Errors {
  const path = 'spec.nodeAffinity';
  if (!isObject(nodeAffinity)) {
    return isObject(local) ? [required(path, 'Local volume requires node affinity')] : [];
  }
  const { required: needed = null } = nodeAffinity;
  if (!isObject(needed)) return [required(`${path}.required`, 'must specify required node constraints')];
  return nodeSelectorErrors(`${path}.required`, needed);
}

function changeErrors(spec: JsonObject, old: JsonObject): Errors {
  const path = 'spec.persistentvolumesource';
  const placeOf = (each: JsonObject): JsonObject =>
    Object.fromEntries(sourcesOf(each).map(key => [key, each[key] ?? null]));
  const isMoved = !sameJson(placeOf(spec), placeOf(old));
  const isOtherMode = !sameJson(spec.volumeMode ?? null, old.volumeMode ?? null);
  return [
    ...(isMoved ? [forbidden(path, `${path} is immutable after creation`)] : []),
    ...(isOtherMode ? [invalid('volumeMode', spec.volumeMode ?? null, 'field is immutable')] : []),
  ];
}
