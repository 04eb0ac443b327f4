// What an agent is told at its start.

/** One agent's settings; `cli/agent.ts` fills them from flags. */
export interface AgentSettings {
  readonly nodeName: string;
  /** Absent: a Mac that no cloud rents; it goes by its hardware UUID then. */
  readonly providerId?: string;
  /** The address that Pods and the Node name; absent: the host's first usable one. */
  readonly nodeIp?: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly cpu: number;
  readonly memoryMb: number;
  readonly maxPods: number;
  readonly minGoldensKept: number;
  /** Off on hosts that build images: there VMs live that no Pod knows (agent-57). */
  readonly collectsGarbage: boolean;
  /** Upstream's agent ran this Mac before: what bears its names is collected too (safe-25). */
  readonly inheritsUpstream: boolean;
}
