// The object that a template names, `machine`, `metal3machine` or `baremetalhost`, and what is read of it.

import type { KubeObject } from '../../kube/object.ts';
import type { SourceObjects } from './input.ts';
import { renderingRefused } from './refused.ts';

export interface AnnotationSource {
  readonly object: string;
  readonly annotation: string;
}

const READ_OF: Readonly<Record<string, (objects: SourceObjects) => KubeObject | undefined>> = {
  machine: objects => objects.machine,
  metal3machine: objects => objects.metal3Machine,
  baremetalhost: objects => objects.host,
};

/** The name is read in any case: v1beta1 has it so. `field` is where the template names it. */
export function sourceObject(name: string, objects: SourceObjects, field: string): KubeObject {
  const read = READ_OF[name.toLowerCase()];
  if (read === undefined) {
    throw renderingRefused(`${field}.object "${name}"`, `it is none of ${Object.keys(READ_OF).join(', ')}`);
  }
  const object = read(objects);
  if (object === undefined) throw renderingRefused(`${field}.object "${name}"`, 'there is no such object yet');
  return object;
}

/** Empty where the object has no such annotation. */
export function annotationOf({ object, annotation }: AnnotationSource, objects: SourceObjects, field: string): string {
  return sourceObject(object, objects, field).metadata.annotations?.[annotation] ?? '';
}
