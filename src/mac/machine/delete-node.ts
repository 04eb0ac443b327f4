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

/** Done when no Node of that host has the name. A Node of another host is left alone. */
export async function deleteNode({ name, providerId }: WantedGone, { api }: MacWorld): Promise<Outcome> {
  const node = await api.find(Node, { name });
  if (node === undefined || !isOf(node, providerId)) return done();
  const { uid } = node.metadata;
  try {
    await api.delete(Node, { name }, uid === undefined ? {} : { uid });
  } catch (error) {
    if (isNotFound(error)) return done();
    if (!isConflict(error)) throw error;
  }
  const after = await api.find(Node, { name });
  if (after === undefined || !isOf(after, providerId)) return done();
  return wait({ kind: Node, name }, `Node ${name} to be gone`, seconds(5));
}

/** A Mac's Node that never learnt its providerID is known by its label: upstream's agents could start without one. */
function isOf(node: Node, providerId: string): boolean {
  const own = node.spec?.providerID ?? '';
  return own === '' ? labelOf(node, RUNTIME_LABEL) === RUNTIME_TART : own === providerId;
}
