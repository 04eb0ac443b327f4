// What every Kubernetes object looks like. Objects are plain JSON, frozen when handed out, never classes.

export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface ObjectMeta {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
}

export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** `metav1.Condition`; `severity` and an absent `reason` are Cluster API v1beta1's. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly severity?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

/** Where an object is: cluster-scoped ones have no namespace. */
export interface ObjectKey {
  readonly namespace?: string;
  readonly name: string;
}

/** `namespace/name`, or `name` for cluster-scoped objects: the key of queues and caches. */
export function keyText(key: ObjectKey): string {
  return key.namespace === undefined ? key.name : `${key.namespace}/${key.name}`;
}

/** The inverse of `keyText`. */
export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return slash < 0 ? { name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

export function keyOf(object: KubeObject): ObjectKey {
  const { namespace, name } = object.metadata;
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}

export const isDeleting = (object: KubeObject): boolean => object.metadata.deletionTimestamp !== undefined;

export const hasFinalizer = (object: KubeObject, finalizer: string): boolean =>
  object.metadata.finalizers?.includes(finalizer) ?? false;

export const labelOf = (object: KubeObject, label: string): string | undefined => object.metadata.labels?.[label];

export const annotationOf = (object: KubeObject, annotation: string): string | undefined =>
  object.metadata.annotations?.[annotation];

/** The owner that acts for this object (`controller: true`), if it has one. */
export const controllerOf = (object: KubeObject): OwnerReference | undefined =>
  object.metadata.ownerReferences?.find(owner => owner.controller === true);
