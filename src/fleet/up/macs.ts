// The simulated Macs of `pippin up`, and the manager that turns them into Nodes.

import { seconds } from '../../base/clock.ts';
import { type MacSettings, USUAL_SETTINGS } from '../../mac/world.ts';
import { macManager } from '../controllers.ts';
import { managerIdentity } from '../manifests.ts';
import type { ServedApi } from '../serve-api.ts';
import type { Closing } from './closing.ts';
import type { ControlPlane } from './control-plane.ts';
import { POOL_PREFIX, startSimulation } from './simulation.ts';

export interface MacsSetup {
  readonly dataDir: string;
  /** How many there are at least. */
  readonly macs: number;
}

export async function startMacs(plane: ControlPlane, setup: MacsSetup, closing: Closing): Promise<void> {
  const simulation = await startSimulation({ ...plane, ...setup });
  closing.add('simulated macs', () => simulation.close());
  const { keys, served } = plane;
  const world = plane.openWorld('pippin-manager', managerIdentity);
  closing.run('manager', macManager({ ...simulation, world, keys, settings: settingsFor(served) }));
}

/** Waits that real hosts need are short here: these answer at once or not at all. */
function settingsFor({ url, authority }: ServedApi): MacSettings {
  return {
    ...USUAL_SETTINGS,
    poolPrefix: POOL_PREFIX,
    claimSettlesMs: seconds(1),
    poolRecheckMs: seconds(2),
    timing: { settleSeconds: 1, aquaSeconds: 5 },
    apiServer: { url, caPem: authority.certificatePem },
  };
}
