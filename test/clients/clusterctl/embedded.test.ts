// The real clusterctl moves a fleet between two embedded APIs.

import { moves, STEPS } from './moves.ts';

moves({ side: 'embedded', machines: 10, kills: STEPS, managersDieAfter: 10 });
