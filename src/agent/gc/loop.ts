// Collects at the start and every five minutes.

import { minutes } from '../../base/clock.ts';
import type { Periodic } from '../../kube/controller.ts';
import type { AgentWorld } from '../world.ts';

const EVERY_MS = minutes(5);

export function collections(): Periodic<AgentWorld> {
  return {
    name: 'agent-gc',
    everyMs: EVERY_MS,
    firstAfterMs: 0,
    pass: async ({ collector, settings }) => {
      if (settings.collectsGarbage) await collector.collect('routine');
    },
  };
}
