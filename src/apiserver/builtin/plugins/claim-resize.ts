// PersistentVolumeClaimResize: a bound claim grows only where its class says that it may.

import type { Admission, JsonObject } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';
import { nanoOf } from '../quantity.ts';
import { kept, type PluginWorld, refused } from './new-pod.ts';

const WHY =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';

export function claimResizing({ stored }: PluginWorld): Admission {
  return call => {
    const { resource, object, old, attributes } = call;
    const isClaim = resource.storageName === 'persistentvolumeclaims' && attributes.subresource === '';
    if (!isClaim || object === undefined || old === undefined) return kept(object);
    // What is not bound does not change at all, which its validation says.
    const isBound = textAt(objectAt(old, 'status'), 'phase') === 'Bound';
    if (!isBound || wanted(object) <= wanted(old)) return kept(object);
    const name = textAt(objectAt(old, 'spec'), 'storageClassName');
    const storageClass = name === '' ? undefined : stored.get('storageclasses.storage.k8s.io', '', name);
    return storageClass?.allowVolumeExpansion === true ? kept(object) : refused(call, WHY);
  };
}

function wanted(claim: JsonObject): bigint {
  const requests = objectAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests');
  return nanoOf(textAt(requests, 'storage')) ?? 0n;
}
