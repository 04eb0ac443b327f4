// Simulated Macs as data, for runs in which nothing leaves the process: what is on each, and what the set-up's steps do to it.

import type { HardwareEvent, ScalewayModel } from '../scaleway/model.ts';
import type { SimServer } from '../scaleway/state.ts';

/** How the agent of a Mac was started. */
export interface AgentStart {
  readonly serverId: string;
  readonly kubeconfig: string;
  /** As given in the job, `--name=value`; the mark for the root is left out. */
  readonly flags: readonly string[];
}

/** What runs on Macs besides the model: the agents and their VMs. */
export interface Inhabitants {
  /** Starts an agent; the returned function ends it. */
  startAgent(start: AgentStart): () => void;
  /** Ends and removes every VM; answers how many there were. */
  removeVms(serverId: string): number;
  /** Ends every VM's process; what is on the disk stays. */
  stopVms(serverId: string): void;
}

const nobody: Inhabitants = { startAgent: () => () => undefined, removeVms: () => 0, stopVms: () => undefined };

/** One Mac. */
export interface MacState {
  powered: boolean;
  /** How often it was installed: the host key follows from it. */
  installation: number;
  sudo: boolean;
  tart: string;
  agent: string;
  kubeconfig: string;
  /** Flags of the job in /Library/LaunchDaemons; undefined while there is none. */
  job: readonly string[] | undefined;
  stopAgent: (() => void) | undefined;
}

export interface StepCall {
  readonly serverId: string;
  readonly name: string;
  readonly script: string;
  readonly input: Uint8Array;
}

export interface StepAnswer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const answer = (exitCode: number, stdout = '', stderr = ''): StepAnswer => ({ exitCode, stdout, stderr });

const CALLS_KEPT = 10_000;

export class MacHostsModel {
  readonly cloud: ScalewayModel;
  /** The latest steps, newest last: server and step. */
  readonly calls: { readonly serverId: string; readonly step: string }[] = [];
  /** Steps that end with this exit code until they are taken out again. */
  readonly failing = new Map<string, number>();
  readonly #inhabitants: Inhabitants;
  readonly #macs = new Map<string, MacState>();

  constructor(cloud: ScalewayModel, inhabitants: Inhabitants = nobody) {
    this.cloud = cloud;
    this.#inhabitants = inhabitants;
    cloud.onHardware(event => this.#follow(event));
  }

  mac(serverId: string): MacState {
    const known = this.#macs.get(serverId);
    if (known !== undefined) return known;
    const fresh = blank(1);
    this.#macs.set(serverId, fresh);
    return fresh;
  }

  /** The Mac with this address, if it is up. */
  reach(address: string): SimServer | undefined {
    const server = this.cloud.state.servers.find(each => each.ip === address);
    return server !== undefined && server.status === 'ready' && this.mac(server.id).powered ? server : undefined;
  }

  fingerprintOf(serverId: string): string {
    return `SHA256:${serverId}-${this.mac(serverId).installation}`;
  }

  cutPower(serverId: string): void {
    const mac = this.mac(serverId);
    mac.powered = false;
    this.#stop(serverId);
  }

  restorePower(serverId: string): void {
    this.mac(serverId).powered = true;
    this.#startAgent(serverId);
  }

  /** What a step of the set-up does to a Mac. */
  run(call: StepCall): StepAnswer {
    const { serverId, name } = call;
    this.calls.push({ serverId, step: name });
    if (this.calls.length > CALLS_KEPT) this.calls.shift();
    const failing = this.failing.get(name);
    if (failing !== undefined) return answer(failing, '', `step ${name} is to fail`);
    const mac = this.mac(serverId);
    if (!mac.sudo && name !== 'sudo' && name !== 'installed-bundles')
      return answer(1, '', 'sudo: a password is required');
    return STEPS[name]?.call(this, mac, call) ?? answer(127, '', `${name}: no such step`);
  }

  /** Called by the steps below. */
  becomeRoot(mac: MacState, { serverId, input }: StepCall): StepAnswer {
    const isRight = textOf(input) === `${this.cloud.byId(serverId).sudoPassword}\n`;
    mac.sudo ||= isRight;
    return mac.sudo ? answer(0) : answer(1, '', 'sudo: 1 incorrect password attempt');
  }

  startClean(mac: MacState, { serverId }: StepCall): StepAnswer {
    this.#stopAgent(mac);
    mac.job = undefined;
    return answer(0, `${this.#inhabitants.removeVms(serverId)}\n`);
  }

  startJob(mac: MacState, { serverId, input }: StepCall): StepAnswer {
    const words = [...textOf(input).matchAll(/<string>(--[^<]*)<\/string>/g)].map(([, flag = '']) => flag);
    mac.job = words.map(flag => flag.replace('@ROOT@', ''));
    this.#stopAgent(mac);
    this.#startAgent(serverId);
    return answer(0);
  }

  #startAgent(serverId: string): void {
    const mac = this.mac(serverId);
    if (mac.job === undefined || mac.stopAgent !== undefined) return;
    const { job, kubeconfig } = mac;
    mac.stopAgent = this.#inhabitants.startAgent({ serverId, kubeconfig, flags: job });
  }

  #stopAgent(mac: MacState): void {
    mac.stopAgent?.();
    mac.stopAgent = undefined;
  }

  #stop(serverId: string): void {
    this.#stopAgent(this.mac(serverId));
    this.#inhabitants.stopVms(serverId);
  }

  #follow({ what, server }: HardwareEvent): void {
    const mac = this.mac(server.id);
    if (what === 'rebooting') this.#stop(server.id);
    if (what === 'rebooted') this.#startAgent(server.id);
    if (what === 'wiped') {
      this.#stop(server.id);
      this.#inhabitants.removeVms(server.id);
      this.#macs.set(server.id, blank(mac.installation + 1));
    }
  }
}

function blank(installation: number): MacState {
  return {
    powered: true,
    installation,
    sudo: false,
    tart: '',
    agent: '',
    kubeconfig: '',
    job: undefined,
    stopAgent: undefined,
  };
}

const textOf = (input: Uint8Array): string => Buffer.from(input).toString('utf8');

/** The value of `digest` in a script. */
const digestIn = (script: string): string => /digest=[^0-9a-z]*([0-9a-z-]+)/.exec(script)?.[1] ?? '';

type SimStep = (this: MacHostsModel, mac: MacState, call: StepCall) => StepAnswer;

const STEPS: Readonly<Record<string, SimStep>> = {
  sudo(mac, call) {
    return this.becomeRoot(mac, call);
  },
  'clean-start'(mac, call) {
    return this.startClean(mac, call);
  },
  'installed-bundles': mac => answer(0, `${mac.tart}\n${mac.agent}\n`),
  'auto-login': () => answer(0),
  'stay-awake': () => answer(0),
  hostname: () => answer(0),
  tart(mac, { script }) {
    mac.tart = digestIn(script);
    return answer(0);
  },
  kubeconfig(mac, { input }) {
    mac.kubeconfig = textOf(input);
    return answer(0);
  },
  agent(mac, { script }) {
    mac.agent = digestIn(script);
    return answer(0);
  },
  'agent-job'(mac, call) {
    return this.startJob(mac, call);
  },
};
