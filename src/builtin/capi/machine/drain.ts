// Empties a Node before its host goes: cordon, evict, and wait until the Pods are gone from the API.

import { millisOf, seconds } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Api } from '../../../kube/api.ts';
import type { KubeWorld } from '../../../kube/controller.ts';
import { Node } from '../../../kube/core/node.ts';
import { isTerminal, Pod } from '../../../kube/core/pod.ts';
import { ApiError, isNotFound } from '../../../kube/errors.ts';
import { annotationOf, controllerOf, isDeleting, keyOf, keyText, labelOf } from '../../../kube/object.ts';
import { done, type Outcome, wait } from '../../../kube/outcome.ts';
import { POD_DRAIN_LABEL } from '../names.ts';
import { podsOn } from './node-source.ts';

const MIRROR = 'kubernetes.io/config.mirror';
const RETRY_MS = seconds(20);
const NAMED_AT_MOST = 5;

/** Nobody on an unreachable Node will end its Pods: those that were told to go this long ago are no longer waited for. */
const UNREACHABLE_PATIENCE_MS = seconds(1);
const UNREACHABLE_GRACE_SECONDS = 1;

/** `api` is that of the Node. */
export async function drain(node: Node, api: Api, world: KubeWorld): Promise<Outcome> {
  await cordon(node, api);
  const pods = podsToDrain(await podsOn(node, api, world), {
    isUnreachable: isUnreachable(node),
    nowMs: world.clock.now(),
  });
  if (pods.length === 0) return done();
  const refusals = await Promise.all(pods.filter(pod => !isDeleting(pod)).map(pod => evict(pod, node, api)));
  const why = refusals.filter(refusal => refusal !== undefined);
  const [first] = pods;
  const on = { kind: Pod, ...(first === undefined ? { name: '' } : keyOf(first)) };
  return wait(on, `the Pods on Node ${node.metadata.name} to go: ${namesOf(pods)}${refusalText(why)}`, RETRY_MS);
}

/** Ready is Unknown: its agent has not been heard of for long. */
export function isUnreachable(node: Node): boolean {
  return node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown') ?? false;
}

/** Pods that must be gone before the Node counts as empty. */
export function podsToDrain(
  pods: readonly Pod[],
  on: { readonly isUnreachable: boolean; readonly nowMs: number },
): readonly Pod[] {
  return pods.filter(pod => {
    if (annotationOf(pod, MIRROR) !== undefined || labelOf(pod, POD_DRAIN_LABEL)?.toLowerCase() === 'skip')
      return false;
    // A DaemonSet would put it back at once.
    if (controllerOf(pod)?.kind === 'DaemonSet' && !isTerminal(pod)) return false;
    const toldMs = on.nowMs - millisOf(pod.metadata.deletionTimestamp);
    return !(on.isUnreachable && toldMs > UNREACHABLE_PATIENCE_MS);
  });
}

async function cordon(node: Node, api: Api): Promise<void> {
  if (node.spec?.unschedulable === true) return;
  const { uid } = node.metadata;
  try {
    await api.patch(Node, keyOf(node), { metadata: { uid }, spec: { unschedulable: true } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Why the eviction was not accepted, if it was not; a budget's refusal is an answer and no failure. */
async function evict(pod: Pod, node: Node, api: Api): Promise<string | undefined> {
  const { name, namespace, uid } = pod.metadata;
  const grace = isUnreachable(node) ? { gracePeriodSeconds: UNREACHABLE_GRACE_SECONDS } : {};
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    deleteOptions: { ...grace, preconditions: { uid } },
  };
  try {
    await api.createSub(Pod, keyOf(pod), 'eviction', body);
    return undefined;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    // Every Pod is tried: one that cannot be evicted is named and hides no other.
    if (error instanceof ApiError) return `${name}: ${error.status?.message ?? messageOf(error)}`;
    throw error;
  }
}

function namesOf(pods: readonly Pod[]): string {
  const names = pods.slice(0, NAMED_AT_MOST).map(pod => keyText(keyOf(pod)));
  const more = pods.length - names.length;
  return more > 0 ? `${names.join(', ')} and ${more} more` : names.join(', ');
}

const refusalText = (refusals: readonly string[]): string =>
  refusals.length === 0 ? '' : `; not evicted: ${refusals.slice(0, NAMED_AT_MOST).join(', ')}`;
