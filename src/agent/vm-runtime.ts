// What the agent needs of whatever runs virtual machines on its host, in the domain's words. tart is behind it.

import type { Sighting } from '../base/sighting.ts';

/** A VM on the disk. Whether it runs is not told here: only the process says that (agent-14, agent-15). */
export interface VmListing {
  readonly name: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970; absent when the runtime does not say. */
  readonly accessedMs?: number;
}

/** A name in the image cache: a tag that points at content, or the content itself. */
export interface ImageListing {
  /** `repo:tag` or `repo@sha256:...`, as the runtime lists it. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly accessedMs?: number;
}

/** One snapshot of the disk. */
export interface Inventory {
  readonly vms: readonly VmListing[];
  readonly images: readonly ImageListing[];
}

export interface VmSize {
  /** Absent: as the image says. */
  readonly cpu?: number;
  readonly memoryMb?: number;
}

/** A host folder that the guest sees. */
export interface Share {
  readonly name: string;
  readonly path: string;
  readonly access: 'read-only' | 'read-write';
}

export interface RunOptions {
  readonly shares: readonly Share[];
}

/** The process that is a VM: running exactly as long as it lives. */
export interface VmProcess {
  readonly pid: number;
  /** Milliseconds since 1970 when it was started, where the system says. */
  readonly startedMs?: number;
}

/** How the VM's process ended, as recorded on the host: survives a restart of the agent. */
export interface ExitRecord {
  readonly exitCode: number;
  readonly finishedMs: number;
  /** tart exits with 0 in all three cases, so the code alone proves nothing (agent-32). */
  readonly ended: 'by-guest' | 'by-crash' | 'from-outside';
}

/** Runs virtual machines. Calls throw errors of `vm-errors.ts`; each has its own time limit. */
export interface VmRuntime {
  /** The runtime's version; throws when it is missing or one that we do not know. */
  version(): Promise<string>;
  inventory(): Promise<Inventory>;
  /** Whether this VM is on the disk. Unknown is never absence: a pull would follow and destroy a good base (agent-53). */
  onDisk(name: string): Promise<Sighting<VmListing>>;
  /** The content id (`repo@sha256:...`) that an image name stands for on this host. */
  contentId(image: string): Promise<Sighting<string>>;
  /** Brings an image into the cache; `onProgress` gets whole percents. */
  pull(image: string, onProgress: (percent: number) => void): Promise<void>;
  /** Copies a cached image or a VM. An existing VM of that name would be replaced: the caller holds the name's lock. */
  clone(source: string, name: string): Promise<void>;
  resize(name: string, size: VmSize): Promise<void>;
  /** Gives a stopped VM a serial number of its own (agent-21). */
  renewIdentity(name: string): Promise<void>;
  /** Starts the VM in a session of its own and returns once it has lived a moment; throws with the log's tail when it did not (agent-11). */
  run(name: string, options: RunOptions): Promise<VmProcess>;
  /** Asks the guest to shut down; returns at once. */
  shutDown(name: string): Promise<void>;
  /** Ends the VM, hard after `timeoutSeconds`. A VM that does not run, or is not there, is no error. */
  stop(name: string, timeoutSeconds: number): Promise<void>;
  /** Deletes a VM, or a name in the image cache. One that is not there is no error. */
  delete(name: string): Promise<void>;
  /** The guest's address, as far as it is known. Never a sign of life (agent-14). */
  address(name: string): Promise<string | undefined>;
  process(name: string): Promise<Sighting<VmProcess>>;
  /** How the last run of this VM ended; undefined while it runs or when nobody recorded it. */
  lastExit(name: string): Promise<ExitRecord | undefined>;
  /** How full the guest's root volume is, in percent; undefined when the guest does not say. */
  guestDiskPercent(name: string): Promise<number | undefined>;
}
