// The Node's heartbeat: a Lease renewed on a loop and a connection of its own, so that nothing slow delays it (agent-78).

import { kubeMicroTime, seconds } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Api } from '../../kube/api.ts';
import type { Periodic } from '../../kube/controller.ts';
import { Lease, NODE_LEASE_NAMESPACE } from '../../kube/core/node.ts';
import { isUnavailable } from '../../kube/errors.ts';
import type { AgentWorld } from '../world.ts';

const RENEW_MS = seconds(10);
const DURATION_SECONDS = 40;

export interface LeaseConnection {
  readonly api: Api;
  /** Closes connections that may be dead: a hung one would outlive the Node's grace (agent-77). */
  readonly reconnect: () => void;
}

export function leaseRenewal(connection: LeaseConnection): Periodic<AgentWorld> {
  let cached: Lease | undefined;
  return {
    name: 'agent-lease',
    everyMs: RENEW_MS,
    firstAfterMs: 0,
    pass: async world => {
      // A Node of another host is not kept alive; before the first registration there is none to keep.
      if (world.self.node === undefined) return;
      try {
        cached = await renew(cached, world, connection.api);
      } catch (error) {
        cached = undefined; // read again: somebody else may have written it (agent-79)
        if (isUnavailable(error)) connection.reconnect();
        world.log.warn('the Lease could not be renewed', { error: messageOf(error) });
      }
    },
  };
}

async function renew(cached: Lease | undefined, world: AgentWorld, api: Api): Promise<Lease> {
  const key = { namespace: NODE_LEASE_NAMESPACE, name: world.self.nodeName };
  const known = cached ?? (await api.find(Lease, key));
  const lease = renewed(known, world);
  return known === undefined ? api.create(Lease, lease) : api.update(Lease, lease);
}

/** The owner is added once the Node exists, and again when the Node is a new one. */
function renewed(known: Lease | undefined, { self, clock }: AgentWorld): Lease {
  const uid = self.node?.metadata.uid;
  const owner = { apiVersion: 'v1', kind: 'Node', name: self.nodeName, uid: uid ?? '' };
  return {
    ...known,
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      ...known?.metadata,
      name: self.nodeName,
      namespace: NODE_LEASE_NAMESPACE,
      ...(uid === undefined ? {} : { ownerReferences: [owner] }),
    },
    spec: {
      ...known?.spec,
      holderIdentity: self.nodeName,
      leaseDurationSeconds: DURATION_SECONDS,
      renewTime: kubeMicroTime(clock.now()),
    },
  };
}
