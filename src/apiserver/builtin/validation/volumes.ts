// What a Pod's volumes must be: named once, of one kind, with what that kind needs.

import type { JsonObject } from '../../parts.ts';
import { duplicate, forbidden, required } from '../../schema/field-errors.ts';
import { isObject, objectAt, textAt } from '../json.ts';
import { type Errors, labelErrors } from './texts.ts';

/** What a kind of volume cannot do without. */
const NEEDS: Readonly<Record<string, string>> = {
  hostPath: 'path',
  secret: 'secretName',
  configMap: 'name',
  persistentVolumeClaim: 'claimName',
};

export function volumeErrors(path: string, volumes: readonly JsonObject[]): Errors {
  const names = volumes.map(volume => textAt(volume, 'name'));
  return volumes.flatMap((volume, index) => {
    const [at, name] = [`${path}[${index}]`, names[index] ?? ''];
    const named = name === '' ? [required(`${at}.name`)] : labelErrors(`${at}.name`, name);
    const twice = name !== '' && names.indexOf(name) < index ? [duplicate(`${at}.name`, name)] : [];
    return [...sourceErrors(at, volume), ...named, ...twice];
  });
}

const isOther = (kind: string): boolean => kind !== 'emptyDir';

function sourceErrors(path: string, volume: JsonObject): Errors {
  const kinds = Object.keys(volume).filter(key => isObject(volume[key]));
  // An empty folder is looked at first.
  const [first, ...others] = kinds.includes('emptyDir') ? ['emptyDir', ...kinds.filter(isOther)] : kinds;
  if (first === undefined) return [required(path, 'must specify a volume type')];
  const need = NEEDS[first];
  const missing = need !== undefined && textAt(objectAt(volume, first), need) === '';
  return [
    ...(missing ? [required(`${path}.${first}.${need}`)] : []),
    ...others.map(key => forbidden(`${path}.${key}`, 'may not specify more than 1 volume type')),
  ];
}
