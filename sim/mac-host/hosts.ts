// The Macs behind the simulated Scaleway: one for each server, wiped, rebooted and discarded as the cloud says.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { HardwareEvent, ScalewayModel } from '../scaleway/model.ts';
import type { SimServer } from '../scaleway/state.ts';
import { Mac } from './mac.ts';
import { type CommandTable, makeToolbox } from './toolbox.ts';

export interface HostsOptions {
  readonly clock: Clock;
  readonly model: ScalewayModel;
  readonly folder: string;
  readonly commands: CommandTable;
  /** Added to the environment of the jobs of this server's Mac (ports of its agent, for instance). */
  readonly environmentOf?: (server: SimServer) => Readonly<Record<string, string>>;
  /** SSH ports of an earlier start by server id; any free port for the others. */
  readonly ports?: Readonly<Record<string, number>>;
}

export class MacHosts {
  readonly #options: HostsOptions;
  readonly #macs = new Map<string, Mac>();
  /** What is being done to each Mac: one thing after the other. */
  readonly #work = new Map<string, Promise<void>>();
  readonly #stopListening: () => void;

  constructor(options: HostsOptions) {
    this.#options = options;
    mkdirSync(options.folder, { recursive: true, mode: 0o700 });
    makeToolbox(this.#toolbox(), options.commands);
    this.#stopListening = options.model.onHardware(event => this.#follow(event));
  }

  /** Switches on the Macs of all servers that are up; what an earlier start left running is found again. */
  async open(): Promise<void> {
    const up = this.#options.model.state.servers.filter(server => server.status === 'ready');
    for (const server of up) this.#then(server.id, () => this.mac(server.id).open());
    await this.settled();
  }

  /** The Mac of a server. */
  mac(serverId: string): Mac {
    const known = this.#macs.get(serverId);
    if (known !== undefined) return known;
    const { clock, model, folder, environmentOf, ports } = this.#options;
    const server = model.byId(serverId);
    const mac = new Mac({
      clock,
      folder: join(folder, serverId),
      toolbox: this.#toolbox(),
      user: 'm1',
      password: () => server.sudoPassword,
      authorizedKeys: () => model.keysOf(server),
      sshPort: ports?.[serverId] ?? 0,
      environment: environmentOf?.(server) ?? {},
    });
    this.#macs.set(serverId, mac);
    return mac;
  }

  /** Where the SSH server of the Mac with this address listens; for the adapter's `route`. */
  readonly route = (address: string): { readonly host: string; readonly port: number } | undefined => {
    const server = this.#options.model.state.servers.find(each => each.ip === address);
    const port = server === undefined ? 0 : this.mac(server.id).sshPort;
    // Port 1 of loopback: nobody listens, so a Mac that is off refuses the connection as a dark one would.
    return { host: '127.0.0.1', port: port === 0 ? 1 : port };
  };

  /** SSH ports by server id, to be recorded. */
  ports(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#macs].map(([id, mac]) => [id, mac.sshPort]));
  }

  async cutPower(serverId: string): Promise<void> {
    this.#then(serverId, () => this.mac(serverId).cutPower());
    await this.settled();
  }

  async restorePower(serverId: string): Promise<void> {
    this.#then(serverId, () => this.mac(serverId).boot());
    await this.settled();
  }

  /** Resolves when no Mac is being wiped, booted or shut down. */
  async settled(): Promise<void> {
    await Promise.all(this.#work.values());
  }

  /** Ends all that runs on the Macs. */
  async close(): Promise<void> {
    this.#stopListening();
    await this.settled();
    await Promise.all([...this.#macs.values()].map(mac => mac.shutDown()));
  }

  /** Lets go of the Macs as a kill of this program would: what runs on them runs on. */
  async abandon(): Promise<void> {
    this.#stopListening();
    await this.settled();
    await Promise.all([...this.#macs.values()].map(mac => mac.abandon()));
  }

  #toolbox(): string {
    return join(this.#options.folder, 'bin');
  }

  #follow({ what, server }: HardwareEvent): void {
    const mac = this.#macs.get(server.id) ?? this.mac(server.id);
    const steps = {
      wiped: () => mac.wipe(),
      installed: () => mac.boot(),
      rebooting: () => mac.cutPower(),
      rebooted: () => mac.boot(),
    };
    this.#then(server.id, steps[what]);
  }

  #then(serverId: string, step: () => Promise<void>): void {
    const before = this.#work.get(serverId) ?? Promise.resolve();
    this.#work.set(serverId, before.then(step));
  }
}
