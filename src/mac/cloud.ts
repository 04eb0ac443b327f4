// What the Mac provider needs of a cloud that rents out Macs, in its own words.

import { defineError } from '../base/errors.ts';
import type { Present, Sighting, Unknown } from '../base/sighting.ts';
import type { SecretText } from './secret-text.ts';

/** A server by its immutable id; never by name alone. */
export interface ServerRef {
  readonly zone: string;
  readonly id: string;
}

/** `ready` and `reinstalling` decide something; every other status only means "not now". */
export type ServerStatus =
  | 'ready'
  | 'starting'
  | 'reinstalling'
  | 'rebooting'
  | 'updating'
  | 'locking'
  | 'locked'
  | 'unlocking'
  | 'busy'
  | 'error'
  | 'unknown_status';

export interface MacServer extends ServerRef {
  /** The only mark that the cloud lets us put on a server, and the only one that everybody sees. */
  readonly name: string;
  readonly type: string;
  readonly status: ServerStatus;
  /** Whether it was ever handed over; stays true through later reinstalls. */
  readonly delivered: boolean;
  readonly ip: string;
  readonly sshUser: string;
  readonly projectId: string;
  /** What is installed on it, as far as the cloud knows. */
  readonly os: OsImage | undefined;
  /** Empty when the cloud does not tell it any more (mac-F35, mac-F36). */
  readonly sudoPassword: SecretText;
}

export interface OsImage {
  readonly id: string;
  readonly name: string;
  /** Not always a name (mac-F27). */
  readonly family: string;
  readonly version: string;
  /** Server types that can boot it; empty when the cloud does not say. */
  readonly serverTypes: readonly string[];
}

export interface SshKey {
  readonly id: string;
  readonly name: string;
  /** An authorized_keys line. */
  readonly publicKey: string;
}

/** Everything there is, or nothing known: never a part (safe-3). */
export type Listing<T> = Present<readonly T[]> | Unknown;

/** Reads never throw; a write that was not surely carried out throws one of the errors below. */
export interface MacCloud {
  /** A 404 is one answer, not yet a proof (safe-2): see `witness.ts`. */
  server(ref: ServerRef): Promise<Sighting<MacServer>>;
  /** All servers of this project in a zone. */
  servers(zone: string): Promise<Listing<MacServer>>;
  rename(ref: ServerRef, name: string): Promise<void>;
  /** Wipes the disk. Without an image the server gets its type's usual one. */
  reinstall(ref: ServerRef, imageId?: string): Promise<void>;
  reboot(ref: ServerRef): Promise<void>;
  images(zone: string): Promise<Listing<OsImage>>;
  /** The project's keys: those that a server gets at its next installation. */
  sshKeys(): Promise<Listing<SshKey>>;
  addSshKey(name: string, publicKey: string): Promise<void>;
  removeSshKey(id: string): Promise<void>;
}

/** A write was answered by 404. Says nothing about whether the server exists (safe-2, safe-10). */
export const serverNotThere = defineError('PIPPIN_E_SERVER_NOT_THERE', {
  retry: 'backoff',
  remedy: 'Check that the API key belongs to the project that owns the server; it is looked at again by itself',
  says: (what: string) => `${what}: the cloud knows no such server`,
});

/** The server is in a state in which the cloud does not carry this out. */
export const serverBusy = defineError('PIPPIN_E_SERVER_BUSY', {
  retry: 'backoff',
  remedy: 'Nothing to do: it is tried again once the server has settled',
  says: (what: string, state: string) => `${what}: the server is busy (${state})`,
});

/** 401, 403 and other refusals: the key or the request is wrong. */
export const cloudRefused = defineError('PIPPIN_E_CLOUD_REFUSED', {
  retry: 'backoff',
  remedy: 'Check the API key, its project and its permission sets (AppleSiliconFullAccess, SSHKeysFullAccess)',
  says: (what: string, why: string) => `${what}: the cloud refuses: ${why}`,
});

/** 429, 5xx, no answer or one that cannot be read: whether a write was carried out is not known. */
export const cloudUnavailable = defineError('PIPPIN_E_CLOUD_UNAVAILABLE', {
  retry: 'backoff',
  remedy: 'Nothing to do: it is tried again by itself',
  says: (what: string, why: string) => `${what}: the cloud gives no clear answer: ${why}`,
});
