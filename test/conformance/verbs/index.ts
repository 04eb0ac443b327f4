// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { addresses } from './addresses.ts';
import { bodies } from './bodies.ts';
import { creating } from './create.ts';
import { dryRuns } from './dry-run.ts';
import { drySubresources } from './dry-subresources.ts';
import { empties } from './empties.ts';
import { fieldValidation } from './field-validation.ts';
import { immutable } from './immutable.ts';
import { metadata } from './metadata.ts';
import { namesBelow } from './names-below.ts';
import { numbers } from './numbers.ts';
import { oddRequests } from './odd-requests.ts';
import { paths } from './paths.ts';
import { queries } from './queries.ts';
import { readers } from './readers.ts';
import { sloppy } from './sloppy.ts';
import { status } from './status.ts';
import { updating } from './update.ts';

export const cases: readonly Case[] = [
  ...creating,
  ...metadata,
  ...bodies,
  ...updating,
  ...status,
  ...immutable,
  ...dryRuns,
  ...drySubresources,
  ...fieldValidation,
  ...paths,
  ...addresses,
  ...queries,
  ...empties,
  ...numbers,
  ...readers,
  ...sloppy,
  ...namesBelow,
  ...oddRequests,
];
