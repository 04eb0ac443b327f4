// What an update of a CertificateSigningRequest's verdict or status may change, and when it says it happened.

import type { Json, JsonObject } from '../parts.ts';
import { isObject, listAt, objectAt, textAt } from './fields.ts';

/**
 * `approval` changes the conditions only; `status` everything but a verdict. Times that the client left out are now;
 * a condition that was in that state before keeps the time since when.
 */
export function preparedUpdate(
  csr: JsonObject,
  old: JsonObject,
  update: { subresource: string; time: string },
): JsonObject {
  const given = listAt(csr, 'status', 'conditions');
  const conditions = (update.subresource === 'status' ? withOldVerdicts(given, old) : given).map(condition =>
    withTimes(condition, listAt(old, 'status', 'conditions'), update.time),
  );
  const base = objectAt(update.subresource === 'approval' ? old : csr, 'status') ?? {};
  return { ...csr, spec: old.spec ?? {}, status: { ...base, conditions } };
}

/** Where neither was added nor removed, the old ones stand: only `approval` may write them. */
function withOldVerdicts(given: readonly Json[], old: JsonObject): readonly Json[] {
  return ['Approved', 'Denied'].reduce((conditions, type) => {
    const before = listAt(old, 'status', 'conditions').filter(condition => textAt(condition, 'type') === type);
    const count = conditions.filter(condition => textAt(condition, 'type') === type).length;
    if (count !== before.length) return conditions;
    const kept = before[Symbol.iterator]();
    return conditions.map(condition =>
      textAt(condition, 'type') === type ? (kept.next().value ?? condition) : condition,
    );
  }, given);
}

function withTimes(condition: Json, before: readonly Json[], now: string): Json {
  if (!isObject(condition)) return condition;
  const same = before.find(
    old => textAt(old, 'type') === textAt(condition, 'type') && textAt(old, 'status') === textAt(condition, 'status'),
  );
  const since = textAt(same, 'lastTransitionTime') || now;
  return {
    ...condition,
    lastUpdateTime: textAt(condition, 'lastUpdateTime') || now,
    lastTransitionTime: textAt(condition, 'lastTransitionTime') || since,
  };
}
