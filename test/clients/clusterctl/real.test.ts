// The real clusterctl moves a fleet between two real kube-apiservers.

import { moves, STEPS } from './moves.ts';

/** A smaller sample: one of each of its phases. */
const KILLS = ['a Metal3Machine was made on the target', 'a Metal3Machine was marked', 'a host was marked'];

moves({ side: 'real', machines: 10, kills: STEPS.filter(({ name }) => KILLS.includes(name)), managersDieAfter: 20 });
