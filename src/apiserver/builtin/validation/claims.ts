// What PersistentVolumeClaims must be: how storage is used, how much of it, and what it begins with.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, sameJson, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { selectorErrors } from './match-rules.ts';
import { type Errors, labelErrors, subdomainErrors } from './texts.ts';

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

export function claimErrors(claim: JsonObject, old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  return [
    ...claimSpecErrors('spec', objectAt(claim, 'spec')),
    ...(old === undefined ? [] : [...shrinkErrors(claim, old), ...classMoveErrors(claim, old)]),
  ];
}

const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

function classMoveErrors(claim: JsonObject, old: JsonObject): Errors {
  const [next, before] = [claim, old].map(each =>
    textAt(objectAt(objectAt(each, 'metadata'), 'annotations'), OLD_CLASS),
  );
  return next === before ? [] : [invalid(`metadata.annotations.${OLD_CLASS}`, next ?? '', 'field is immutable')];
}

export function claimSpecErrors(path: string, spec: JsonObject): Errors {
  const { selector = null } = spec;
  const at = `${path}.accessModes`;
  return [
    ...(listAt(spec, 'accessModes').length === 0 ? [required(at, 'at least 1 access mode is required')] : []),
    ...(isObject(selector) ? selectorErrors(`${path}.selector`, selector) : []),
    ...accessModeErrors(at, spec),
    ...storageErrors(`${path}.resources[storage]`, spec),
    ...classErrors(path, spec),
    ...sourceErrors(path, spec),
    ...attributesErrors(path, spec),
  ];
}

export function accessModeErrors(path: string, spec: JsonObject): Errors {
  const modes = listAt(spec, 'accessModes');
  const isAlone = modes.includes('ReadWriteOncePod');
  const isShared = isAlone && modes.some(mode => mode !== 'ReadWriteOncePod' && MODES.includes(String(mode)));
  return [
    ...modes.flatMap(mode => (MODES.includes(String(mode)) ? [] : [notSupported(path, mode, MODES)])),
    ...(isShared ? [forbidden(path, 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

const requestOf = (spec: JsonObject): string => textAt(objectAt(objectAt(spec, 'resources'), 'requests'), 'storage');

function storageErrors(path: string, spec: JsonObject): Errors {
  const storage = requestOf(spec);
  if (storage === '') return [required(path)];
  return (nanoOf(storage) ?? 0n) > 0n ? [] : [invalid(path, storage, 'must be greater than zero')];
}

function classErrors(path: string, spec: JsonObject): Errors {
  const name = textAt(spec, 'storageClassName');
  return [
    ...(name === '' ? [] : subdomainErrors(`${path}.storageClassName`, name)),
    ...volumeModeErrors(`${path}.volumeMode`, spec),
  ];
}

function attributesErrors(path: string, spec: JsonObject): Errors {
  const name = textAt(spec, 'volumeAttributesClassName');
  return name === '' ? [] : subdomainErrors(`${path}.volumeAttributesClassName`, name);
}

export function volumeModeErrors(path: string, { volumeMode = null }: JsonObject): Errors {
  const isKnown = volumeMode === null || VOLUME_MODES.includes(String(volumeMode));
  return isKnown ? [] : [notSupported(path, volumeMode, VOLUME_MODES)];
}

function sourceErrors(path: string, spec: JsonObject): Errors {
  const { dataSource, dataSourceRef } = spec;
  return [
    ...(isObject(dataSource) ? oneSourceErrors(`${path}.dataSource`, dataSource) : []),
    ...(isObject(dataSourceRef) ? oneSourceErrors(`${path}.dataSourceRef`, dataSourceRef) : []),
    ...(isObject(dataSource) && isObject(dataSourceRef) ? agreementErrors(path, dataSource, dataSourceRef) : []),
  ];
}

/** Who says both says the same twice. */
function agreementErrors(path: string, source: JsonObject, reference: JsonObject): Errors {
  const isSame = ['apiGroup', 'kind', 'name'].every(key => textAt(source, key) === textAt(reference, key));
  // The real server shows a path here, which has nothing to show.
  return isSame ? [] : [invalid(path, {}, 'must match dataSourceRef')];
}

function oneSourceErrors(path: string, source: JsonObject): Errors {
  const [kind, group, namespace] = [textAt(source, 'kind'), textAt(source, 'apiGroup'), textAt(source, 'namespace')];
  const isForeign = group === '' && kind !== 'PersistentVolumeClaim';
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...['name', 'kind'].flatMap(key => (textAt(source, key) === '' ? [required(`${path}.${key}`)] : [])),
    ...(isForeign ? [invalid(path, kind, why)] : []),
    ...(group === '' ? [] : subdomainErrors(`${path}.apiGroup`, group)),
    ...(namespace === '' ? [] : labelErrors(`${path}.namespace`, namespace)),
  ];
}

/** A claim that changes what it wants never wants less than it has. */
function shrinkErrors(claim: JsonObject, old: JsonObject): Errors {
  const [next, before] = [requestOf(objectAt(claim, 'spec')), requestOf(objectAt(old, 'spec'))];
  const has = textAt(objectAt(objectAt(old, 'status'), 'capacity'), 'storage');
  if (sameJson(next, before) || (nanoOf(next) ?? 0n) >= (nanoOf(has) ?? 0n)) return [];
  if ((nanoOf(next) ?? 0n) >= (nanoOf(before) ?? 0n)) return [];
  return [forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity')];
}
