// Who a test says it is: looked at, because plain JavaScript hands in anything.

import type { Identity } from '../../kube/transport.ts';
import { identityInvalid } from './errors.ts';
import type { TestIdentity } from './types.ts';

/** Everybody who has said who they are belongs to it. */
const EVERYBODY = 'system:authenticated';

export function identityOf({ user, groups = [] }: TestIdentity): Identity {
  if (typeof user !== 'string' || user === '') throw identityInvalid('user', 'a name', user);
  if (!Array.isArray(groups)) throw identityInvalid('groups', 'a list of names', groups);
  const odd = groups.findIndex(group => typeof group !== 'string' || group === '');
  if (odd >= 0) throw identityInvalid(`groups[${odd}]`, 'a name', groups[odd]);
  return { name: user, groups: groups.includes(EVERYBODY) ? groups : [...groups, EVERYBODY] };
}
