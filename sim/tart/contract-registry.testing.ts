// The registry that the runtime's contract asks for.

import { CONTRACT_IMAGES } from '../../src/agent/vm-runtime.contract.ts';
import type { Registry } from './registry.ts';

export const contractRegistry: Registry = {
  images: {
    [CONTRACT_IMAGES.live]: { pullSeconds: 0.1, guest: { bootSeconds: 1, shutDownSeconds: 1 } },
    [CONTRACT_IMAGES.short]: { pullSeconds: 0.1, guest: { bootSeconds: 1, livesSeconds: 1, exitCode: 7 } },
    [CONTRACT_IMAGES.crash]: { pullSeconds: 0.1, guest: { bootSeconds: 1, livesSeconds: 2, crashes: true } },
  },
};
