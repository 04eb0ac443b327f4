// Runs of the virtual fleet that together ask for all that our programs ever ask of an API.

import assert from 'node:assert/strict';
import type { Stored } from '../../src/apiserver/parts.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { type FleetOptions, type VirtualFleet, virtualFleet } from '../world/fleet.ts';
import { type MetalFleetOptions, metalFleet } from '../world/metal/fleet.ts';
import type { Rights } from './record.ts';
import { clusterRuns } from './runs/clusters.ts';
import { kubernetesRuns } from './runs/kubernetes.ts';
import { macRuns } from './runs/macs.ts';
import { type MetalRun, metalRuns } from './runs/metal.ts';
import { programRuns } from './runs/programs.ts';

export interface Run {
  readonly name: string;
  readonly fleet?: FleetOptions;
  /** Requests that the server fails to answer, told by what they ask: `DELETE /api/v1/nodes/mac-0`. */
  readonly broken?: RegExp;
  /** `api` is the way that all programs take: what is asked on it is noted. */
  play(fleet: VirtualFleet, api: Transport): Promise<void>;
}

/** A run of either fleet, that has `rights` note what is asked for in it. */
export interface Recorded {
  readonly name: string;
  record(rights: Rights): Promise<void>;
}

export const runs: readonly Recorded[] = [
  ...[...macRuns, ...clusterRuns, ...kubernetesRuns, ...programRuns].map(run => ({
    name: run.name,
    record: (rights: Rights) => recorded(run, rights),
  })),
  ...metalRuns.map(run => ({ name: run.name, record: (rights: Rights) => recordedMetal(run, rights) })),
];

async function recordedMetal({ fleet: options, play }: MetalRun, rights: Rights): Promise<void> {
  const noting: MetalFleetOptions['between'] = (api, stored) =>
    rights.noting(options?.between?.(api, stored) ?? api, stored);
  const fleet = await metalFleet({ ...options, between: noting });
  try {
    await play(fleet);
  } finally {
    await fleet.close();
  }
}

async function recorded(run: Run, rights: Rights): Promise<void> {
  let way: Transport | undefined;
  const between = (api: Transport, stored: Stored): Transport => {
    way = rights.noting(failing(api, run.broken), stored);
    return way;
  };
  const fleet = await virtualFleet({ ...run.fleet, between });
  assert.ok(way !== undefined);
  try {
    await run.play(fleet, way);
  } finally {
    await fleet.close();
  }
}

function failing(api: Transport, broken: RegExp | undefined): Transport {
  if (broken === undefined) return api;
  return request =>
    broken.test(`${request.method} ${request.path}`)
      ? Promise.resolve({ status: 500, headers: {}, body: new Uint8Array() })
      : api(request);
}
