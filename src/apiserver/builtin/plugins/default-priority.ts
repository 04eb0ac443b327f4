// Priority, of classes themselves: one of them at most is the one of Pods that name none.

import type { Admission } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';
import { kept, type PluginWorld, refused } from './new-pod.ts';

const CLASSES = 'priorityclasses.scheduling.k8s.io';

export function oneDefaultPriority({ stored }: PluginWorld): Admission {
  return call => {
    const { resource, object, attributes } = call;
    if (resource.storageName !== CLASSES || attributes.subresource !== '') return kept(object);
    if (object?.globalDefault !== true) return kept(object);
    const names = stored
      .list(CLASSES)
      .filter(each => each.globalDefault === true)
      .map(each => textAt(objectAt(each, 'metadata'), 'name'));
    const other = names.find(name => name !== textAt(objectAt(object, 'metadata'), 'name'));
    if (other === undefined) return kept(object);
    return refused(call, `PriorityClass ${other} is already marked as default. Only one default can exist`);
  };
}
