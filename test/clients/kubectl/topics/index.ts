// The whole tour, in order: later parts use what earlier ones made.

import type { Topic } from '../../frame/topic.ts';
import { changing } from './changing.ts';
import { creating } from './creating.ts';
import { deleting } from './deleting.ts';
import { looking } from './looking.ts';
import { machines } from './machines.ts';
import { reading } from './reading.ts';
import { refusals } from './refusals.ts';
import { rights } from './rights.ts';

export const topics: readonly Topic[] = [looking, creating, changing, reading, rights, refusals, machines, deleting];
