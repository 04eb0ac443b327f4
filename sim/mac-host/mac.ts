// One simulated Mac: a folder as its disk, an SSH server, a stand-in launchd, and power.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import type { MacInside } from './commands.ts';
import { execute } from './exec.ts';
import { Launchd } from './launchd.ts';
import { HOST_MARK, kill, processesOf } from './processes.ts';
import { Settings } from './settings.ts';
import { newKeyPair } from './ssh-keys.ts';
import { type SshServer, serveSsh } from './ssh-server.ts';

export interface MacOptions {
  readonly clock: Clock;
  /** Everything of this Mac is below it. */
  readonly folder: string;
  /** See toolbox.ts. */
  readonly toolbox: string;
  readonly user: string;
  /** The password and keys of the present installation, as the cloud has them. */
  readonly password: () => string;
  readonly authorizedKeys: () => readonly string[];
  /** 0 for any free one; the same one is kept as long as this Mac is in memory. */
  readonly sshPort: number;
  /** Added to the environment of what launchd starts. */
  readonly environment: Readonly<Record<string, string>>;
}

export class Mac {
  readonly root: string;
  #settings: Settings;
  readonly #options: MacOptions;
  #launchd: Launchd;
  #ssh: SshServer | undefined;
  #port: number;

  constructor(options: MacOptions) {
    this.#options = options;
    this.root = join(options.folder, 'disk');
    this.#port = options.sshPort;
    this.#makeDisk();
    this.#settings = this.#newSettings();
    this.#launchd = this.#newLaunchd();
  }

  get settings(): Settings {
    return this.#settings;
  }

  /** As a new user account has them. */
  forgetSettings(): void {
    rmSync(join(this.#options.folder, 'settings.json'), { force: true });
    this.#settings = this.#newSettings();
  }

  get sshPort(): number {
    return this.#port;
  }

  /** Goes on after a start of this program: what still runs is found again. */
  async open(): Promise<void> {
    this.#ssh ??= await serveSsh({
      hostKey: this.#hostKey(),
      user: this.#options.user,
      authorizedKeys: this.#options.authorizedKeys,
      execute: command => execute(this.#inside(), command, this.#environment()),
      port: this.#port,
    });
    this.#port = this.#ssh.port;
    // Whatever ran when this program ended is found again; what was ended with it is started as at a boot.
    this.#launchd.boot(join(this.root, 'Library/LaunchDaemons'));
  }

  /** A boot: launchd starts what is in /Library/LaunchDaemons, and the console logs in if it may. */
  async boot(): Promise<void> {
    this.#launchd = this.#newLaunchd();
    this.#launchd.boot(join(this.root, 'Library/LaunchDaemons'));
    await this.open();
  }

  /** No process is left, and nobody answers. */
  async cutPower(): Promise<void> {
    await this.#ssh?.close();
    this.#ssh = undefined;
    await this.#launchd.powerOff();
    for (const process of processesOf(this.root)) await kill(process, this.#options.clock);
  }

  /** A new installation: no process, no file and no host key of before. */
  async wipe(): Promise<void> {
    await this.cutPower();
    rmSync(this.#options.folder, { recursive: true, force: true });
    this.#makeDisk();
    this.#settings = this.#newSettings();
    this.#launchd = this.#newLaunchd();
  }

  /** Ends this Mac in order, the agent first; its disk stays. */
  async shutDown(): Promise<void> {
    await this.#launchd.shutDown();
    await this.cutPower();
  }

  /** Leaves everything running, as a kill of this program would. */
  async abandon(): Promise<void> {
    this.#launchd.abandon();
    await this.#ssh?.close();
  }

  #inside(): MacInside {
    const { clock, user, password } = this.#options;
    return { root: this.root, user, password, clock, launchd: this.#launchd, settings: this.#settings };
  }

  #environment(): Record<string, string> {
    const { user, toolbox } = this.#options;
    return {
      HOME: join(this.root, 'Users', user),
      USER: user,
      PATH: toolbox,
      PIPPIN_HOST_PATH: toolbox,
      PIPPIN_HOST_ROOT: this.root,
      [HOST_MARK]: this.root,
    };
  }

  #newLaunchd(): Launchd {
    const environment = { ...this.#environment(), ...this.#options.environment };
    return new Launchd({
      clock: this.#options.clock,
      stateFile: join(this.#options.folder, 'launchd.json'),
      environment,
    });
  }

  #newSettings(): Settings {
    return new Settings(join(this.#options.folder, 'settings.json'));
  }

  #makeDisk(): void {
    for (const path of ['etc/sudoers.d', 'Library/LaunchDaemons', 'Library/Preferences', 'usr/local', 'var/log']) {
      mkdirSync(join(this.root, path), { recursive: true });
    }
    mkdirSync(join(this.root, 'Users', this.#options.user), { recursive: true });
  }

  /** Kept across restarts of this program, lost with the disk. */
  #hostKey(): string {
    const file = join(this.#options.folder, 'host-key');
    if (!existsSync(file)) {
      const pair = newKeyPair();
      writeFileSync(file, pair.private, { mode: 0o600 });
    }
    return readFileSync(file, 'utf8');
  }
}
