// How Scaleway's Apple silicon servers behave, as far as anybody can tell from outside; no HTTP in it.

import type { Clock } from '../../src/base/clock.ts';
import type { Random } from '../../src/base/random.ts';
import { type Call, type CallName, Faults, failureOf, NoAnswer, Refusal } from './faults.ts';
import {
  type ScalewayState,
  type SimImage,
  type SimKey,
  type SimServer,
  type SimStatus,
  USUAL_IMAGES,
} from './state.ts';

export interface ScalewayOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Goes on from here; without it the project is empty. */
  readonly state?: ScalewayState;
  /** Milliseconds. Scaleway takes 5 to 15 minutes for a reinstallation; that is the default. */
  readonly durations?: Partial<Record<'starting' | 'reinstalling' | 'rebooting', number>>;
  /** When a project key gets into a server: at its installation, as Scaleway does it, or whenever somebody logs in. */
  readonly keysEnter?: 'at installation' | 'at login';
}

/** What happens to a server's hardware; the simulated Macs follow it. */
export interface HardwareEvent {
  readonly what: 'wiped' | 'installed' | 'rebooting' | 'rebooted';
  readonly server: SimServer;
}

const USUAL_DURATIONS_MS = { starting: 120_000, reinstalling: 600_000, rebooting: 60_000 };
const CALLS_KEPT = 10_000;

export class ScalewayModel {
  readonly faults = new Faults();
  /** The latest calls, newest last. */
  readonly calls: Call[] = [];
  readonly state: ScalewayState;
  /** The key was moved to a project without servers: lists are empty, every id answers 404 (safe-2). */
  keyInOtherProject = false;

  readonly #options: ScalewayOptions;
  readonly #listeners = new Set<(event: HardwareEvent) => void>();
  readonly #timers = new Map<string, { readonly dueMs: number; readonly cancel: () => void }>();

  constructor(options: ScalewayOptions) {
    this.#options = options;
    const { random } = options;
    this.state = options.state ?? {
      projectId: random.uuid(),
      organizationId: random.uuid(),
      servers: [],
      images: [...USUAL_IMAGES],
      keys: [],
    };
    for (const server of this.state.servers) if (server.settlesInMs > 0) this.#settleIn(server, server.settlesInMs);
  }

  // What a person does in the console.

  /** Orders a server. `ready` unless told otherwise. */
  order(what: { name: string; zone?: string; type?: string; imageId?: string; status?: SimStatus }): SimServer {
    const { random, clock } = this.#options;
    const number = this.state.servers.length + 1;
    const server: SimServer = {
      id: random.uuid(),
      zone: what.zone ?? 'fr-par-1',
      type: what.type ?? 'M2-L',
      // TEST-NET-2 and -3 (RFC 5737): nobody is there, so nothing can be reached by mistake.
      ip: number < 255 ? `198.51.100.${number}` : `203.0.${Math.floor(number / 255)}.${number % 255}`,
      createdAtMs: clock.now(),
      name: what.name,
      status: what.status ?? 'ready',
      settlesInMs: 0,
      delivered: what.status !== 'starting',
      imageId: what.imageId ?? this.state.images.at(-1)?.id ?? '',
      sudoPassword: this.#password(),
      passwordIn: 'vnc_url',
      wipes: 0,
      authorizedKeys: this.state.keys.map(key => key.publicKey),
    };
    this.state.servers.push(server);
    if (server.status === 'starting') this.#settleIn(server, this.#durationMs('starting'));
    else this.#tell({ what: 'installed', server });
    return server;
  }

  /** Ends the lease: the server is gone, by its id too. */
  discard(id: string): void {
    const server = this.byId(id);
    this.#stopTimer(id);
    this.#tell({ what: 'wiped', server });
    this.state.servers.splice(this.state.servers.indexOf(server), 1);
  }

  byId(id: string): SimServer {
    const server = this.state.servers.find(each => each.id === id);
    if (server === undefined) throw new Error(`the simulated Scaleway has no server ${id}`);
    return server;
  }

  byName(name: string): SimServer | undefined {
    return this.state.servers.find(each => each.name === name);
  }

  /** How often the server that bears or bore this id was erased. */
  wipesOf(id: string): number {
    return this.byId(id).wipes;
  }

  /** Public keys with which one gets into this server now. */
  keysOf(server: SimServer): readonly string[] {
    return this.#options.keysEnter === 'at login' ? this.state.keys.map(key => key.publicKey) : server.authorizedKeys;
  }

