// Leases: what belongs to coordinated leader election is not kept, as on a server where that is not switched on.

import type { JsonObject } from '../parts.ts';
import { objectAt, without } from '../rules/json.ts';
import type { Strategy } from './strategy.ts';

export const leases: Strategy = { prepareCreate: uncoordinated, prepareUpdate: uncoordinated };

function uncoordinated(object: JsonObject): JsonObject {
  const spec = objectAt(object, 'spec');
  if (spec.strategy === undefined && spec.preferredHolder === undefined) return object;
  return { ...object, spec: without(spec, 'strategy', 'preferredHolder') };
}
