// The real clusterctl moves a fleet between two real kube-apiservers: there, back, killed, and with our managers killed.

import { CREATING, clusterctlKilled, DELETING, fleetThatMoves, managersKilled, thereAndBack } from './moves.ts';

const MOVES = { side: 'real', machines: 10 } as const;
const fleet = fleetThatMoves(MOVES);
thereAndBack(fleet, MOVES);
/** A smaller sample: one while it makes objects, two while it deletes them. */
const KILLS = ['a Metal3Machine was made on the target', 'a Metal3Machine was marked', 'a host was marked'];
clusterctlKilled(
  fleet,
  [...CREATING, ...DELETING].filter(({ name }) => KILLS.includes(name)),
);
managersKilled(fleet);
