// One client and one Node watch on a workload cluster, and how its API answers for them.

import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Log } from '../../base/log.ts';
import { noMetrics } from '../../base/metrics.ts';
import type { Random } from '../../base/random.ts';
import type { Api } from '../../kube/api.ts';
import type { CacheChange, Informer } from '../../kube/cache.ts';
import { callerOf, client } from '../../kube/client.ts';
import { Node } from '../../kube/core/node.ts';
import { caches } from '../../kube/informer.ts';
import { pathOf } from '../../kube/kind.ts';
import { same } from '../../kube/merge-patch.ts';
import type { Transport } from '../../kube/transport.ts';

export interface ConnectionSeams {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Hears how the API answers. `answered` and `failed` are about lists and watches of Nodes, `unauthorized` about any call. */
export interface Hearing {
  answered(): void;
  failed(reason: string, why: string): void;
  unauthorized(): void;
  /** All Nodes are known. */
  synced(): void;
  nodeChanged(node: Node): void;
}

export interface Connection {
  readonly api: Api;
  readonly nodes: Informer<Node>;
  close(): void;
}

/** Connects at once; whether it works is heard. */
export function openConnection(transport: Transport, seams: ConnectionSeams, hearing: Hearing): Connection {
  const { clock } = seams;
  const heard = listening(transport, hearing);
  // No metrics of its own: their labels would name one series for the Nodes of every cluster.
  const running = caches({ ...seams, caller: callerOf(heard, { clock }), metrics: noMetrics });
  const nodes = running.of(Node);
  const ending = new AbortController();
  nodes.onChange(change => {
    if (nodes.synced && concernsUs(change)) hearing.nodeChanged(change.object);
  });
  nodes.whenSynced(ending.signal).then(
    () => hearing.synced(),
    () => undefined, // closed before it was synced
  );
  return {
    api: client(heard, { clock }),
    nodes,
    close: () => {
      ending.abort(new Error('the connection is closed'));
      running.stop().catch((error: unknown) => {
        seams.log.warn('A watch of a workload cluster did not end in order', { error: messageOf(error) });
      });
    },
  };
}

/** A Node's heartbeats change its status many times an hour: they wake nobody (metal-W5). */
function concernsUs({ type, object, previous }: CacheChange<Node>): boolean {
  if (type !== 'updated' || previous === undefined) return true;
  return !same(standing(object), standing(previous));
}

const standing = ({ metadata, spec, status }: Node): unknown => ({
  labels: metadata.labels,
  annotations: metadata.annotations,
  deletionTimestamp: metadata.deletionTimestamp,
  spec,
  conditions: status?.conditions?.map(condition => [condition.type, condition.status]),
});

const NODES_PATH = pathOf(Node);

function listening(next: Transport, hearing: Hearing): Transport {
  return async request => {
    const isOfNodes = request.method === 'GET' && request.path === NODES_PATH;
    const unanswered = (error: unknown): void => {
      if (isOfNodes) hearing.failed('Unreachable', `its API does not answer: ${messageOf(error)}`);
    };
    const givenUp = (): void => unanswered(request.signal?.reason);
    request.signal?.addEventListener('abort', givenUp, { once: true });
    try {
      const answer = await next(request);
      if (answer.status === 401) hearing.unauthorized();
      else if (isOfNodes) judge(answer.status, hearing);
      return answer;
    } catch (error) {
      unanswered(error);
      throw error;
    } finally {
      request.signal?.removeEventListener('abort', givenUp);
    }
  };
}

function judge(status: number, hearing: Hearing): void {
  if (status === 403) hearing.failed('Forbidden', 'its kubeconfig may not list and watch Nodes');
  else if (status === 429 || status >= 500) hearing.failed('Unreachable', `its API answers ${status}`);
  else hearing.answered();
}
