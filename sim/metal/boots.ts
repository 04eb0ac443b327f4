// Which hosts have booted: each boot registers its Nodes with the workload cluster, each power cut silences them.

import type { BareMetalHost } from '../../src/kinds/generated/bare-metal-host.generated.ts';
import { CLUSTER_NAME_LABEL } from '../../src/kinds/wire.ts';
import type { Api } from '../../src/kube/api.ts';
import { Node } from '../../src/kube/core/node.ts';
import { isAlreadyExists, isNotFound } from '../../src/kube/errors.ts';
import { keyOf, labelOf, type ObjectKey } from '../../src/kube/object.ts';
import { nodesOf } from './nodes.ts';
import type { NodeQuirk } from './quirks.ts';

/** The workload cluster as the machines in it see it. */
export interface WorkloadNodes {
  /** Undefined: there is no such cluster, so that nothing can register. */
  of(cluster: ObjectKey): Api | undefined;
}

interface Boot {
  readonly cluster: ObjectKey;
  readonly nodes: readonly Node[];
}

export class Boots {
  readonly #workload: WorkloadNodes;
  /** By UID of the host. */
  readonly #boots = new Map<string, Boot>();

  constructor(workload: WorkloadNodes) {
    this.#workload = workload;
  }

  /** A Node that somebody deletes comes back with the next boot only, as with a kubelet. */
  has({ metadata: { uid = '' } }: BareMetalHost): boolean {
    return this.#boots.has(uid);
  }

  /** Registers the host's Nodes. False: its cluster does not take them now. */
  async registered(host: BareMetalHost, quirk?: NodeQuirk): Promise<boolean> {
    const cluster = clusterOf(host);
    // Nobody's host registers nowhere, and that is as it should be.
    const nodes = cluster === undefined ? [] : nodesOf(host, quirk);
    const boot = { cluster: cluster ?? keyOf(host), nodes };
    const isDone = nodes.length === 0 || (await this.#tell(boot, 'True'));
    if (isDone) this.#boots.set(host.metadata.uid ?? '', boot);
    return isDone;
  }

  /** What the host registered reports no more. False: its cluster does not hear of it now. */
  async silenced({ metadata: { uid = '' } }: BareMetalHost): Promise<boolean> {
    const boot = this.#boots.get(uid);
    if (boot === undefined) return true;
    const isDone = boot.nodes.length === 0 || (await this.#tell(boot, 'Unknown'));
    if (isDone) this.#boots.delete(uid);
    return isDone;
  }

  async #tell({ cluster, nodes }: Boot, ready: 'True' | 'Unknown'): Promise<boolean> {
    const api = this.#workload.of(cluster);
    // A cluster that is no more hears of no end either.
    if (api === undefined) return ready === 'Unknown';
    try {
      for (const node of nodes) await tell(api, node, ready);
      return true;
    } catch {
      return false;
    }
  }
}

async function tell(api: Api, node: Node, ready: 'True' | 'Unknown'): Promise<void> {
  if (ready === 'True') await api.create(Node, node).catch(unless(isAlreadyExists));
  const reason = ready === 'True' ? 'KubeletReady' : 'NodeStatusUnknown';
  const status = { conditions: [{ type: 'Ready', status: ready, reason, message: '' }] };
  await api.patch(Node, keyOf(node), { status }, { subresource: 'status' }).catch(unless(isNotFound));
}

const unless =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): void => {
    if (!isExpected(error)) throw error;
  };

function clusterOf(host: BareMetalHost): ObjectKey | undefined {
  const name = labelOf(host, CLUSTER_NAME_LABEL);
  const { namespace = '' } = host.metadata;
  return name === undefined ? undefined : { namespace, name };
}
