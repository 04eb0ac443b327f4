// DefaultStorageClass and DefaultIngressClass: who says no class gets the newest that is marked as the default.

import type { Admission, JsonObject, Stored } from '../../parts.ts';
import { objectAt, textAt } from '../json.ts';
import { kept, type PluginWorld, withSpec } from './new-pod.ts';

interface Sort {
  /** Of which objects. */
  readonly storage: string;
  /** Where its classes are. */
  readonly classes: string;
  readonly field: string;
  /** What marks the default, each of these. */
  readonly marks: readonly string[];
  /** How a class was said before there was a field. */
  readonly older: string;
}

const OF_CLAIMS: Sort = {
  storage: 'persistentvolumeclaims',
  classes: 'storageclasses.storage.k8s.io',
  field: 'storageClassName',
  marks: ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
  older: 'volume.beta.kubernetes.io/storage-class',
};
const OF_INGRESSES: Sort = {
  storage: 'ingresses.networking.k8s.io',
  classes: 'ingressclasses.networking.k8s.io',
  field: 'ingressClassName',
  marks: ['ingressclass.kubernetes.io/is-default-class'],
  older: 'kubernetes.io/ingress.class',
};

export const defaultStorageClass = ({ stored }: PluginWorld): Admission => defaultClass(stored, OF_CLAIMS);
export const defaultIngressClass = ({ stored }: PluginWorld): Admission => defaultClass(stored, OF_INGRESSES);

function defaultClass(stored: Stored, sort: Sort): Admission {
  return ({ attributes, resource, object, old }) => {
    const isNew = object !== undefined && old === undefined && attributes.subresource === '';
    if (resource.storageName !== sort.storage || !isNew || saysClass(object, sort)) return kept(object);
    const name = newestDefault(stored, sort);
    return kept(name === undefined ? object : withSpec(object, { [sort.field]: name }));
  };
}

const metaOf = (object: JsonObject): JsonObject => objectAt(object, 'metadata');
const annotationsOf = (object: JsonObject): JsonObject => objectAt(metaOf(object), 'annotations');

/** An empty one is a class, too: none. */
const saysClass = (object: JsonObject, { field, older }: Sort): boolean =>
  (objectAt(object, 'spec')[field] ?? null) !== null || older in annotationsOf(object);

function newestDefault(stored: Stored, { classes, marks }: Sort): string | undefined {
  const [newest] = stored
    .list(classes)
    .filter(each => marks.some(mark => annotationsOf(each)[mark] === 'true'))
    .map(each => ({ name: textAt(metaOf(each), 'name'), since: textAt(metaOf(each), 'creationTimestamp') }))
    .sort((a, b) => (a.since === b.since ? (a.name < b.name ? -1 : 1) : a.since > b.since ? -1 : 1));
  return newest?.name;
}
