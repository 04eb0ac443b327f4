// Volumes of kinds that nothing serves any more, and projections of nothing.

import type { JsonObject } from '../parts.ts';
import { isObject, objectAt, objectsAt, textAt } from './json.ts';
import { overlapWarnings } from './overlap-warnings.ts';

const OLD = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

export function volumeWarnings(path: string, spec: JsonObject): readonly string[] {
  const volumes = objectsAt(spec, 'volumes');
  return [
    ...volumes.flatMap((volume, index) => oldWarnings(`${path}[${index}]`, volume)),
    ...volumes.flatMap(volume => [...overlapWarnings(volume), ...emptyOnes(volume)]),
  ];
}

/** Of a volume of a Pod or of the cluster. */
export function oldWarnings(path: string, volume: JsonObject): readonly string[] {
  return OLD.filter(([key]) => isObject(volume[key])).map(([, shown, why]) => `${path}.${shown}: ${why}`);
}

function emptyOnes(volume: JsonObject): readonly string[] {
  if (volume.projected === undefined) return [];
  const empty = objectsAt(objectAt(volume, 'projected'), 'sources').filter(source => Object.keys(source).length === 0);
  const name = JSON.stringify(textAt(volume, 'name'));
  return empty.map(() => `volume ${name} (Projected) has no sources provided`);
}
