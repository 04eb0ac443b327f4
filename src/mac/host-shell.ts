// What the Mac provider needs to set a Mac up: a shell on it that runs one named script at a time.

import { defineError } from '../base/errors.ts';
import type { SecretText } from './secret-text.ts';

/** How to get in. The host key is compared with `pinned`; without one it is trusted on first use (mac-5). */
export interface HostLogin {
  /** IPv4 address, as the cloud tells it. */
  readonly address: string;
  readonly user: string;
  /** The fleet's private key. */
  readonly key: SecretText;
  /** `SHA256:` and the unpadded base64 of the digest, as ssh-keygen prints it. */
  readonly pinned?: string;
}

/** One step of a set-up. The script is public; whatever is secret or large goes in by `stdin` (mac-F47, safe-20). */
export interface HostStep {
  readonly name: string;
  /** Text for `/bin/sh`. */
  readonly script: string;
  readonly stdin?: SecretText | Uint8Array;
  readonly timeoutMs: number;
}

export interface StepResult {
  /** 255 when the host killed it. */
  readonly exitCode: number;
  /** The last 16 KiB of each stream. */
  readonly stdout: string;
  readonly stderr: string;
}

/** A connection to a host whose key was checked. One step at a time. */
export interface HostSession {
  /** Throws `hostLost` when the connection breaks or the time is over: whether the step was carried out is not known. */
  run(step: HostStep): Promise<StepResult>;
  close(): void;
}

/** How an attempt to get in ended. The fingerprint is there as soon as the host showed a key (mac-F44). */
export type Opened =
  | { readonly kind: 'open'; readonly session: HostSession; readonly fingerprint: string }
  | { readonly kind: 'refused'; readonly why: string; readonly fingerprint: string }
  | { readonly kind: 'keyChanged'; readonly why: string; readonly fingerprint: string }
  | { readonly kind: 'unreachable'; readonly why: string };

export interface HostShell {
  /** Dials once. */
  open(login: HostLogin): Promise<Opened>;
}

/** Bytes kept of each output stream of a step. */
export const OUTPUT_KEPT_BYTES = 16 * 1024;

export const hostLost = defineError('PIPPIN_E_HOST_LOST', {
  retry: 'backoff',
  remedy: 'Nothing to do: the step repeats safely and is tried again',
  says: (step: string, why: string) => `Step ${step}: lost the host: ${why}`,
});
