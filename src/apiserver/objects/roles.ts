// Roles: an empty list of rules is stored as none, and read back as null.

import type { JsonObject } from '../parts.ts';
import type { Strategy } from './strategy.ts';

export const roles: Strategy = { prepareCreate: withoutEmptyRules, prepareUpdate: withoutEmptyRules };

function withoutEmptyRules(role: JsonObject): JsonObject {
  return Array.isArray(role.rules) && role.rules.length === 0 ? { ...role, rules: null } : role;
}
