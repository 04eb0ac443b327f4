// The real clusterctl is killed while it deletes the objects of a fleet that it has made on another embedded API.

import { clusterctlKilled, DELETING, fleetThatMoves } from './moves.ts';

clusterctlKilled(fleetThatMoves({ side: 'embedded', machines: 4 }), DELETING);
