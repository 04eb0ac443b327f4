// Who may do what, all together: system:masters first, then the Node authorizer, then RBAC.

import type { Authorizer, Stored } from '../parts.ts';
import { nodeAuthorizer } from './node-authorizer.ts';
import { rbacAuthorizer } from './rbac.ts';
import { type RbacSnapshot, rbacSnapshots } from './rbac-snapshot.ts';

/** The authorizer of the embedded API, and the view of RBAC that reviews and escalation checks share with it. */
export interface Authorization {
  readonly authorize: Authorizer;
  readonly snapshot: () => RbacSnapshot;
}

export function authorization(stored: Stored): Authorization {
  const snapshot = rbacSnapshots(stored);
  return { snapshot, authorize: inTurn([privileged, nodeAuthorizer(stored), rbacAuthorizer(snapshot)]) };
}

/** Members of system:masters may do anything: the API's own programs, and who holds the first certificate. */
const privileged: Authorizer = ({ identity }) =>
  identity.groups.includes('system:masters') ? { allowed: true } : { allowed: false, reason: '' };

/** The first that allows decides; nobody forbids. */
function inTurn(authorizers: readonly Authorizer[]): Authorizer {
  return attributes => {
    const reasons: string[] = [];
    for (const authorize of authorizers) {
      const verdict = authorize(attributes);
      if (verdict.allowed) return verdict;
      if (verdict.reason !== '') reasons.push(verdict.reason);
    }
    return { allowed: false, reason: reasons.join('\n') };
  };
}
