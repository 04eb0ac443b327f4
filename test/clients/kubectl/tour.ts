// The tour of stock kubectl, in the version of the server.

import { join } from 'node:path';
import { binaryPath } from '../../../scripts/kube/binaries.ts';
import type { Tour } from '../frame/topic.ts';
import { topics } from './topics/index.ts';

export const kubectlTour: Tour = {
  name: 'stock kubectl',
  topics,
  files: join(import.meta.dirname, 'files'),
  programs: { kubectl: binaryPath('kubectl') },
};
