// The manager as a process of the story: elected, under its own account, over HTTP; it can be killed and started again.

import { realKeys } from '../../../src/adapters/keys/index.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { macManager } from '../../../src/fleet/controllers.ts';
import { leaderOnlyCloud, leaderOnlyShell } from '../../../src/fleet/leader-only.ts';
import { openWorld } from '../../../src/fleet/world.ts';
import { Election } from '../../../src/kube/leader.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import type { MacCloud } from '../../../src/mac/cloud.ts';
import type { HostShell } from '../../../src/mac/host-shell.ts';
import type { MacSettings } from '../../../src/mac/world.ts';
import { testLog } from '../../world/test-log.ts';
import { PIPPIN_NAMESPACE } from './cluster.ts';
import { ProcessLife } from './process-life.ts';

const clock = systemClock;
const random = systemRandom;
const LEASE = 'scaleway-applesilicon.infrastructure.cluster.x-k8s.io';

export interface ManagerProcessOptions {
  /** The API under the manager's account. */
  readonly transport: Transport;
  readonly cloud: MacCloud;
  readonly shell: HostShell;
  readonly settings: MacSettings;
  readonly projectId: string;
  readonly sweep: { readonly deadlineSeconds: number; readonly recheckSeconds: number };
}

export class ManagerProcess {
  /** Why it ended by itself, if it did. */
  fallen: string | undefined;
  readonly #options: ManagerProcessOptions;
  #life = new ProcessLife();
  #run: Promise<void> = Promise.resolve();
  #starts = 0;

  constructor(options: ManagerProcessOptions) {
    this.#options = options;
  }

  start(): void {
    const life = new ProcessLife();
    this.#life = life;
    this.#run = this.#lead(life, `manager ${++this.#starts}`).catch((error: unknown) => {
      if (!life.signal.aborted) this.fallen = messageOf(error);
    });
  }

  /** Dies where it stands, with its lease. */
  kill(): void {
    this.#life.die();
  }

  async stop(): Promise<void> {
    this.#life.end();
    await this.#run;
  }

  #lead(life: ProcessLife, identity: string): Promise<void> {
    const options = this.#options;
    const transport = life.transport(options.transport);
    const seams = { clock, random, log: testLog(identity, clock), metrics: noMetrics };
    const election = new Election({ ...seams, transport, namespace: PIPPIN_NAMESPACE, name: LEASE, identity });
    const { gate } = election;
    const work = async (signal: AbortSignal): Promise<void> => {
      const world = openWorld({ ...seams, transport: gate.guard(transport), component: 'pippin-manager' });
      try {
        await macManager({
          ...options,
          world,
          cloud: leaderOnlyCloud(life.cloud(options.cloud), gate),
          shell: leaderOnlyShell(life.shell(options.shell), gate),
          keys: realKeys,
          artifacts: { tart: bundle('tart-1'), agent: bundle('agent-1') },
          zones: ['fr-par-1'],
          workers: 16,
        })(signal);
      } finally {
        await world.close();
      }
    };
    return election.lead(work, life.signal);
  }
}

const bundle = (digest: string) => ({ digest, bytes: () => Promise.resolve(new Uint8Array([1])) });
