// Which node a caller is: a user `system:node:<name>` in the group system:nodes (safe-18).

import type { Identity } from '../../kube/transport.ts';

export const NODE_USER_PREFIX = 'system:node:';
const NODES_GROUP = 'system:nodes';

/** Undefined for anybody who is no node; empty for a node that does not say which. */
export function nodeNameOf(identity: Identity): string | undefined {
  if (!identity.name.startsWith(NODE_USER_PREFIX) || !identity.groups.includes(NODES_GROUP)) return undefined;
  return identity.name.slice(NODE_USER_PREFIX.length);
}
