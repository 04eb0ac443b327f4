// The Mac provider's shell over SSH: dials once, checks the host key, and runs one step at a time.

import { createHash } from 'node:crypto';
import { Client } from 'ssh2';
import { type Clock, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { HostLogin, HostSession, HostShell, Opened } from '../../mac/host-shell.ts';
import { runStep } from './step.ts';

export interface SshOptions {
  readonly clock: Clock;
  /** Where a host's address is reached: itself on port 22, unless a simulation listens elsewhere. */
  readonly route?: (address: string) => Route | undefined;
  /** 15 s unless told otherwise (mac-5). */
  readonly dialTimeoutMs?: number;
}

export interface Route {
  readonly host: string;
  readonly port: number;
}

export function sshShell(options: SshOptions): HostShell {
  return { open: login => open(login, options) };
}

/** As ssh-keygen prints it. */
function fingerprintOf(hostKey: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(hostKey).digest('base64').replace(/=+$/, '')}`;
}

function open(login: HostLogin, options: SshOptions): Promise<Opened> {
  const { address, user, key, pinned } = login;
  const route = options.route?.(address) ?? { host: address, port: 22 };
  const client = new Client();
  let fingerprint = '';
  return new Promise(resolve => {
    const end = (result: Opened): void => {
      if (result.kind !== 'open') client.end();
      resolve(result);
    };
    client.on('ready', () => {
      // Without it every step waits for a delayed acknowledgement: 200 steps took 17 s instead of 63 ms.
      client.setNoDelay(true);
      end({ kind: 'open', session: sessionOn(client, options.clock), fingerprint });
    });
    client.on('error', error => end(failed(error, { fingerprint, pinned })));
    client.on('close', () => end(failed(new Error('the connection closed'), { fingerprint, pinned })));
    try {
      client.connect({
        ...route,
        username: user,
        privateKey: key.reveal(),
        readyTimeout: options.dialTimeoutMs ?? seconds(15),
        keepaliveInterval: seconds(10),
        // ssh2 accepts every key by default: this check is what makes the connection that host's.
        hostVerifier: (hostKey: Buffer) => {
          fingerprint = fingerprintOf(hostKey);
          return pinned === undefined || pinned === fingerprint;
        },
      });
    } catch (error) {
      end({ kind: 'unreachable', why: messageOf(error) });
    }
  });
}

function failed(error: Error, known: { readonly fingerprint: string; readonly pinned: string | undefined }): Opened {
  const { fingerprint, pinned } = known;
  const why = messageOf(error);
  if (fingerprint === '') return { kind: 'unreachable', why };
  if (pinned !== undefined && pinned !== fingerprint) {
    return { kind: 'keyChanged', why: `host key ${fingerprint} is not the pinned ${pinned}`, fingerprint };
  }
  return { kind: 'refused', why, fingerprint };
}

function sessionOn(client: Client, clock: Clock): HostSession {
  return {
    run: step => runStep(client, step, clock),
    close: () => client.end(),
  };
}
