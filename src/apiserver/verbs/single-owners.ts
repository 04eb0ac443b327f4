// An owner that an object names twice is kept once, and the client is told.

import type { Call } from '../core.ts';
import type { Json, JsonObject } from '../parts.ts';
import { isObject, stringAt } from '../rules/json.ts';

const WARNING =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:';

/** The owners that `metadata` names, each once. */
export function singleOwners(call: Call, { ownerReferences: owners }: JsonObject): Json | undefined {
  if (!Array.isArray(owners) || owners.length < 2) return owners;
  const seen = new Set<string>();
  const repeated: string[] = [];
  const single = owners.filter((owner: Json) => {
    const whole = JSON.stringify(owner);
    if (seen.has(whole)) repeated.push(isObject(owner) ? stringAt(owner, 'uid') : '');
    return !seen.has(whole) && seen.add(whole);
  });
  if (repeated.length === 0) return owners;
  call.warnings.push(`${WARNING} ${repeated.join(', ')}`);
  return single;
}
