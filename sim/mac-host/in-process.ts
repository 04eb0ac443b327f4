// Simulated Macs behind the Mac provider's shell port, without SSH: for runs in which nothing leaves the process.

import type { HostLogin, HostSession, HostShell, HostStep, Opened, StepResult } from '../../src/mac/host-shell.ts';
import type { HardwareEvent, ScalewayModel } from '../scaleway/model.ts';
import type { SimServer } from '../scaleway/state.ts';

/** What a host's launchd would run: with this identity and these flags. */
export interface AgentJob {
  readonly kubeconfig: string;
  readonly flags: readonly string[];
}

/** What lives on the hosts, and is somebody else's model: agents and VMs. */
export interface Inhabitants {
  startAgent(host: SimServer, job: AgentJob): void;
  endAgent(host: SimServer): void;
  /** Ends and deletes every VM; answers how many there were. */
  clearVms(host: SimServer): number;
  /** Power is lost: VMs stop, their disks stay. */
  haltVms(host: SimServer): void;
}

interface Disk {
  kubeconfig: string;
  tart: string;
  agent: string;
  job: AgentJob | undefined;
}

/** All Macs of the modelled cloud: what is on their disks, and whether they answer. */
export class ModelledMacs implements HostShell {
  readonly #cloud: ScalewayModel;
  readonly #inhabitants: Inhabitants;
  readonly #disks = new Map<string, Disk>();
  readonly #dark = new Set<string>();

  constructor(cloud: ScalewayModel, inhabitants: Inhabitants) {
    this.#cloud = cloud;
    this.#inhabitants = inhabitants;
    cloud.onHardware(event => this.#follow(event));
  }

  /** The power fails: nothing runs and nobody answers until it comes back. The cloud still shows the server. */
  cutPower(host: SimServer): void {
    this.#dark.add(host.id);
    this.#inhabitants.endAgent(host);
    this.#inhabitants.haltVms(host);
  }

  restorePower(host: SimServer): void {
    this.#dark.delete(host.id);
    this.#boot(host);
  }

  async open({ address, user }: HostLogin): Promise<Opened> {
    const host = this.#cloud.state.servers.find(server => server.ip === address);
    if (host === undefined || this.#dark.has(host.id) || host.status !== 'ready') {
      return { kind: 'unreachable', why: `no answer from ${address}` };
    }
    // A new installation has a new host key.
    const fingerprint = `SHA256:${host.id}/${host.wipes}`;
    if (this.#cloud.keysOf(host).length === 0) return { kind: 'refused', why: `${user}: no such key`, fingerprint };
    return { kind: 'open', session: this.#session(host), fingerprint };
  }

  #session(host: SimServer): HostSession {
    return { run: async step => this.#run(host, step), close: () => undefined };
  }

  #run(host: SimServer, step: HostStep): StepResult {
    const disk = this.#diskOf(host);
    const text = textOf(step.stdin);
    switch (step.name) {
      case 'installed-bundles':
        return said(`${disk.tart}\n${disk.agent}\n`);
      case 'tart':
        disk.tart = digestIn(step.script);
        return said('');
      case 'agent':
        disk.agent = digestIn(step.script);
        return said('');
      case 'clean-start':
        disk.job = undefined;
        this.#inhabitants.endAgent(host);
        return said(`${this.#inhabitants.clearVms(host)}\n`);
      case 'kubeconfig':
        disk.kubeconfig = text;
        return said('');
      case 'agent-job':
        return this.#startAgent(host, disk, text);
      default:
        return said('');
    }
  }

  #startAgent(host: SimServer, disk: Disk, plist: string): StepResult {
    const flags = [...plist.matchAll(/<string>(--[^<]*)<\/string>/g)].map(([, flag]) => flag ?? '');
    disk.job = { kubeconfig: disk.kubeconfig, flags };
    this.#inhabitants.endAgent(host);
    this.#inhabitants.startAgent(host, disk.job);
    return said('');
  }

  #follow({ what, server }: HardwareEvent): void {
    if (what === 'wiped') {
      this.#disks.delete(server.id);
      this.#dark.delete(server.id);
      this.#inhabitants.endAgent(server);
      this.#inhabitants.clearVms(server);
    }
    if (what === 'rebooting') {
      this.#inhabitants.endAgent(server);
      this.#inhabitants.haltVms(server);
    }
    if (what === 'rebooted') this.#boot(server);
  }

  #boot(host: SimServer): void {
    const { job } = this.#diskOf(host);
    if (job !== undefined && !this.#dark.has(host.id)) this.#inhabitants.startAgent(host, job);
  }

  #diskOf(host: SimServer): Disk {
    const disk = this.#disks.get(host.id) ?? { kubeconfig: '', tart: '', agent: '', job: undefined };
    this.#disks.set(host.id, disk);
    return disk;
  }
}

const said = (stdout: string): StepResult => ({ exitCode: 0, stdout, stderr: '' });

const digestIn = (script: string): string => /\ndigest='?'?\\?'?'?([0-9a-zA-Z:]+)/.exec(script)?.[1] ?? 'unknown';

function textOf(stdin: HostStep['stdin']): string {
  if (stdin === undefined) return '';
  return stdin instanceof Uint8Array ? new TextDecoder().decode(stdin) : stdin.reveal();
}
