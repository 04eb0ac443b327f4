// The agent's own notes about what it made: Pippin's mark on VMs and images, kept across restarts (safe-25).

/** Why a VM exists. Written before the VM is made, so that a crash leaves a note without a VM, never the reverse. */
export interface VmRecord {
  readonly vm: string;
  readonly use: 'pod' | 'golden';
  /** The image as the Pod names it. */
  readonly image: string;
  /** What the image name stood for when the VM was made: `repo@sha256:...`. Absent: not known. */
  readonly contentId?: string;
  /** The Pod's UID, for `use: 'pod'`. */
  readonly podUid?: string;
  readonly namespace?: string;
  readonly podName?: string;
  /** `made` once the clone is complete: a golden that is not was left by a crash (agent-50). */
  readonly state: 'making' | 'made';
}

/** An image that this agent pulled. */
export interface ImageRecord {
  /** `repo@sha256:...`. */
  readonly contentId: string;
  /** The names under which it was pulled. */
  readonly names: readonly string[];
}

export interface AgentRecords {
  vms(): Promise<readonly VmRecord[]>;
  vm(name: string): Promise<VmRecord | undefined>;
  putVm(record: VmRecord): Promise<void>;
  dropVm(name: string): Promise<void>;
  images(): Promise<readonly ImageRecord[]>;
  putImage(record: ImageRecord): Promise<void>;
  dropImage(contentId: string): Promise<void>;
}
