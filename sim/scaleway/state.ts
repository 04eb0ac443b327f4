// What the simulated Scaleway knows: servers, images and keys, as data that can be saved and read back.

export type SimStatus = 'ready' | 'starting' | 'reinstalling' | 'rebooting' | 'locked' | 'error' | 'busy';

export interface SimServer {
  readonly id: string;
  readonly zone: string;
  readonly type: string;
  readonly ip: string;
  readonly createdAtMs: number;
  name: string;
  status: SimStatus;
  /** When the present status ends by itself, in milliseconds from now on; 0 for one that stays. Current when saved. */
  settlesInMs: number;
  delivered: boolean;
  imageId: string;
  sudoPassword: string;
  /** Where reads show the password: after creation Scaleway leaves `sudo_password` empty (mac-F35, mac-F36). */
  passwordIn: 'sudo_password' | 'vnc_url' | 'sealed' | 'nowhere';
  /** How often the disk was erased. */
  wipes: number;
  /** Public keys that the last installation put in (mac-F40). */
  authorizedKeys: string[];
}

export interface SimImage {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly family: string;
  readonly version: string;
  readonly serverTypes: readonly string[];
}

export interface SimKey {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
}

export interface ScalewayState {
  readonly projectId: string;
  readonly organizationId: string;
  readonly servers: SimServer[];
  readonly images: SimImage[];
  readonly keys: SimKey[];
}

/** The images that the simulation offers unless told otherwise: two families, two releases of the newer one. */
export const USUAL_IMAGES: readonly SimImage[] = [
  {
    id: '59bf09f1-5584-469d-b0f5-d5cfe2b0a4b0',
    name: 'macos-sequoia-15.6',
    label: 'macOS Sequoia 15.6',
    family: 'Sequoia',
    version: '15.6',
    serverTypes: ['M1-M', 'M2-M', 'M2-L'],
  },
  {
    id: 'cafecafe-5018-4dcd-bd08-35f031b0ac3e',
    name: 'macos-tahoe-26.0',
    label: 'macOS Tahoe 26.0',
    family: 'Tahoe',
    version: '26.0',
    serverTypes: ['M1-M', 'M2-M', 'M2-L', 'M4-S'],
  },
  {
    id: '7a1d0a11-2a5e-4a0c-9d5e-0a6b1ad4f0c1',
    name: 'macos-tahoe-26.1',
    label: 'macOS Tahoe 26.1',
    family: 'Tahoe',
    version: '26.1',
    serverTypes: ['M1-M', 'M2-M', 'M2-L', 'M4-S'],
  },
];
