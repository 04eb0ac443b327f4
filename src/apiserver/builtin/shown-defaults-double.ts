// A stored object without what other parts of a server write: identity, addresses, the volume with the Pod's token.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, listAt, textAt } from './json.ts';

const UID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export function shownDefaults({ metadata: _, status: __, ...rest }: JsonObject): unknown {
  const text = JSON.stringify(rest, (key, value: Json) => {
    if (['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].includes(key) && value !== 'None') return undefined;
    if (key !== 'volumes' && key !== 'volumeMounts') return value;
    const kept = listAt({ value }, 'value').filter(item => !(isObject(item) && isTokenVolume(item)));
    return kept.length === 0 ? undefined : kept;
  });
  return JSON.parse(text.replaceAll(UID, 'some-uid'));
}

const isTokenVolume = (item: JsonObject): boolean => textAt(item, 'name').startsWith('kube-api-access');
