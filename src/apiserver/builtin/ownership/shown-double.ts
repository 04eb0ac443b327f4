// An answer to a write without what no two writes share: identity, addresses, and which time it was.

import type { JsonObject } from '../../parts.ts';
import { isObject, objectAt, objectsAt } from '../json.ts';

const OWN = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields'];

export function shownAnswer(answer: JsonObject): JsonObject {
  if (answer.kind === 'Status') return shownRefusal(answer);
  const metadata = objectAt(answer, 'metadata');
  // Entries are in the order of their times: which of two writes fell into the next second is chance.
  const owners = objectsAt(metadata, 'managedFields')
    .map(entry => (entry.time === undefined ? entry : { ...entry, time: 'some time' }))
    .sort((a, b) => (identity(a) < identity(b) ? -1 : 1));
  const spec = isObject(answer.spec)
    ? { spec: without(answer.spec, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) }
    : {};
  return { ...answer, ...spec, metadata: { ...without(metadata, OWN), owners } };
}

const identity = ({ operation, manager, subresource }: JsonObject): string =>
  JSON.stringify([operation, manager, subresource]);

function shownRefusal({ code, message, details }: JsonObject): JsonObject {
  const causes = isObject(details) ? details.causes : undefined;
  return { code: code ?? 0, ...(causes === undefined ? { message: message ?? '' } : { causes }) };
}

const without = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
