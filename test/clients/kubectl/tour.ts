// The tour of stock kubectl, in the version of the server.

import { join } from 'node:path';
import { binaryPath } from '../../../scripts/kube/binaries.ts';
import { commandLine } from '../frame/walk.ts';
import { topics } from './topics/index.ts';

export const kubectlTour = commandLine({
  name: 'stock kubectl',
  topics,
  files: join(import.meta.dirname, 'files'),
  programs: { kubectl: binaryPath('kubectl') },
});
