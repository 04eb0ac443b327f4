// Who uses an address whose claim is gone: the Metal3Data that it was made for, by name, for its owner was the claim's.

import { Metal3Data } from '../../kinds/generated/metal3-data.generated.ts';
import { dataNameOf } from '../../kinds/metal-wire.ts';
import { type Kind, metadataOf } from '../../kube/kind.ts';
import type { KubeObject } from '../../kube/object.ts';
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
  if (name === '') return undefined;
  for (const kind of KINDS) {
    if (!(await api.serves(kind))) continue;
    return (await api.find(kind, { namespace, name })) === undefined ? undefined : `${kind.kind} ${name}`;
  }
  return undefined;
}
