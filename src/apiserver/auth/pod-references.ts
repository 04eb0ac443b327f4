// What a Pod makes its node need: the Secrets, ConfigMaps, claims and the account that its spec names.

import type { Json, JsonObject } from '../parts.ts';
import { listAt, objectAt, textAt, valueAt } from './fields.ts';

const CONTAINER_LISTS = ['containers', 'initContainers', 'ephemeralContainers'];

/** Where volumes name a Secret: the volume's kind, then the path to the name. */
const SECRET_VOLUMES: readonly (readonly [string, ...string[]])[] = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
];

export function secretNames(pod: JsonObject): readonly string[] {
  const pull = listAt(pod, 'spec', 'imagePullSecrets').map(one => textAt(one, 'name'));
  const inVolumes = volumes(pod).flatMap(volume => [
    ...SECRET_VOLUMES.map(path => textAt(volume, ...path)),
    ...listAt(volume, 'projected', 'sources').map(source => textAt(source, 'secret', 'name')),
  ]);
  return named([...pull, ...inVolumes, ...fromEnvironment(pod, 'secretKeyRef', 'secretRef')]);
}

export function configMapNames(pod: JsonObject): readonly string[] {
  const inVolumes = volumes(pod).flatMap(volume => [
    textAt(volume, 'configMap', 'name'),
    ...listAt(volume, 'projected', 'sources').map(source => textAt(source, 'configMap', 'name')),
  ]);
  return named([...inVolumes, ...fromEnvironment(pod, 'configMapKeyRef', 'configMapRef')]);
}

/** Claims that the Pod names, and those made for its ephemeral volumes, which bear the Pod's and the volume's name. */
export function claimNames(pod: JsonObject): readonly string[] {
  return named(
    volumes(pod).map(volume =>
      objectAt(volume, 'ephemeral', 'volumeClaimTemplate') === undefined
        ? textAt(volume, 'persistentVolumeClaim', 'claimName')
        : `${textAt(pod, 'metadata', 'name')}-${textAt(volume, 'name')}`,
    ),
  );
}

export const accountName = (pod: JsonObject): string => textAt(pod, 'spec', 'serviceAccountName');

/** A mirror Pod stands for one that the node runs from its own disk: it must not open anything to the node. */
export const isMirror = (pod: JsonObject): boolean =>
  valueAt(pod, 'metadata', 'annotations', 'kubernetes.io/config.mirror') !== undefined;

/** Audiences for which the Pod mounts a projected token. */
export const tokenAudiences = (pod: JsonObject): readonly string[] =>
  volumes(pod).flatMap(volume =>
    listAt(volume, 'projected', 'sources')
      .filter(source => objectAt(source, 'serviceAccountToken') !== undefined)
      .map(source => textAt(source, 'serviceAccountToken', 'audience')),
  );

const volumes = (pod: JsonObject): readonly Json[] => listAt(pod, 'spec', 'volumes');

const named = (names: readonly string[]): readonly string[] => names.filter(name => name !== '');

function fromEnvironment(pod: JsonObject, keyRef: string, wholeRef: string): readonly string[] {
  const containers = CONTAINER_LISTS.flatMap(list => listAt(pod, 'spec', list));
  return containers.flatMap(container => [
    ...listAt(container, 'env').map(variable => textAt(variable, 'valueFrom', keyRef, 'name')),
    ...listAt(container, 'envFrom').map(source => textAt(source, wholeRef, 'name')),
  ]);
}
