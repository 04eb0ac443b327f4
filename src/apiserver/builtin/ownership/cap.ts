// How many updaters an object remembers: the oldest share one entry, so that the record does not grow without end.

import { millisOf } from '../../../base/clock.ts';
import { union } from './field-set.ts';
import { byIdentity, identityOf, type Manager, type Managers } from './record.ts';

const MAX_UPDATERS = 10;
const ANCIENT = 'ancient-changes';

export function cappedManagers(managers: Managers): Managers {
  const updaters = [...managers.values()].filter(manager => manager.operation === 'Update');
  if (updaters.length <= MAX_UPDATERS) return managers;

  const oldestFirst = updaters.toSorted((a, b) => (millisOf(a.time) || 0) - (millisOf(b.time) || 0));
  const kept = new Map(managers);
  let count = updaters.length;
  for (const old of oldestFirst) {
    if (count <= MAX_UPDATERS) break;
    kept.delete(identityOf(old));
    const bucket: Manager = { ...old, name: ANCIENT, subresource: '' };
    const known = kept.get(identityOf(bucket));
    if (known !== undefined) count--;
    kept.set(identityOf(bucket), known === undefined ? bucket : { ...bucket, fields: union(known.fields, old.fields) });
  }
  return byIdentity([...kept.values()]);
}
