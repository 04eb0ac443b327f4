// What lives on the modelled Macs of a virtual fleet: one tart and one disk each, and an agent once one was set up.

import type { AgentStart, Inhabitants } from '../../sim/mac-host/model.ts';
import { type InProcessMac, inProcessMac } from '../../sim/tart/in-process-host.ts';
import { anyImage, type Registry } from '../../sim/tart/registry.ts';
import { agent } from '../../src/agent/index.ts';
import type { AgentSettings } from '../../src/agent/settings.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { CertificateReader, Keys } from '../../src/base/keys.ts';
import { noMetrics } from '../../src/base/metrics.ts';
import type { Random } from '../../src/base/random.ts';
import { openWorld } from '../../src/fleet/world.ts';
import type { KubeWorld } from '../../src/kube/controller.ts';
import type { Transport } from '../../src/kube/transport.ts';
import { type Credential, credentialOf } from './credential.ts';
import type { Life, Processes } from './process.ts';
import { testLog } from './test-log.ts';

export interface MacsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly keys: Keys & CertificateReader;
  readonly processes: Processes;
  /** The API as one life of an agent sees it. */
  readonly transport: (process: string, life: Life) => Transport;
  /** Added to every agent's world. */
  readonly world?: Pick<KubeWorld, 'rechecks'>;
}

/** `agent 4f1c…`: the process on one server. */
export const agentOf = (serverId: string): string => `agent ${serverId.slice(0, 8)}`;

export class Macs implements Inhabitants {
  registry: Registry = anyImage;
  readonly #options: MacsOptions;
  readonly #macs = new Map<string, InProcessMac>();

  constructor(options: MacsOptions) {
    this.#options = options;
  }

  /** The disk and the VMs of a server; a new installation has new ones. */
  on(serverId: string): InProcessMac {
    const known = this.#macs.get(serverId);
    if (known !== undefined) return known;
    const mac = inProcessMac({
      clock: this.#options.clock,
      registry: () => this.registry,
      hostname: serverId.slice(0, 8),
      hardwareUuid: serverId,
      address: '192.0.2.1',
    });
    this.#macs.set(serverId, mac);
    return mac;
  }

  /** Names of VMs that run anywhere, with their servers. */
  running(): readonly { readonly serverId: string; readonly vm: string }[] {
    return [...this.#macs].flatMap(([serverId, mac]) => mac.tart.running().map(vm => ({ serverId, vm })));
  }

  /** Names of VMs that are on any disk, running or not; bases of images are nobody's VM. */
  vms(): readonly { readonly serverId: string; readonly vm: string }[] {
    return [...this.#macs].flatMap(([serverId, mac]) =>
      mac.tart.host.store
        .vmNames()
        .filter(vm => !vm.startsWith('tuist-golden-'))
        .map(vm => ({ serverId, vm })),
    );
  }

  startAgent({ serverId, flags, kubeconfig }: AgentStart): () => void {
    const name = agentOf(serverId);
    const settings = settingsOf(flags);
    const credential = credentialOf(kubeconfig);
    this.#options.processes.start(name, life => void this.#run(name, { serverId, settings, credential, life }));
    return () => this.#options.processes.end(name);
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

  async #run(
    name: string,
    {
      serverId,
      settings,
      credential: { identity, store },
      life,
    }: { serverId: string; settings: AgentSettings; credential: Credential; life: Life },
  ): Promise<void> {
    const { clock, random, keys } = this.#options;
    const world = openWorld({
      transport: this.#options.transport(name, life),
      identity,
      component: 'pippin-agent',
      host: settings.nodeName,
      clock,
      random: random.stream(`${name} ${life.number}`),
      log: testLog(name, clock),
      metrics: noMetrics,
    });
    life.signal.addEventListener('abort', () => void world.close(), { once: true });
    const { tart, host, records } = this.on(serverId);
    const ports = { ...world, ...this.#options.world, runtime: tart, host, records, settings };
    const lease = { api: world.api, reconnect: () => undefined };
    await agent({ ports, lease, ...(store === undefined ? {} : { certificate: { store, keys } }) }, life.signal);
  }
}

/** What `pippin agent` would read from these flags. */
export function settingsOf(flags: readonly string[]): AgentSettings {
  const flag = (name: string): string =>
    flags.find(each => each.startsWith(`--${name}=`))?.slice(name.length + 3) ?? '';
  const labels = flag('node-labels')
    .split(',')
    .filter(text => text !== '')
    .map(text => text.split('=') as [string, string]);
  return {
    nodeName: flag('node-name'),
    providerId: flag('provider-id'),
    nodeLabels: Object.fromEntries(labels),
    cpu: Number(flag('host-cpu')),
    memoryMb: Number(flag('host-memory-mb')),
    maxPods: Number(flag('max-pods')),
    minGoldensKept: Number(flag('min-goldens-kept')),
    collectsGarbage: true,
    inheritsUpstream: false,
  };
}
