// What lives on the story's Macs: one tart each, and the real agent with the certificate and kubeconfig that the set-up left there.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentStart, Inhabitants } from '../../../sim/mac-host/model.ts';
import { type InProcessMac, inProcessMac } from '../../../sim/tart/in-process-host.ts';
import type { Registry } from '../../../sim/tart/registry.ts';
import { realKeys } from '../../../src/adapters/keys/index.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import { systemRandom } from '../../../src/adapters/system/random.ts';
import { agent } from '../../../src/agent/index.ts';
import { messageOf } from '../../../src/base/errors.ts';
import { noMetrics } from '../../../src/base/metrics.ts';
import { agentAccess } from '../../../src/fleet/agent-kubeconfig.ts';
import { openWorld } from '../../../src/fleet/world.ts';
import { client } from '../../../src/kube/client.ts';
import type { Transport } from '../../../src/kube/transport.ts';
import { settingsOf } from '../../world/macs.ts';
import { testLog } from '../../world/test-log.ts';
import { ProcessLife } from './process-life.ts';

const clock = systemClock;

/** Small and quick: what is pulled is not what this story is about. */
const registry: Registry = { images: { '*': { pullSeconds: 1, guest: { bootSeconds: 1 } } } };

export class MacAgents implements Inhabitants {
  /** Agents that ended although nobody ended them. */
  readonly fallen: string[] = [];
  readonly #folder: string;
  readonly #noting: (who: string, transport: Transport) => Transport;
  readonly #macs = new Map<string, InProcessMac>();
  readonly #running = new Set<ProcessLife>();
  #starts = 0;

  /** Kubeconfigs are kept in `folder`, as on the disks of the Macs. */
  constructor(folder: string, noting: (who: string, transport: Transport) => Transport) {
    this.#noting = noting;
    this.#folder = join(folder, 'macs');
    mkdirSync(this.#folder, { mode: 0o700 });
  }

  /** The disk and the VMs of a server; a new installation has new ones. */
  on(serverId: string): InProcessMac {
    const known = this.#macs.get(serverId);
    if (known !== undefined) return known;
    const mac = inProcessMac({
      clock,
      registry: () => registry,
      hostname: serverId.slice(0, 8),
      hardwareUuid: serverId,
      address: '192.0.2.1',
    });
    this.#macs.set(serverId, mac);
    return mac;
  }

  /** Names of the VMs whose process lives on this server. */
  running(serverId: string): readonly string[] {
    return this.#macs.get(serverId)?.tart.running() ?? [];
  }

  startAgent(start: AgentStart): () => void {
    const life = new ProcessLife();
    this.#running.add(life);
    void this.#run(start, life).catch((error: unknown) => {
      if (!life.signal.aborted) this.fallen.push(`agent on ${start.serverId}: ${messageOf(error)}`);
    });
    return () => {
      this.#running.delete(life);
      life.die();
    };
  }

  removeVms(serverId: string): number {
    const mac = this.#macs.get(serverId);
    if (mac === undefined) return 0;
    const { length } = mac.tart.running();
    mac.tart.cutPower();
    this.#macs.delete(serverId);
    return length;
  }

  stopVms(serverId: string): void {
    this.#macs.get(serverId)?.tart.cutPower();
  }

  /** The whole story is over. */
  endAll(): void {
    for (const life of this.#running) life.die();
    for (const mac of this.#macs.values()) mac.tart.cutPower();
  }

  async #run({ serverId, kubeconfig, flags }: AgentStart, life: ProcessLife): Promise<void> {
    const settings = settingsOf(flags);
    const { nodeName } = settings;
    const file = join(this.#folder, `${nodeName}-${this.#starts++}.kubeconfig`);
    writeFileSync(file, kubeconfig, { mode: 0o600 });
    const access = await agentAccess(file, nodeName, clock);
    const world = openWorld({
      transport: life.transport(this.#noting(nodeName, access.transport)),
      component: 'pippin-agent',
      host: nodeName,
      clock,
      random: systemRandom,
      log: testLog(`agent ${nodeName}`, clock),
      metrics: noMetrics,
    });
    life.signal.addEventListener('abort', () => void world.close(), { once: true });
    const { tart, host, records } = this.on(serverId);
    const lease = {
      api: client(life.transport(this.#noting(nodeName, access.leaseTransport)), { clock, userAgent: 'pippin-agent' }),
      reconnect: access.reconnect,
    };
    const ports = { ...world, runtime: tart, host, records, settings };
    await agent({ ports, lease, certificate: { store: access.credentials, keys: realKeys } }, life.signal);
  }
}
