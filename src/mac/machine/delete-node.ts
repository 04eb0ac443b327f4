// Deletes a Node only if it is that host's, and only that very object (safe-9).

import { seconds } from '../../base/clock.ts';
import { RUNTIME_LABEL, RUNTIME_TART } from '../../kinds/wire.ts';
import { Node } from '../../kube/core/node.ts';
import { isConflict, isNotFound } from '../../kube/errors.ts';
import { labelOf } from '../../kube/object.ts';
import { done, type Outcome, wait } from '../../kube/outcome.ts';
import type { MacWorld } from '../world.ts';

interface WantedGone {
  readonly name: string;
  readonly providerId: string;
}

/** Done when no Node of that host has the name, live and in the watch. A Node of another host is left alone. */
export async function deleteNode(wanted: WantedGone, world: MacWorld): Promise<Outcome> {
  const { api } = world;
  const { name, providerId } = wanted;
  const node = await api.find(Node, { name });
  if (node === undefined || !isOf(node, providerId)) return unlessWatched(wanted, world);
  const { uid } = node.metadata;
  try {
    await api.delete(Node, { name }, uid === undefined ? {} : { uid });
  } catch (error) {
    if (isNotFound(error)) return unlessWatched(wanted, world);
    if (!isConflict(error)) throw error;
  }
  const after = await api.find(Node, { name });
  if (after === undefined || !isOf(after, providerId)) return unlessWatched(wanted, world);
  return wait({ kind: Node, name }, `Node ${name} to be gone`, seconds(5));
}

/** One answer "not found" may be wrong, and nobody would delete the Node later: the watch must have seen it go too. */
function unlessWatched({ name, providerId }: WantedGone, { caches }: MacWorld): Outcome {
  const watched = caches.of(Node).get({ name });
  if (watched === undefined || !isOf(watched, providerId)) return done();
  return wait({ kind: Node, name }, `the watch to see Node ${name} go`, seconds(5));
}

/** A Mac's Node that never learnt its providerID is known by its label: upstream's agents could start without one. */
function isOf(node: Node, providerId: string): boolean {
  const own = node.spec?.providerID ?? '';
  return own === '' ? labelOf(node, RUNTIME_LABEL) === RUNTIME_TART : own === providerId;
}
