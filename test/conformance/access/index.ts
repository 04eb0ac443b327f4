// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { authentication } from './authentication.ts';
import { certificates } from './certificates.ts';
import { impersonation } from './impersonation.ts';
import { issuer } from './issuer.ts';
import { issuing } from './issuing.ts';
import { nodes } from './nodes.ts';
import { oddReviews } from './odd-reviews.ts';
import { ourRoles } from './our-roles.ts';
import { roles } from './rbac.ts';
import { reviews } from './reviews.ts';

export const cases: readonly Case[] = [
  ...authentication,
  ...impersonation,
  ...issuer,
  ...roles,
  ...reviews,
  ...oddReviews,
  ...nodes,
  ...certificates,
  ...issuing,
  ...ourRoles,
];
