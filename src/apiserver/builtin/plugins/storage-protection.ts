// StorageObjectInUseProtection: claims and volumes bear a finalizer until nothing uses them.

import type { Admission, JsonObject } from '../../parts.ts';
import { listAt, objectAt } from '../json.ts';
import { kept } from './new-pod.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

export const storageProtection: Admission = ({ attributes, resource, object, old }) => {
  const finalizer = FINALIZERS[resource.storageName];
  const isNew = object !== undefined && old === undefined && attributes.subresource === '';
  return kept(isNew && finalizer !== undefined ? protectedBy(object, finalizer) : object);
};

function protectedBy(object: JsonObject, finalizer: string): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const finalizers = listAt(metadata, 'finalizers');
  if (finalizers.includes(finalizer)) return object;
  return { ...object, metadata: { ...metadata, finalizers: [...finalizers, finalizer] } };
}
