// The JavaScript client as a client of both servers: what it said in each of its acts.

import { masked } from '../frame/mask.ts';
import type { Side } from '../frame/sides.ts';
import type { ForeignClient, Walked } from '../frame/topic.ts';
import { informer } from './informers.ts';
import { objects, patches, refusals } from './objects.ts';
import { opened, type Stage } from './stage.ts';
import { commands, logs, port } from './streams.ts';

const ACT_DEADLINE_MS = 30_000;

const ACTS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  objects,
  patches,
  refusals,
  informer,
  logs,
  commands,
  port,
};

export const nodeProgram: ForeignClient = {
  name: 'the JavaScript client',
  topics: [{ name: 'acts', lines: Object.keys(ACTS) }],
  walk: played,
};

async function played(side: Side): Promise<Walked> {
  const said: string[] = [];
  for (const [name, play] of Object.entries(ACTS)) {
    const lines: string[] = [];
    try {
      const stage = await opened(side, `node-${name}`, text => void lines.push(text));
      await inTime(play(stage));
    } catch (error) {
      // What fails on the real server is the act's own fault.
      if (side.name === 'real') throw error;
      lines.push(`FAILED: ${error instanceof Error ? error.stack : String(error)}`);
    }
    said.push(masked(lines.join('\n')));
  }
  return new Map([['acts', said]]);
}

async function inTime(play: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('it took too long')), ACT_DEADLINE_MS);
  try {
    await Promise.race([play, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
