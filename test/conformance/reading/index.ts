// The cases of the group, file by file.

import type { Case } from '../frame/case.ts';
import { expiring } from './expiry.ts';
import { selectingByFields } from './fields.ts';
import { formed } from './forms.ts';
import { getting } from './get.ts';
import { selectingByLabels } from './labels.ts';
import { listing } from './list.ts';
import { paging } from './pages.ts';
import { tables } from './tables.ts';
import { watching } from './watch.ts';
import { watchingLists } from './watch-list.ts';
import { yamlTexts } from './yaml-texts.ts';

export const cases: readonly Case[] = [
  ...getting,
  ...listing,
  ...paging,
  ...expiring,
  ...watching,
  ...watchingLists,
  ...selectingByLabels,
  ...selectingByFields,
  ...formed,
  ...tables,
  ...yamlTexts,
];
