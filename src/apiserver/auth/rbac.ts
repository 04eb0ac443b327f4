// RBAC: whether any binding gives the caller a rule that allows the request.

import type { Authorizer } from '../parts.ts';
import type { RbacSnapshot } from './rbac-snapshot.ts';
import { ruleAllows } from './rules.ts';

/** Purely additive: what no rule allows is denied. */
export function rbacAuthorizer(snapshot: () => RbacSnapshot): Authorizer {
  return attributes => {
    const grants = snapshot().grantsOf(attributes.identity, attributes.namespace);
    const allowing = grants.find(grant => grant.rules?.some(rule => ruleAllows(rule, attributes)));
    if (allowing !== undefined) return { allowed: true, reason: `RBAC: allowed by ${allowing.source}` };

    const broken = grants.filter(grant => grant.rules === undefined).map(grant => grant.source);
    return { allowed: false, reason: broken.length === 0 ? '' : `RBAC: ${inBrackets(broken)}` };
  };
}

/** Several errors read `[a, b]`, one reads as itself. */
function inBrackets(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
