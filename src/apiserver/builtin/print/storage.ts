// Rows of volumes, claims and classes of storage.

import type { JsonObject } from '../../parts.ts';
import { isObject, listAt, objectAt, textAt } from '../json.ts';
import { age, type Cells, isDeleting, nameOf, orElse, specOf, statusOf, UNSET } from './cells.ts';

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';
const DEFAULT_CLASS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];

export const volumeCells: Cells = (volume, nowMs) => {
  const [spec, status] = [specOf(volume), statusOf(volume)];
  const claim = spec.claimRef;
  return [
    nameOf(volume),
    orElse(textAt(objectAt(spec, 'capacity'), 'storage'), '0'),
    modesText(spec),
    textAt(spec, 'persistentVolumeReclaimPolicy'),
    isDeleting(volume) ? 'Terminating' : textAt(status, 'phase'),
    isObject(claim) ? `${textAt(claim, 'namespace')}/${textAt(claim, 'name')}` : '',
    classOf(volume),
    setText(spec, 'volumeAttributesClassName'),
    textAt(status, 'reason'),
    age(volume, nowMs),
    setText(spec, 'volumeMode'),
  ];
};

export const claimCells: Cells = (claim, nowMs) => {
  const [spec, status] = [specOf(claim), statusOf(claim)];
  const isBound = textAt(spec, 'volumeName') !== '';
  return [
    nameOf(claim),
    isDeleting(claim) ? 'Terminating' : textAt(status, 'phase'),
    textAt(spec, 'volumeName'),
    isBound ? orElse(textAt(objectAt(status, 'capacity'), 'storage'), '0') : '',
    isBound ? modesText(status) : '',
    classOf(claim),
    setText(spec, 'volumeAttributesClassName'),
    age(claim, nowMs),
    setText(spec, 'volumeMode'),
  ];
};

/** In a fixed order, each once. */
function modesText(holder: JsonObject): string {
  const modes = new Set(listAt(holder, 'accessModes'));
  return Object.keys(MODES)
    .filter(mode => modes.has(mode))
    .map(mode => MODES[mode])
    .join(',');
}

function classOf(object: JsonObject): string {
  const annotations = objectAt(objectAt(object, 'metadata'), 'annotations');
  return textAt(annotations, CLASS_ANNOTATION) || textAt(specOf(object), 'storageClassName');
}

const setText = (object: JsonObject, key: string): string => (object[key] === undefined ? UNSET : textAt(object, key));

export const storageClassCells: Cells = (storageClass, nowMs) => {
  const annotations = objectAt(objectAt(storageClass, 'metadata'), 'annotations');
  const isDefault = DEFAULT_CLASS.some(key => annotations[key] === 'true');
  return [
    isDefault ? `${nameOf(storageClass)} (default)` : nameOf(storageClass),
    textAt(storageClass, 'provisioner'),
    textAt(storageClass, 'reclaimPolicy'),
    textAt(storageClass, 'volumeBindingMode'),
    storageClass.allowVolumeExpansion === true,
    age(storageClass, nowMs),
  ];
};
