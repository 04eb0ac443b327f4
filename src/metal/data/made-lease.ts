// Makes a lease: its name is the lock, and one that is there already serves if it is this Data's.

import { soon } from '../../deletion/quiet-controller.ts';
import type { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { isMadeFor } from '../../kinds/made-for.ts';
import { refTo } from '../../kube/api.ts';
import type { KubeWorld } from '../../kube/controller.ts';
import { isAlreadyExists } from '../../kube/errors.ts';
import type { Kind } from '../../kube/kind.ts';
import { type KubeObject, keyOf } from '../../kube/object.ts';
import type { Wait } from '../../kube/outcome.ts';

/** Created, or the one that is there already, if it is ours. */
export async function madeOrFound<T extends KubeObject>(
  kind: Kind<T>,
  wanted: T,
  data: Metal3Data,
  { api }: KubeWorld,
): Promise<T | Wait> {
  try {
    return await api.create(kind, wanted);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    const there = await api.find(kind, keyOf(wanted));
    if (there !== undefined && isMadeFor(data, there)) return there;
    return soon(refTo(kind, wanted), `${kind.kind} ${wanted.metadata.name}, whose name another has, to be gone`);
  }
}
