// Field ownership, as the part that the request handler uses.

import type { FieldOwnership } from '../../parts.ts';
import { apply } from './apply.ts';
import { fromScale, inScale } from './scale.ts';
import { track } from './update.ts';

export const fieldOwnership: FieldOwnership = { apply, track, inScale, fromScale };
