// Which addresses of a pool are held, by the objects themselves: `status.indexes` is emptied when there are many.

import type { IPPool } from '../../kinds/generated/ip-pool.generated.ts';
import type { Kind } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
import { capi } from '../claim/capi.ts';
import type { Dialect } from '../claim/dialect.ts';
import { metal3 } from '../claim/metal3.ts';

const DIALECTS: readonly Dialect[] = [metal3, capi];

/** All objects of a kind in a namespace; none where it is not served. */
export type Listing = (kind: Kind, namespace: string) => Promise<readonly KubeObject[]>;

export async function heldTextsOf({ metadata }: IPPool, list: Listing): Promise<readonly string[]> {
  const { name, namespace = '' } = metadata;
  const texts = DIALECTS.map(async ({ address, heldBy }) =>
    (await list(address, namespace)).map(heldBy).flatMap(held => (held?.pool === name ? [held.text] : [])),
  );
  return (await Promise.all(texts)).flat();
}
