// The real clusterctl is killed while it makes the objects of a fleet on another embedded API.

import { CREATING, clusterctlKilled, fleetThatMoves } from './moves.ts';

clusterctlKilled(fleetThatMoves({ side: 'embedded', machines: 4 }), CREATING);
