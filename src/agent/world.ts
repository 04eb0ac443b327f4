// What the agent's parts share: the Kubernetes world, the host's ports, and the memory of one run of the agent.

import type { KubeWorld } from '../kube/controller.ts';
import type { Node } from '../kube/core/node.ts';
import type { Collector } from './gc/collect.ts';
import type { AgentHost } from './host.ts';
import type { BaseWorld } from './images/base.ts';
import type { Leases } from './images/leases.ts';
import type { Shelf } from './images/shelf.ts';
import type { Locks } from './locks.ts';
import type { AgentMetrics } from './metrics.ts';
import type { Moments } from './pod/moments.ts';
import type { Waker } from './pod/waker.ts';
import type { AgentRecords } from './records.ts';
import type { AgentSettings } from './settings.ts';
import type { VmRuntime } from './vm-runtime.ts';

/** What an agent is given: the API as this Node, and the Mac. */
export interface AgentPorts extends KubeWorld {
  readonly runtime: VmRuntime;
  readonly host: AgentHost;
  readonly records: AgentRecords;
  readonly settings: AgentSettings;
}

/** Who this agent is to the cluster. */
export interface Self {
  readonly nodeName: string;
  /** The providerID, or the hardware UUID where there is none (safe-7). */
  readonly hostId: string;
  readonly hostIp: string;
  /** Own Node as last seen; undefined until it is registered, or while it is another host's. */
  node: Node | undefined;
}

/** All of it. What is kept in memory may be lost at any moment: the disk, the records and the API say it again. */
export interface AgentWorld extends AgentPorts {
  readonly self: Self;
  readonly locks: Locks;
  readonly leases: Leases;
  readonly shelf: Shelf;
  readonly bases: BaseWorld;
  readonly collector: Collector;
  readonly moments: Moments;
  readonly waker: Waker;
  readonly counts: AgentMetrics;
}
