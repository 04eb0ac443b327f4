// The real clusterctl moves a fleet between two embedded APIs, and our managers are killed all the way.

import { fleetThatMoves, managersKilled, thereAndBack } from './moves.ts';

const MOVES = { side: 'embedded', machines: 10 } as const;
const fleet = fleetThatMoves(MOVES);
thereAndBack(fleet, MOVES);
managersKilled(fleet);
