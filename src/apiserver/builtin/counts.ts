// Numbers in objects, as Go sees them: absent is zero.

import type { JsonObject } from '../parts.ts';
import { numberAt } from './json.ts';

export const countAt = (object: JsonObject, key: string): number => numberAt(object, key) ?? 0;
