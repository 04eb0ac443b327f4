// What the agent needs of the Mac it runs on: who it is, its disk, and the few files that go into and come out of a VM.

import type { Sighting } from '../base/sighting.ts';

/** Who and what this host is. */
export interface HostFacts {
  readonly hostname: string;
  /** The hardware's own id: identifies hosts that have no providerID (safe-7). */
  readonly hardwareUuid: string;
  /** The first usable IPv4 address; undefined when there is none. */
  readonly address?: string;
}

export interface DiskUsage {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** A file that a guest wrote. Guests are not trusted: links, pipes and oversized files read as absent (agent-39). */
export interface GuestFile {
  readonly text: string;
  readonly modifiedMs: number;
}

/** A file for the guest; kept with mode 0600 in a folder of mode 0700 (safe-20). */
export interface StagedFile {
  readonly name: string;
  readonly content: string;
}

/** The folders that a VM shares with its host. */
export interface StagedFolders {
  /** What the guest reads: environment and token. */
  readonly env: string;
  /** What the guest writes: exit code, log. */
  readonly status: string;
}

export interface AgentHost {
  facts(): Promise<HostFacts>;
  /** The volume that holds the VMs. */
  disk(): Promise<Sighting<DiskUsage>>;
  /** Writes the files that this VM's guest reads, and empties what an earlier run of it wrote. */
  stage(vm: string, files: readonly StagedFile[]): Promise<StagedFolders>;
  /** Removes everything that `stage` made for this VM. */
  unstage(vm: string): Promise<void>;
  /** VMs that have staged files. Upstream's agent left the same mark, so this also tells its VMs from a stranger's (safe-25). */
  staged(): Promise<readonly string[]>;
  guestFile(vm: string, name: string): Promise<GuestFile | undefined>;
}
