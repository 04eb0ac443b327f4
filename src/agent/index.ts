// The node agent, put together: what a Mac needs to be a Node that runs Pods as VMs.

import type { CertificateReader, Keys } from '../base/keys.ts';
import { keyController, periodic, runControllers } from '../kube/run.ts';
import { type CredentialStore, certificateRenewal } from './certificate.ts';
import { boundPods } from './gc/bound-pods.ts';
import { collector } from './gc/collect.ts';
import { collections } from './gc/loop.ts';
import type { BaseWorld } from './images/base.ts';
import { leases } from './images/leases.ts';
import { shelf } from './images/shelf.ts';
import { locks } from './locks.ts';
import { agentMetrics } from './metrics.ts';
import { type LeaseConnection, leaseRenewal } from './node/lease.ts';
import { nodeRefresh } from './node/refresh.ts';
import { podController } from './pod/controller.ts';
import { moments } from './pod/moments.ts';
import { waker } from './pod/waker.ts';
import type { AgentPorts, AgentWorld, Self } from './world.ts';

export type { AgentPorts } from './world.ts';

export interface AgentOptions {
  readonly ports: AgentPorts;
  /** The heartbeat's own connection. */
  readonly lease: LeaseConnection;
  /** Absent: the agent's credentials are somebody else's to renew. */
  readonly certificate?: { readonly store: CredentialStore; readonly keys: Keys & CertificateReader };
}

/** Runs one agent until `signal` aborts and its passes have ended. VMs go on running. Throws when tart cannot be used. */
export async function agent({ ports, lease, certificate }: AgentOptions, signal: AbortSignal): Promise<void> {
  const version = await ports.runtime.version();
  const world = await agentWorld(ports);
  const { nodeName, hostId } = world.self;
  ports.log.info('the agent starts', { node: nodeName, hostId, tart: version });
  const renewal = certificate === undefined ? [] : [periodic(certificateRenewal(certificate.store, certificate.keys))];
  await runControllers<AgentWorld>(
    world,
    [
      periodic(nodeRefresh()),
      periodic(leaseRenewal(lease)),
      keyController(podController(nodeName)),
      periodic(collections()),
      ...renewal,
    ],
    signal,
  );
}

/** The memory of one run of the agent: nothing in it is needed after a restart. */
async function agentWorld(ports: AgentPorts): Promise<AgentWorld> {
  const { runtime, records, log, settings } = ports;
  const memory = locks();
  const held = leases(memory);
  const collecting = collector({
    ...ports,
    leases: held,
    inheritsUpstream: settings.inheritsUpstream,
    minGoldensKept: Math.max(1, settings.minGoldensKept),
    boundPods: () => boundPods(ports),
  });
  const bases: BaseWorld = {
    runtime,
    records,
    log,
    locks: memory,
    leases: held,
    makeSpace: async () => {
      if (settings.collectsGarbage) await collecting.collect('aggressive');
    },
  };
  return {
    ...ports,
    self: await selfOf(ports),
    locks: memory,
    leases: held,
    bases,
    collector: collecting,
    shelf: shelf(bases),
    moments: moments(),
    waker: waker(),
    counts: agentMetrics(ports.metrics),
  };
}

async function selfOf({ host, settings }: AgentPorts): Promise<Self> {
  const facts = await host.facts();
  return {
    nodeName: settings.nodeName,
    hostId: settings.providerId ?? facts.hardwareUuid,
    hostIp: settings.nodeIp ?? facts.address ?? settings.nodeName,
    node: undefined,
  };
}
