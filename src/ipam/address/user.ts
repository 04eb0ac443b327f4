// Who uses an address whose claim is gone, or goes without having been let go of: the Metal3Data that it was made for.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { makersOf } from '../../kinds/made-for.ts';
import { dataNameOf, LET_GO_ANNOTATION, METAL3_DATA_FINALIZER } from '../../kinds/metal-wire.ts';
import { type Kind, metadataOf } from '../../kube/kind.ts';
import { annotationOf, hasFinalizer, type KubeObject, type ObjectKey } from '../../kube/object.ts';
import type { Dialect } from '../claim/dialect.ts';
import type { IpamWorld } from '../world.ts';

/** Where an earlier provider runs beside us only its version may be served. */
const KINDS: readonly Kind[] = [Metal3Data, { ...Metal3Data, version: 'v1beta1' }].map(metadataOf);

/**
 * A Data is there as long as its host runs with what was rendered (metal-h1), whether or not anybody looks after it now.
 * Read live, and only of a lost claim. Throws when nobody can tell: then the address stays.
 */
export async function userOf(dialect: Dialect, address: KubeObject, { api }: IpamWorld): Promise<string | undefined> {
  const held = dialect.heldBy(address);
  const { labels, namespace = '' } = address.metadata;
  const name = dataNameOf(labels, held?.claim ?? '', held?.pool ?? '');
  const data = name === '' ? undefined : await dataAt({ namespace, name }, api);
  return data === undefined ? undefined : `${Metal3Data.kind} ${name}`;
}

/**
 * The Data that made a claim and has not let go of it, though its finalizer is off the claim: somebody else took it off.
 * What our provider lets go of bears its mark, so that only one of another provider, or one that was robbed, is read for.
 */
export async function ownerUsing(claim: KubeObject, { api }: IpamWorld): Promise<string | undefined> {
  const [owner] = makersOf(claim);
  if (owner === undefined || annotationOf(claim, LET_GO_ANNOTATION) === owner.uid) return undefined;
  const data = await dataAt({ namespace: claim.metadata.namespace ?? '', name: owner.name }, api);
  const isUsing = data?.metadata.uid === owner.uid && hasFinalizer(data, METAL3_DATA_FINALIZER);
  return isUsing ? `${Metal3Data.kind} ${owner.name}` : undefined;
}

async function dataAt(key: ObjectKey, api: IpamWorld['api']): Promise<KubeObject | undefined> {
  for (const kind of KINDS) {
    if (await api.serves(kind)) return api.find<KubeObject>(kind, key);
  }
  return undefined;
}
