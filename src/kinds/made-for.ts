// Which Data made a lease or a secret: by its owner reference, or by what is noted on it where somebody took that off (metal-d).

import { annotationOf, type KubeObject } from '../kube/object.ts';
import { ownersOf } from '../kube/owners.ts';
import { Metal3Data } from './generated/metal3-data.generated.ts';
import { MADE_FOR_ANNOTATION } from './metal-wire.ts';

export interface Maker {
  readonly name: string;
  readonly uid: string;
}

export const madeFor = ({ metadata }: Metal3Data): Readonly<Record<string, string>> =>
  metadata.uid === undefined ? {} : { [MADE_FOR_ANNOTATION]: `${metadata.name}/${metadata.uid}` };

/** None: nobody says whose it is. `kubectl delete --cascade=orphan` leaves the note alone. */
export function makersOf(made: KubeObject): readonly Maker[] {
  const owners = ownersOf(made, Metal3Data);
  if (owners.length > 0) return owners;
  const [name = '', uid = ''] = (annotationOf(made, MADE_FOR_ANNOTATION) ?? '').split('/');
  return name === '' || uid === '' ? [] : [{ name, uid }];
}

export const isMadeFor = (data: Metal3Data, made: KubeObject): boolean =>
  makersOf(made).some(({ uid }) => uid === data.metadata.uid);
