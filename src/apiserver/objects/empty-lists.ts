// Lists that Go always writes: an empty one is stored as none, and read back as null.

import type { JsonObject } from '../parts.ts';
import { objectAt } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

type Change = (object: JsonObject) => JsonObject;

/** With null for each of these lists that is empty. */
const emptied =
  (...keys: readonly string[]): Change =>
  object => {
    const empty = keys.filter(key => {
      const list = object[key];
      return Array.isArray(list) && list.length === 0;
    });
    return empty.length === 0 ? object : { ...object, ...Object.fromEntries(empty.map(key => [key, null])) };
  };

const within =
  (key: string, change: Change): Change =>
  object => ({ ...object, [key]: change(objectAt(object, key)) });

const always = (change: Change): Strategy => ({ prepareCreate: change, prepareUpdate: change });

export const roles = always(emptied('rules'));
export const endpointSlices = always(emptied('endpoints', 'ports'));
export const driverNodes = always(within('spec', emptied('drivers')));
