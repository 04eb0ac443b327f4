// What PersistentVolumeClaims must be: how storage is used, how much of it, and what it begins with.

import type { JsonObject } from '../../parts.ts';
import { forbidden, invalid, notSupported, required } from '../../schema/field-errors.ts';
import { isObject, listAt, objectAt, sameJson, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { selectorErrors } from './match-rules.ts';
import { type Errors, subdomainErrors } from './texts.ts';

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];
const VOLUME_MODES = ['Block', 'Filesystem'];

export function claimErrors(claim: JsonObject, old: JsonObject | undefined, part: string): Errors {
  if (part === 'status') return [];
  const spec = objectAt(claim, 'spec');
  const { selector = null } = spec;
  return [
    ...(listAt(spec, 'accessModes').length === 0
      ? [required('spec.accessModes', 'at least 1 access mode is required')]
      : []),
    ...(isObject(selector) ? selectorErrors('spec.selector', selector) : []),
    ...accessModeErrors(spec),
    ...storageErrors(spec),
    ...classErrors(spec),
    ...sourceErrors(spec),
    ...(old === undefined ? [] : shrinkErrors(claim, old)),
  ];
}

export function accessModeErrors(spec: JsonObject): Errors {
  const modes = listAt(spec, 'accessModes');
  const isShared = modes.length > 1 && modes.includes('ReadWriteOncePod');
  return [
    ...modes.flatMap(mode => (MODES.includes(String(mode)) ? [] : [notSupported('spec.accessModes', mode, MODES)])),
    ...(isShared ? [forbidden('spec.accessModes', 'may not use ReadWriteOncePod with other access modes')] : []),
  ];
}

const requestOf = (spec: JsonObject): string => textAt(objectAt(objectAt(spec, 'resources'), 'requests'), 'storage');

function storageErrors(spec: JsonObject): Errors {
  const path = 'spec.resources[storage]';
  const storage = requestOf(spec);
  if (storage === '') return [required(path)];
  return (nanoOf(storage) ?? 0n) > 0n ? [] : [invalid(path, storage, 'must be greater than zero')];
}

function classErrors(spec: JsonObject): Errors {
  const [name, attributes] = [textAt(spec, 'storageClassName'), textAt(spec, 'volumeAttributesClassName')];
  return [
    ...(name === '' ? [] : subdomainErrors('spec.storageClassName', name)),
    ...volumeModeErrors(spec),
    ...(attributes === '' ? [] : subdomainErrors('spec.volumeAttributesClassName', attributes)),
  ];
}

export function volumeModeErrors({ volumeMode = null }: JsonObject): Errors {
  const isKnown = volumeMode === null || VOLUME_MODES.includes(String(volumeMode));
  return isKnown ? [] : [notSupported('spec.volumeMode', volumeMode, VOLUME_MODES)];
}

function sourceErrors(spec: JsonObject): Errors {
  return ['dataSource', 'dataSourceRef'].flatMap(key => {
    const source = spec[key];
    return isObject(source) ? oneSourceErrors(`spec.${key}`, source) : [];
  });
}

function oneSourceErrors(path: string, source: JsonObject): Errors {
  const kind = textAt(source, 'kind');
  const isForeign = textAt(source, 'apiGroup') === '' && kind !== 'PersistentVolumeClaim';
  const why = "must be 'PersistentVolumeClaim' when referencing the default apiGroup";
  return [
    ...['name', 'kind'].flatMap(key => (textAt(source, key) === '' ? [required(`${path}.${key}`)] : [])),
    ...(isForeign ? [invalid(path, kind, why)] : []),
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
