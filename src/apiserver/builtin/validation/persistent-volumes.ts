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
    ...sourceErrors(spec),
    ...affinityErrors(spec),
    ...(className === '' ? [] : subdomainErrors('spec.storageClassName', className)),
    ...volumeModeErrors('spec.volumeMode', spec),
    ...(old === undefined ? [] : changeErrors(spec, objectAt(old, 'spec'))),
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

function sourceErrors(spec: JsonObject): Errors {
  const [first, ...more] = sourcesOf(spec);
  if (first === undefined) return [required('spec', 'must specify a volume type')];
  return [
    ...(SOURCES[first]?.(`spec.${first}`, objectAt(spec, first)) ?? []),
    ...more.map(key => forbidden(`spec.${key}`, 'may not specify more than 1 volume type')),
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
