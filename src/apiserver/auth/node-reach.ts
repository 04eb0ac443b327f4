// Whether an object belongs to a node: its Pods, and what these name. Always judged from what is stored now (safe-18).

import type { JsonObject, Stored } from '../parts.ts';
import { textAt } from './fields.ts';
import { accountName, claimNames, configMapNames, isMirror, secretNames } from './pod-references.ts';

export type Reached =
  | 'pods'
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'persistentvolumes'
  | 'serviceaccounts';

interface Place {
  readonly namespace: string;
  readonly name: string;
}

const NAMES_IN_POD: Readonly<
  Record<Exclude<Reached, 'pods' | 'persistentvolumes'>, (pod: JsonObject) => readonly string[]>
> = {
  secrets: secretNames,
  configmaps: configMapNames,
  persistentvolumeclaims: claimNames,
  serviceaccounts: pod => [accountName(pod)],
};

/** Reads the Pods of one namespace at most; a Pod itself is one look-up. */
export function reaches(stored: Stored, nodeName: string, what: Reached, place: Place): boolean {
  if (what === 'pods') return nodeOf(stored.get('pods', place.namespace, place.name)) === nodeName;
  if (what === 'persistentvolumes') return reachesVolume(stored, nodeName, place.name);

  const namesIn = NAMES_IN_POD[what];
  return podsOn(stored, nodeName, place.namespace).some(pod => !isMirror(pod) && namesIn(pod).includes(place.name));
}

/** A volume belongs to the node when the claim that it is bound to does. */
function reachesVolume(stored: Stored, nodeName: string, name: string): boolean {
  const volume = stored.get('persistentvolumes', '', name);
  const claim = {
    namespace: textAt(volume, 'spec', 'claimRef', 'namespace'),
    name: textAt(volume, 'spec', 'claimRef', 'name'),
  };
  return claim.name !== '' && reaches(stored, nodeName, 'persistentvolumeclaims', claim);
}

const podsOn = (stored: Stored, nodeName: string, namespace: string): readonly JsonObject[] =>
  stored.list('pods', namespace).filter(pod => nodeOf(pod) === nodeName);

const nodeOf = (pod: JsonObject | undefined): string => textAt(pod, 'spec', 'nodeName');