  onHardware(listener: (event: HardwareEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The state as it is now, to be saved. */
  snapshot(): ScalewayState {
    for (const server of this.state.servers) {
      const timer = this.#timers.get(server.id);
      server.settlesInMs = timer === undefined ? 0 : Math.max(1, timer.dueMs - this.#options.clock.monotonic());
    }
    return structuredClone(this.state);
  }

  /** Stops its timers. */
  close(): void {
    for (const id of [...this.#timers.keys()]) this.#stopTimer(id);
  }

  // The API.

  getServer(zone: string, id: string): SimServer {
    return this.#call({ name: 'getServer', subject: id }, () => this.#server(zone, id));
  }

  listServers(zone: string): readonly SimServer[] {
    return this.#call({ name: 'listServers', subject: zone }, () =>
      this.keyInOtherProject ? [] : this.state.servers.filter(server => server.zone === zone),
    );
  }

  updateServer(zone: string, id: string, change: { readonly name?: string }): SimServer {
    return this.#call({ name: 'updateServer', subject: id, argument: change.name ?? '' }, () => {
      const server = this.#server(zone, id);
      if (change.name !== undefined) server.name = change.name;
      return server;
    });
  }

  reinstallServer(zone: string, id: string, imageId: string | undefined): SimServer {
    return this.#call({ name: 'reinstallServer', subject: id, argument: imageId ?? '' }, () => {
      const server = this.#settled(zone, id);
      const image = imageId === undefined ? this.#usualImage() : this.#image(imageId);
      server.wipes += 1;
      server.authorizedKeys = [];
      server.imageId = image.id;
      this.#enter(server, 'reinstalling');
      this.#tell({ what: 'wiped', server });
      return server;
    });
  }

  rebootServer(zone: string, id: string): SimServer {
    return this.#call({ name: 'rebootServer', subject: id }, () => {
      const server = this.#settled(zone, id);
      this.#enter(server, 'rebooting');
      this.#tell({ what: 'rebooting', server });
      return server;
    });
  }

  listOS(zone: string): readonly SimImage[] {
    return this.#call({ name: 'listOS', subject: zone }, () => this.state.images);
  }

  listSSHKeys(): readonly SimKey[] {
    return this.#call({ name: 'listSSHKeys', subject: this.state.projectId }, () => this.state.keys);
  }

  createSSHKey(name: string, publicKey: string): SimKey {
    return this.#call({ name: 'createSSHKey', subject: name }, () => {
      const key = { id: this.#options.random.uuid(), name, publicKey };
      this.state.keys.push(key);
      return key;
    });
  }

  deleteSSHKey(id: string): void {
    this.#call({ name: 'deleteSSHKey', subject: id }, () => {
      const index = this.state.keys.findIndex(key => key.id === id);
      if (index < 0) throw new Refusal(404, 'not_found', { resource: 'ssh_key', resourceId: id });
      this.state.keys.splice(index, 1);
    });
  }

  // How it comes about.

  #call<T>(what: { name: CallName; subject: string; argument?: string }, run: () => T): T {
    const { name, subject, argument = '' } = what;
    this.calls.push({ name, subject, argument, atMs: this.#options.clock.now() });
    if (this.calls.length > CALLS_KEPT) this.calls.shift();
    const fault = this.faults.take(name);
    if (fault === 'answer lost') {
      run();
      throw new NoAnswer('reset');
    }
    if (fault !== undefined) throw failureOf(fault, subject);
    return run();
  }

  #server(zone: string, id: string): SimServer {
    const server = this.keyInOtherProject
      ? undefined
      : this.state.servers.find(each => each.id === id && each.zone === zone);
    if (server === undefined) throw new Refusal(404, 'not_found', { resource: 'server', resourceId: id });
    return server;
  }

  #settled(zone: string, id: string): SimServer {
    const server = this.#server(zone, id);
    if (server.status === 'ready' || server.status === 'error' || server.status === 'locked') return server;
    throw new Refusal(409, 'transient_state', { resource: 'server', resourceId: id, currentState: server.status });
  }

  #enter(server: SimServer, status: 'reinstalling' | 'rebooting'): void {
    server.status = status;
    this.#settleIn(server, this.#durationMs(status));
  }

  #settleIn(server: SimServer, ms: number): void {
    this.#stopTimer(server.id);
    const cancel = this.#options.clock.after(ms, () => this.#settle(server));
    this.#timers.set(server.id, { dueMs: this.#options.clock.monotonic() + ms, cancel });
  }

  #settle(server: SimServer): void {
    this.#timers.delete(server.id);
    const was = server.status;
    server.status = 'ready';
    server.delivered = true;
    if (was !== 'rebooting') this.#install(server);
    this.#tell({ what: was === 'rebooting' ? 'rebooted' : 'installed', server });
  }

  /** The first boot: the project's keys of this moment get in, with a new password. */
  #install(server: SimServer): void {
    server.authorizedKeys = this.state.keys.map(key => key.publicKey);
    server.sudoPassword = this.#password();
  }

  #stopTimer(id: string): void {
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
  }

  #tell(event: HardwareEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #durationMs(status: 'starting' | 'reinstalling' | 'rebooting'): number {
    return this.#options.durations?.[status] ?? USUAL_DURATIONS_MS[status];
  }

  #image(id: string): SimImage {
    const image = this.state.images.find(each => each.id === id);
    if (image === undefined) throw new Refusal(404, 'not_found', { resource: 'os', resourceId: id });
    return image;
  }

  #usualImage(): SimImage {
    const image = this.state.images.at(-1);
    if (image === undefined) throw new Refusal(404, 'not_found', { resource: 'os', resourceId: 'default' });
    return image;
  }

  /** With characters that a URL must escape: that is how it comes back in `vnc_url` (mac-F35). */
  #password(): string {
    return `p@ss/${this.#options.random.uuid().slice(0, 8)}%`;
  }
}
