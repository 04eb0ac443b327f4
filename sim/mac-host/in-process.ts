// The simulated Macs behind the Mac provider's shell, without SSH: for runs in which nothing leaves the process.

import { type HostLogin, type HostShell, type HostStep, hostLost, type Opened } from '../../src/mac/host-shell.ts';
import { SecretText } from '../../src/mac/secret-text.ts';
import type { MacHostsModel } from './model.ts';

export interface ShellOptions {
  /** Whether this private key is the other half of one of these authorized_keys lines. Any key fits any line unless told. */
  readonly fits?: (privateKey: string, authorizedKeys: readonly string[]) => boolean;
}

export function inProcessShell(model: MacHostsModel, options: ShellOptions = {}): HostShell {
  return { open: async login => open(login, model, options) };
}

function open(login: HostLogin, model: MacHostsModel, options: ShellOptions): Opened {
  const server = model.reach(login.address);
  if (server === undefined) return { kind: 'unreachable', why: `connect ECONNREFUSED ${login.address}:22` };
  const fingerprint = model.fingerprintOf(server.id);
  if (login.pinned !== undefined && login.pinned !== fingerprint) {
    return { kind: 'keyChanged', why: `host key ${fingerprint} is not the pinned ${login.pinned}`, fingerprint };
  }
  const keys = model.cloud.keysOf(server);
  const { fits = (_key, lines) => lines.length > 0 } = options;
  if (!fits(login.key.reveal(), keys)) {
    return { kind: 'refused', why: 'All configured authentication methods failed', fingerprint };
  }
  const { installation } = model.mac(server.id);
  const run = async (step: HostStep) => {
    const isSame = model.reach(login.address) !== undefined && model.mac(server.id).installation === installation;
    if (!isSame) throw hostLost(step.name, 'the connection closed');
    return model.run({ serverId: server.id, name: step.name, script: step.script, input: inputOf(step) });
  };
  return { kind: 'open', fingerprint, session: { run, close: () => undefined } };
}

function inputOf({ stdin }: HostStep): Uint8Array {
  if (stdin === undefined) return new Uint8Array();
  return stdin instanceof SecretText ? Buffer.from(stdin.reveal(), 'utf8') : stdin;
}
